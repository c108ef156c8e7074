#include "analysis/field/field_section.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

Config field_config(int copies = 4) {
  Config config = testing::fake_config(3, copies);
  config.model.field = FieldKind::gaussian;
  config.model.field_strength = 0.3;
  return config;
}

constexpr double offset = 0.7;  ///< of chi_1; chi_2 and chi_3 take it away again
double mass(double T, double r) { return 0.5 + T + 0.01 * r; }

/// Connected N (chi_1 - 2 chi_2 + chi_3) = 1/(m^2 + k^2) of realization r, m = mass(T, r); other columns are known.
double field_bin(int L, double T, double r, const std::string& name) {
  const double N = std::pow(L, 3);
  if (name.starts_with("chi_")) {
    const auto n = [&](std::size_t place) { return name[name.find('(') + place] - '0'; };
    double k_2 = 0.0;
    for (const std::size_t place : {1U, 3U, 5U}) {
      const double s = 2.0 * std::sin(3.14159265358979323846 * n(place) / L);
      k_2 += s * s;
    }
    const double connected = 1.0 / (mass(T, r) * mass(T, r) + k_2) / N;
    if (name.starts_with("chi_1")) return connected + offset;
    return name.starts_with("chi_2") ? 0.5 * offset + 0.1 : 0.2;
  }
  if (name == "overlap") return 0.25;
  if (name == "field_energy") return -0.09 / T * 0.75 + 0.001 * r;
  if (name == "bond_energy") return -0.4 / T - 0.002 * r;
  if (name == "q_s") return 0.5;
  if (name == "link_overlap") return 0.5 - 0.4 / 3.0;
  if (name == "magnetization_2") return 0.04;
  return name.starts_with("energy_of_copy") ? -1.5 : 0.0;
}

/// With the connected susceptibility of the chirality, 4 times that of the spins at k_min, where it is chosen.
double chiral_bin(int L, double T, double r, const std::string& name) {
  if (name.starts_with("chiral_chi_2")) return 0.3;
  if (name.starts_with("chiral_chi_3")) return 0.2;
  const double s = 2.0 * std::sin(3.14159265358979323846 / L), m = mass(T, r);
  const double k_2 = name == "chiral_zero" ? 0.0 : name == "chiral_kmin_parallel" ? s * s : 4.0 * s * s;
  return 1.0 / (m * m + k_2) / std::pow(L, 3) + 0.4;
}

FieldCurves curves(int L, const Config& config = field_config(), int realizations = 20) {
  Ensemble ensemble;
  ensemble.L = L;
  ensemble.temperatures = {0.5, 0.75, 1.0};
  ensemble.columns = testing::stored_names(3, 4, config.round.observables);
  for (int r = 0; r < realizations; ++r) {
    ensemble.realizations.push_back(static_cast<std::uint32_t>(r));
    for (const double T : ensemble.temperatures) {
      for (const std::string& name : ensemble.columns) {
        const double from_mean = r - 0.5 * (realizations - 1);
        ensemble.values.push_back(name.starts_with("chiral") ? chiral_bin(L, T, from_mean, name)
                                                             : field_bin(L, T, from_mean, name));
      }
    }
  }
  return make_field_curves(config, ensemble,
                           ResampledAverages(ensemble, {ResamplingKind::jackknife, std::max(2, realizations), 1}));
}

TEST(FieldCurves, ConnectedCorrelationsOfAFreePropagator) {
  const int L = 6;
  // one realization, so that averages are those of one propagator
  const FieldCurves c = curves(L, field_config(), 1);
  ASSERT_EQ(c.chi.size(), 5U);
  const std::vector<WaveVectors> k = wave_vectors(3);
  for (std::size_t t = 0; t < 3; ++t) {
    const double m = mass(c.overlap.temperatures[t], 0.0);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(c.chi[i].value[t] * (m * m + k[i].momentum_squared(L)), 1.0, 1e-10) << k[i].id;
    }
    EXPECT_NEAR(c.xi_over_L.value[t] * L * m, 1.0, 1e-9);
    EXPECT_NEAR(c.small_k.xi_over_L.value[t] * L * m, 1.0, 1e-9);
    EXPECT_NEAR(c.r_12.value[t], (m * m + k[2].momentum_squared(L)) / (m * m + k[1].momentum_squared(L)), 1e-10);
    EXPECT_NEAR(c.chi_1.value[t], 1.0 / (m * m) + 216.0 * offset, 1e-9);
    EXPECT_TRUE(std::isnan(c.xi_over_L.error(t))) << "one realization has no error";
  }
}

