#include "kernels/rounds/chain_observables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <span>

namespace glassworks { namespace {

using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

std::vector<std::string> named(const std::vector<ChainObservables::Named>& list) {
  std::vector<std::string> names;
  for (const ChainObservables::Named& one : list) names.emplace_back(one.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

const std::string moments =
    "energy energy_squared magnetization_abs magnetization_2 magnetization_4 magnetization_kmin modulus_2 modulus_4 "
    "improved_m2 improved_kmin clusters largest_cluster mean_cluster wrapping_any wrapping_all moved_sites ";

/// The columns of campaigns that version 0.1.0 stored. Others in their place would be read as these.
TEST(BinLayout, HasTheColumnsOfStoredCampaigns) {
  EXPECT_EQ(joined(BinLayout(SpinModel{}, 2, 4).names()),
            "energy energy_squared bond_energy field_energy q_s link_overlap overlap overlap_2 overlap_4 "
            "magnetization_x magnetization_y magnetization_z magnetization_2 magnetization_4 chiral_4 chiral_zero "
            "chiral_kmin_parallel chiral_kmin_perpendicular chiral_2kmin_parallel chiral_2kmin_perpendicular "
            "chiral_110_parallel chiral_110_perpendicular chiral_111 "
            "energy_of_copy_1 energy_of_copy_2 energy_of_copy_3 energy_of_copy_4 "
            "overlap_k(0,0) overlap_k(1,0) overlap_k(0,1) overlap_k(2,0) overlap_k(0,2) overlap_k(1,1) "
            "chi_1(0,0) chi_1(1,0) chi_1(0,1) chi_1(2,0) chi_1(0,2) chi_1(1,1) "
            "chi_2(0,0) chi_2(1,0) chi_2(0,1) chi_2(2,0) chi_2(0,2) chi_2(1,1) "
            "chi_3(0,0) chi_3(1,0) chi_3(0,1) chi_3(2,0) chi_3(0,2) chi_3(1,1)");
  EXPECT_EQ(joined(BinLayout(SpinModel{}, 3, 4).sample_names()),
            "energy_of_copy_1 energy_of_copy_2 energy_of_copy_3 energy_of_copy_4 link_overlap q_s overlap overlap_2 "
            "overlap_4 overlap_kmin overlap_2kmin overlap_110 chiral_zero chiral_4 chiral_kmin_parallel "
            "chiral_kmin_perpendicular magnetization_2 magnetization_4 bond_energy chi_1_zero chi_2_zero chi_3_zero "
            "chi_1_kmin chi_2_kmin chi_3_kmin overlap_12 overlap_13 overlap_14 overlap_23 overlap_24 overlap_34");
  const std::vector<std::string> plain = BinLayout(SpinModel{}, 2, 4).names();
  std::vector<std::string> chosen =
      BinLayout(SpinModel{}, 2, 4, chiral_response | chiral_axes, SiteRule::metropolis).names();
  EXPECT_EQ(chosen.back(), "local_acceptance");
  chosen.pop_back();
  ASSERT_TRUE(std::ranges::equal(plain, std::span(chosen).first(plain.size()))) << "old columns stay where they are";
  EXPECT_EQ(joined({chosen.begin() + static_cast<std::ptrdiff_t>(plain.size()), chosen.end()}),
            "chiral_chi_2_zero chiral_chi_2_kmin_parallel chiral_chi_2_kmin_perpendicular chiral_chi_2_2kmin_parallel "
            "chiral_chi_2_2kmin_perpendicular chiral_chi_2_110_parallel chiral_chi_2_110_perpendicular "
            "chiral_chi_2_111 chiral_chi_3_zero chiral_chi_3_kmin_parallel chiral_chi_3_kmin_perpendicular "
            "chiral_chi_3_2kmin_parallel chiral_chi_3_2kmin_perpendicular chiral_chi_3_110_parallel "
            "chiral_chi_3_110_perpendicular chiral_chi_3_111 chiral_zero_x chiral_zero_y chiral_kmin_parallel_x "
            "chiral_kmin_parallel_y chiral_kmin_perpendicular_x chiral_kmin_perpendicular_y");
  const SpinModel xy{.kind = ModelKind::on, .components = 2};
  EXPECT_EQ(joined(BinLayout(xy, 3, 2, 0b1 | chiral_overlap | axis_modes).names()),
            moments +
                "energy_of_copy_1 energy_of_copy_2 overlap overlap_2 overlap_4 overlap_kmin link_overlap "
                "chiral_4 chiral_zero chiral_kmin_perpendicular chiral_kmin_parallel overlap_kmin_x "
                "overlap_kmin_y overlap_kmin_z magnetization_kmin_x magnetization_kmin_y magnetization_kmin_z "
                "bond_nematic");
  EXPECT_EQ(joined(BinLayout(xy, 2, 4, field_response).names()),
            moments +
                "energy_of_copy_1 energy_of_copy_2 energy_of_copy_3 energy_of_copy_4 overlap overlap_2 overlap_4 "
                "overlap_kmin link_overlap chi_1(0,0) chi_1(1,0) chi_1(0,1) chi_1(2,0) chi_1(0,2) chi_2(0,0) "
                "chi_2(1,0) chi_2(0,1) chi_2(2,0) chi_2(0,2) chi_3(0,0) chi_3(1,0) chi_3(0,1) chi_3(2,0) "
                "chi_3(0,2)");
  const SpinModel phi4{.kind = ModelKind::phi4, .components = 4, .lambda = 1.0};
  EXPECT_EQ(joined(BinLayout(phi4, 3, 1).names()), moments + "local_acceptance energy_of_copy_1");
}

/// Values of pairs are divided by their number: an end of their part that is one column off would divide others so.
TEST(BinLayout, PairsHaveTheOverlapsAndNothingElse) {
  const BinLayout layout({.kind = ModelKind::on, .components = 2}, 3, 4,
                         0b1 | chiral_overlap | axis_modes | field_response);
  for (int column = 0; column < layout.size(); ++column) {
    const std::string name = layout.name(column);
    EXPECT_EQ(std::ranges::count(layout.names(), name), 1) << name;
    const bool of_pairs = name.find("overlap") != std::string::npos || name.starts_with("chi");
    EXPECT_EQ(layout.is_of_pairs(column), of_pairs) << name;
  }
  const BinLayout single({.kind = ModelKind::ising}, 3, 1, axis_modes);
  for (int column = 0; column < single.size(); ++column) EXPECT_FALSE(single.is_of_pairs(column)) << column;
}

TEST(ChainObservables, OfHeisenbergHaveTheOverlapOfAllComponents) {
  for (const int copies : {2, 4}) {
    const BinLayout layout(SpinModel{}, 3, copies);
    const ChainObservables observables(layout);
    EXPECT_EQ(observables.size(), layout.size());
    EXPECT_EQ(observables.names().at(static_cast<std::size_t>(layout.at(BinQuantity::overlap_k, 0))),
              "overlap_k(0,0,0)");
    EXPECT_THAT(named(observables.stationary()), ElementsAre("energy", "|q|^2"));
    EXPECT_EQ(observables.stationary()[1].observable, layout.at(BinQuantity::overlap_k, 0));
    EXPECT_THAT(observables.timed(), SizeIs(0));
  }
}

TEST(ChainObservables, OfOtherModelsAreThoseOfClusters) {
  for (const int copies : {1, 2, 4}) {
    const SpinModel model{.kind = ModelKind::potts, .states = 3};
    const BinLayout layout(model, 2, copies);
    const ChainObservables observables(layout);
    EXPECT_EQ(observables.size(), layout.size());
    const std::vector<std::string> names = observables.names();
    EXPECT_EQ(names, layout.sample_names());
    EXPECT_EQ(layout.sample_size(), layout.size());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are distinct";
    for (const auto& list : {observables.stationary(), observables.timed()}) {
      for (const ChainObservables::Named& one : list) {
        const std::string stored = names.at(static_cast<std::size_t>(one.observable));
        EXPECT_EQ(std::string(one.name) == "m^2", stored == "magnetization_2");
        EXPECT_EQ(std::string(one.name) == "q^2", stored == "overlap_2");
      }
    }
  }
  EXPECT_THAT(named(ChainObservables(BinLayout({.kind = ModelKind::ising}, 2, 1)).stationary()),
              ElementsAre("energy", "m^2"));
  EXPECT_THAT(named(ChainObservables(BinLayout({.kind = ModelKind::ising}, 2, 2)).timed()),
              ElementsAre("energy", "|m|", "m^2", "q^2"));
}

TEST(ChainObservables, OfXySpinsHaveTheirChirality) {
  const SpinModel xy{.kind = ModelKind::on, .components = 2};
  const auto labels = [](const ChainObservables& observables) {
    std::vector<std::string> names;
    for (const ChainObservables::Mean& mean : observables.all_stationary()) names.emplace_back(mean.name);
    return names;
  };
  const ChainObservables solid(BinLayout(xy, 3, 2, chiral_overlap)), flat(BinLayout(xy, 2, 4, chiral_overlap)),
      without(BinLayout(xy, 3, 2));
  EXPECT_THAT(labels(solid), ElementsAre("energy", "m^2", "m^2(k_min)", "q^2", "q^2(k_min)", "q_c^2",
                                         "q_c^2(k_min,par)", "q_c^2(k_min,perp)"));
  EXPECT_THAT(labels(flat),
              ElementsAre("energy", "m^2", "m^2(k_min)", "q^2", "q^2(k_min)", "q_c^2", "q_c^2(k_min,perp)"));
  EXPECT_THAT(labels(without), ElementsAre("energy", "m^2", "m^2(k_min)", "q^2", "q^2(k_min)"));
  EXPECT_THAT(named(solid.cold_timed()), ElementsAre("q^2", "q_c^2"));
  EXPECT_THAT(named(without.cold_timed()), ElementsAre("q^2"));
  EXPECT_THAT(named(solid.timed()), ElementsAre("energy", "|m|", "m^2", "q^2", "q_c^2"));
  EXPECT_THAT(named(solid.always_moving()), ElementsAre("energy", "m^2", "q^2", "q_c^2"));
  EXPECT_THAT(named(solid.stationary()), ElementsAre("energy", "m^2", "q^2")) << "rule 1 is as it was";
  for (const ChainObservables::Named& one : solid.cold_timed()) {
    if (std::string(one.name) != "q_c^2") continue;
    EXPECT_EQ(solid.names().at(static_cast<std::size_t>(one.observable)), "chiral_zero");
  }
  // A campaign that began without the chirality: its columns decide.
  const ChainObservables old(BinLayout(xy, 3, 2), without.names());
  EXPECT_EQ(labels(old), labels(without));
}

}}  // namespace glassworks
