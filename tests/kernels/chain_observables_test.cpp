#include "kernels/rounds/chain_observables.hpp"

#include <gmock/gmock.h>

#include <set>

namespace glassworks { namespace {

using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

std::vector<std::string> named(const std::vector<ChainObservables::Named>& list) {
  std::vector<std::string> names;
  for (const ChainObservables::Named& one : list) names.emplace_back(one.name);
  return names;
}

TEST(ChainObservables, OfHeisenbergAreThoseOfItsLayouts) {
  for (const int copies : {2, 4}) {
    const ChainObservables observables(SpinModel{}, 3, copies);
    const ObservableLayout layout(3, copies);
    EXPECT_EQ(observables.size(), layout.size());
    EXPECT_EQ(observables.names().at(static_cast<std::size_t>(layout.overlap_mode(0))), "overlap_k(0,0,0)");
    EXPECT_EQ(observables.sample_names(), SampleLayout(3, copies).names());
    EXPECT_EQ(observables.sample_size(), SampleLayout(3, copies).size());
    EXPECT_THAT(named(observables.stationary()), ElementsAre("energy", "|q|^2"));
    EXPECT_EQ(observables.stationary()[1].observable, layout.overlap_mode(0));
    EXPECT_THAT(observables.timed(), SizeIs(0));
  }
}

TEST(ChainObservables, OfOtherModelsAreThoseOfClusters) {
  for (const int copies : {1, 2, 4}) {
    const SpinModel model{.kind = ModelKind::potts, .states = 3};
    const ChainObservables observables(model, 2, copies);
    const ClusterObservables layout(model, 2, copies, 0);
    EXPECT_EQ(observables.size(), layout.size());
    const std::vector<std::string> names = observables.names();
    EXPECT_EQ(names, observables.sample_names());
    EXPECT_EQ(observables.sample_size(), layout.size());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are distinct";
    for (const auto& list : {observables.stationary(), observables.timed()}) {
      for (const ChainObservables::Named& one : list) {
        const std::string stored = names.at(static_cast<std::size_t>(one.observable));
        EXPECT_EQ(std::string(one.name) == "m^2", stored == "magnetization_2");
        EXPECT_EQ(std::string(one.name) == "q^2", stored == "overlap_2");
      }
    }
  }
  EXPECT_THAT(named(ChainObservables({.kind = ModelKind::ising}, 2, 1).stationary()), ElementsAre("energy", "m^2"));
  EXPECT_THAT(named(ChainObservables({.kind = ModelKind::ising}, 2, 2).timed()),
              ElementsAre("energy", "|m|", "m^2", "q^2"));
}

TEST(ChainObservables, OfXySpinsHaveTheirChirality) {
  const SpinModel xy{.kind = ModelKind::on, .components = 2};
  const auto labels = [](const ChainObservables& observables) {
    std::vector<std::string> names;
    for (const ChainObservables::Mean& mean : observables.all_stationary()) names.emplace_back(mean.name);
    return names;
  };
  const ChainObservables solid(xy, 3, 2, chiral_overlap), flat(xy, 2, 4, chiral_overlap), without(xy, 3, 2);
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
  const ChainObservables old(xy, 3, 2, 0, without.names());
  EXPECT_EQ(labels(old), labels(without));
}

}}  // namespace glassworks