TEST(FieldCurves, ChiralityWhereItsTermsAreMeasured) {
  const int L = 6;
  EXPECT_TRUE(curves(L).xi_chiral_over_L.temperatures.empty());
  Config config = field_config();
  config.round.observables = chiral_response;
  const FieldCurves c = curves(L, config, 1);
  for (std::size_t t = 0; t < 3; ++t) {
    const double m = mass(c.overlap.temperatures[t], 0.0);
    EXPECT_NEAR(c.chi_chiral.value[t] * m * m, 1.0, 1e-9);
    EXPECT_NEAR(c.xi_chiral_over_L.value[t] * L * m, 1.0, 1e-9);
    EXPECT_NEAR(c.xi_chiral_perp_over_L.value[t] * L * m, 2.0, 1e-9);
  }
  const FieldCurves sizes[] = {curves(4, config), curves(6, config), curves(8, config)};
  const std::vector<SizeComparison> comparisons = search_transition(sizes);
  EXPECT_EQ(comparisons.size(), 15U);
  EXPECT_EQ(comparisons.back().observable, "xi_chiral_perp_field_over_L");
  EXPECT_EQ(comparisons.back().state, CrossingState::always_below);
  const std::optional<Section> section = field_section(config, sizes, comparisons);
  std::set<std::string> ids;
  for (const Item& item : section->items) std::visit([&](const auto& x) { ids.insert(x.id); }, item);
  for (const char* id : {"chi_cg_field", "xi_chiral_field_over_L", "xi_chiral_perp_field_over_L",
                         "difference_xi_chiral_field_over_L", "difference_xi_chiral_perp_field_over_L"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
}

TEST(FieldCurves, IdentitiesMagnetizationAndOverlap) {
  const FieldCurves c = curves(4);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_NEAR(c.identity_difference.value[t], 0.0, 1e-12);
    EXPECT_NEAR(c.field_identity_difference.value[t], 0.0, 1e-12);
    EXPECT_GT(c.field_identity_difference.error(t), 0.0);
    EXPECT_DOUBLE_EQ(c.overlap.value[t], 0.25);
    EXPECT_NEAR(c.magnetization.value[t], 0.2, 1e-12);
  }
  Config sphere = field_config();
  sphere.model.field = FieldKind::sphere;
  sphere.model.couplings = CouplingKind::bimodal;
  EXPECT_TRUE(curves(4, sphere).field_identity_difference.temperatures.empty());
  EXPECT_TRUE(curves(4, sphere).identity_difference.temperatures.empty());
}

TEST(FieldSection, ShowsEverythingWithUniqueIdsAndComparesEveryPair) {
  const FieldCurves sizes[] = {curves(4), curves(6), curves(8)};
  const std::optional<Section> section = field_section(field_config(), sizes, search_transition(sizes));
  ASSERT_TRUE(section);
  std::set<std::string> ids;
  const Table* crossings = nullptr;
  for (const Item& item : section->items) {
    std::visit(
        [&](const auto& x) {
          EXPECT_TRUE(ids.insert(x.id).second) << x.id;
          EXPECT_FALSE(x.caption.empty()) << x.id;
        },
        item);
    if (const Table* t = std::get_if<Table>(&item); t != nullptr && t->id == "field_crossings") crossings = t;
  }
  for (const char* id : {"chi_sg_field", "xi_field_over_L", "xi_field_small_k_over_L", "r_12_field", "field_identity",
                         "identity_in_field", "overlap_in_field", "magnetization_in_field", "inverse_chi_field_k",
                         "difference_xi_field_over_L", "difference_r_12_field", "small_k_fit"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  ASSERT_NE(crossings, nullptr);
  ASSERT_EQ(crossings->rows.size(), 10U);
  // A propagator of fixed mass has xi_L/L = 1/(m L): larger sizes lie lower at every temperature.
  EXPECT_EQ(crossings->rows[1][2], "no crossing");
  EXPECT_THAT(crossings->rows[1][3], HasSubstr("below zero at all 3 temperatures"));
  EXPECT_THAT(section->paragraphs[1], HasSubstr("of 9 comparisons"));
}

TEST(FieldSection, WithoutFourCopiesASentenceAndNoNumbers) {
  const std::optional<Section> section = field_section(field_config(2), {}, {});
  ASSERT_TRUE(section);
  ASSERT_EQ(section->paragraphs.size(), 1U);
  EXPECT_THAT(section->paragraphs[0], HasSubstr("need four copies"));
  EXPECT_TRUE(section->items.empty());
}

TEST(FieldSection, OneSizeNoDataAndNoField) {
  const FieldCurves one[] = {curves(4)};
  const std::optional<Section> section = field_section(field_config(), one, search_transition(one));
  ASSERT_TRUE(section);
  EXPECT_THAT(section->paragraphs[1], HasSubstr("One size only"));
  for (const Item& item : section->items) {
    if (const Table* t = std::get_if<Table>(&item)) {
      EXPECT_NE(t->id, "field_crossings");
    }
  }
  EXPECT_THAT(field_section(field_config(), {}, {})->paragraphs[0], HasSubstr("nothing to show"));
  EXPECT_FALSE(field_section(testing::fake_config(3, 4), one, {}));
}

TEST(FieldSection, OneRealizationIsShownWithoutErrors) {
  const FieldCurves sizes[] = {curves(4, field_config(), 1), curves(6, field_config(), 1)};
  const std::optional<Section> section = field_section(field_config(), sizes, search_transition(sizes));
  ASSERT_TRUE(section);
  for (const SizeComparison& c : search_transition(sizes)) EXPECT_EQ(c.state, CrossingState::no_data);
}

}}  // namespace glassworks
