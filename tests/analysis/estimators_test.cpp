#include "analysis/observables/estimators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

/// Values of all estimators for given averages; everything else is 0.
std::map<std::string, double> evaluate(const Config& config, int L, double beta,
                                       const std::map<std::string, double>& averages,
                                       const std::map<Columns::Added, double>& added = {}) {
  const Columns columns(testing::stored_names(config.model.dim, config.replicas.copies, config.round.observables),
                        config.model.dim);
  std::vector<double> x(columns.size(), 0.0);
  for (const auto& [name, value] : averages) x[columns[name]] = value;
  for (const auto& [column, value] : added) x[columns[column]] = value;
  std::map<std::string, double> values;
  for (const Estimator& e : make_estimators(config, L, columns)) values[e.name] = e.value(x, beta);
  return values;
}

// chi(k) = A / (m^2 + 4 sum_a sin^2(k_a/2)) has xi = 1/m exactly, for every L.
TEST(Estimators, CorrelationLengthOfALatticePropagatorIsItsInverseMass) {
  for (const int L : {2, 4, 6, 32}) {
    for (const double mass : {0.05, 0.7, 3.0}) {
      const double s = 2.0 * std::sin(std::numbers::pi / L);
      const double zero = 5.0 / (mass * mass), kmin = 5.0 / (mass * mass + s * s);
      EXPECT_NEAR(correlation_length(zero, kmin, L) * mass, 1.0, 1e-10);
      const auto v = evaluate(testing::fake_config(), L, 1.0,
                              {{"overlap_k(0,0,0)", zero},
                               {"overlap_k(1,0,0)", kmin * 1.5},  // only their average counts
                               {"overlap_k(0,1,0)", kmin * 0.5},
                               {"overlap_k(0,0,1)", kmin},
                               {"chiral_zero", zero},
                               {"chiral_kmin_parallel", kmin},
                               {"chiral_kmin_perpendicular", 5.0 / (mass * mass + 4.0 * s * s)}});
      EXPECT_NEAR(v.at("xi_over_L") * mass * L, 1.0, 1e-10);
      EXPECT_NEAR(v.at("xi_chiral_over_L") * mass * L, 1.0, 1e-10);
      EXPECT_NEAR(v.at("xi_chiral_perp_over_L") * mass * L, 2.0, 1e-10);
    }
  }
}

TEST(Estimators, CorrelationLengthIsNotANumberWhereItHasNoMeaning) {
  EXPECT_EQ(correlation_length(2.0, 2.0, 4), 0.0);
  EXPECT_TRUE(std::isnan(correlation_length(1.9, 2.0, 4)));
  EXPECT_TRUE(std::isnan(correlation_length(-2.0, -1.0, 4)));
  EXPECT_TRUE(std::isnan(correlation_length(-1.0, -2.0, 4)));
  EXPECT_TRUE(std::isnan(correlation_length(1.0, 0.0, 4)));
}

// A Gaussian of n components: [q^4] = n (n + 2) s^4, [q^2] = n s^2. A fixed modulus: [q^4] = [q^2]^2.
TEST(Estimators, BinderCumulantIsZeroForAGaussianAndOneForAFixedModulus) {
  for (const int n : {1, 3, 9}) {
    EXPECT_NEAR(binder_cumulant(n * 0.3, n * (n + 2) * 0.09, n), 0.0, 1e-14);
    EXPECT_NEAR(binder_cumulant(0.3, 0.09, n), 1.0, 1e-14);
  }
  EXPECT_TRUE(std::isnan(binder_cumulant(0.0, 0.0, 9)));
  const auto v = evaluate(testing::fake_config(), 4, 1.0,
                          {{"overlap_2", 0.5},
                           {"overlap_4", 0.26},
                           {"chiral_zero", 0.1},
                           {"chiral_4", 0.02},
                           {"magnetization_2", 0.2},
                           {"magnetization_4", 0.06}});
  EXPECT_NEAR(v.at("q4_over_q2sq"), 1.04, 1e-14);
  EXPECT_NEAR(v.at("binder"), 0.5 * (11.0 - 9.0 * 1.04), 1e-14);
  EXPECT_NEAR(v.at("chiral_q4_over_q2sq"), 2.0, 1e-14);
  EXPECT_NEAR(v.at("chiral_binder"), 0.5, 1e-14);
  EXPECT_NEAR(v.at("magnetization_binder"), 0.5 * (5.0 - 3.0 * 1.5), 1e-14);
  EXPECT_NEAR(v.at("chi_m"), 64.0 * 0.2, 1e-14);
}

TEST(Estimators, SusceptibilitiesAndSpecificHeatCarryTheNumberOfSites) {
  const auto v = evaluate(testing::fake_config(2), 6, 4.0,
                          {{"energy", -1.5},
                           {"energy_squared", 2.3},
                           {"overlap_k(0,0)", 0.25},
                           {"overlap_k(1,1)", 0.125},
                           {"overlap_k(2,0)", 0.5},
                           {"chiral_zero", 0.75}},
                          {{Columns::energy_product, 2.25}});
  EXPECT_DOUBLE_EQ(v.at("energy"), -1.5);
  EXPECT_NEAR(v.at("specific_heat"), 16.0 * 36.0 * 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(v.at("chi_sg"), 9.0);
  EXPECT_DOUBLE_EQ(v.at("chi_sg_110"), 4.5);
  EXPECT_DOUBLE_EQ(v.at("chi_sg_2kmin"), 9.0);  // (0.5 + 0)/2
  EXPECT_DOUBLE_EQ(v.at("chi_cg"), 27.0);
}

TEST(Estimators, BondIdentityVanishesWhereItHoldsAndExistsForGaussianCouplingsOnly) {
  Config config = testing::fake_config(3);
  const double beta = 2.5, q_s = 0.55, q_l = 0.35;
  const double U = -3.0 * beta * (q_s - q_l);
  const auto v = evaluate(config, 4, beta, {{"bond_energy", U + 0.01}, {"q_s", q_s}, {"link_overlap", q_l}});
  EXPECT_NEAR(v.at("identity_difference"), 0.01, 1e-14);
  config.model.couplings = CouplingKind::bimodal;
  EXPECT_FALSE(evaluate(config, 4, beta, {}).contains("identity_difference"));
}

TEST(Estimators, FieldIdentityVanishesWhereItHoldsAndExistsForGaussianFieldsOnly) {
  Config config = testing::fake_config(3);
  EXPECT_FALSE(evaluate(config, 4, 1.0, {}).contains("field_energy"));
  config.model.field = FieldKind::gaussian;
  config.model.field_strength = 0.5;
  const auto v = evaluate(config, 4, 2.0, {{"field_energy", -2.0 * 0.25 * (1.0 - 0.6) + 0.02}, {"overlap", 0.6}});
  EXPECT_NEAR(v.at("field_identity_difference"), 0.02, 1e-14);
  config.model.field = FieldKind::sphere;
  const auto sphere = evaluate(config, 4, 2.0, {{"field_energy", -0.2}});
  EXPECT_TRUE(sphere.contains("field_energy"));
  EXPECT_FALSE(sphere.contains("field_identity_difference"));
}

TEST(Estimators, AcceptanceAndWalkAreRatiosOfTotals) {
  const auto v = evaluate(
      testing::fake_config(), 4, 1.0, {},
      {{Columns::attempts, 8.0}, {Columns::accepted, 2.0}, {Columns::walkers_up, 3.0}, {Columns::walkers_down, 9.0}});
  EXPECT_DOUBLE_EQ(v.at("acceptance"), 0.25);
  EXPECT_DOUBLE_EQ(v.at("walk_up_fraction"), 0.25);
  EXPECT_TRUE(std::isnan(evaluate(testing::fake_config(), 4, 1.0, {}).at("acceptance")));
}

TEST(Estimators, FourCopiesGiveTheConnectedSusceptibility) {
  const double mass = 0.4, s = 2.0 * std::sin(std::numbers::pi / 6.0);
  const double zero = 1.0 / (mass * mass), kmin = 1.0 / (mass * mass + s * s);
  std::map<std::string, double> averages = {{"chi_1(0,0,0)", zero + 0.7}, {"chi_2(0,0,0)", 0.5}, {"chi_3(0,0,0)", 0.3}};
  for (const char* k : {"(1,0,0)", "(0,1,0)", "(0,0,1)"}) {
    averages[std::string("chi_1") + k] = kmin + 0.07;
    averages[std::string("chi_2") + k] = 0.05;
    averages[std::string("chi_3") + k] = 0.03;
  }
  const auto v = evaluate(testing::fake_config(3, 4), 6, 1.0, averages);
  EXPECT_NEAR(v.at("chi_sg_field"), 216.0 * zero, 1e-10);
  EXPECT_NEAR(v.at("chi_sg_field_kmin"), 216.0 * kmin, 1e-10);
  EXPECT_NEAR(v.at("chi_2"), 108.0, 1e-10);
  EXPECT_NEAR(v.at("xi_field_over_L") * 6.0 * mass, 1.0, 1e-10);
  EXPECT_FALSE(evaluate(testing::fake_config(3, 2), 6, 1.0, {}).contains("chi_1"));
}

TEST(Estimators, FourCopiesGiveTheConnectedSusceptibilityAtOtherWaveVectors) {
  const auto v = evaluate(testing::fake_config(3, 4), 4, 1.0,
                          {{"chi_1(2,0,0)", 0.9},
                           {"chi_2(0,2,0)", 0.3},
                           {"chi_3(0,0,2)", 0.6},
                           {"chi_1(1,1,0)", 0.3},
                           {"chi_3(0,1,1)", 0.6},
                           {"chi_1(1,1,1)", 0.5},
                           {"chi_2(1,1,1)", 0.125}});
  EXPECT_NEAR(v.at("chi_sg_field_2kmin"), 64.0 * (0.3 - 0.2 + 0.2), 1e-12);
  EXPECT_NEAR(v.at("chi_sg_field_110"), 64.0 * 0.3, 1e-12);
  EXPECT_NEAR(v.at("chi_sg_field_111"), 64.0 * 0.25, 1e-12);
}

TEST(Estimators, FourCopiesGiveTheConnectedSusceptibilityOfTheChirality) {
  const double mass = 0.4, s = 2.0 * std::sin(std::numbers::pi / 6.0);
  const double zero = 1.0 / (mass * mass), along = 1.0 / (mass * mass + s * s),
               across = 1.0 / (mass * mass + 4.0 * s * s);
  Config config = testing::fake_config(3, 4);
  config.model.field = FieldKind::sphere;
  const std::map<std::string, double> means = {
      {"chiral_zero", zero + 0.7}, {"chiral_kmin_parallel", along + 0.07}, {"chiral_kmin_perpendicular", across + 0.1}};
  EXPECT_FALSE(evaluate(config, 6, 1.0, means).contains("chi_cg_field")) << "not measured";
  config.round.observables = chiral_response;
  std::map<std::string, double> averages = means;
  averages.insert({{"chiral_chi_2_zero", 0.5},
                   {"chiral_chi_3_zero", 0.3},
                   {"chiral_chi_2_kmin_parallel", 0.05},
                   {"chiral_chi_3_kmin_parallel", 0.03},
                   {"chiral_chi_2_kmin_perpendicular", 0.1},
                   {"chiral_chi_3_kmin_perpendicular", 0.1}});
  const auto v = evaluate(config, 6, 1.0, averages);
  EXPECT_NEAR(v.at("chi_cg_field"), 216.0 * zero, 1e-10);
  EXPECT_NEAR(v.at("chi_cg_field_kmin"), 216.0 * along, 1e-10);
  EXPECT_NEAR(v.at("chi_cg_field_kmin_perp"), 216.0 * across, 1e-10);
  EXPECT_NEAR(v.at("xi_chiral_field_over_L") * 6.0 * mass, 1.0, 1e-10);
  EXPECT_NEAR(v.at("xi_chiral_perp_field_over_L") * 6.0 * mass, 2.0, 1e-10);
  EXPECT_FALSE(v.contains("xi_chiral_over_L")) << "random fields give the chirality a mean";
}

TEST(Estimators, ChiralityOfEachAxis) {
  Config config = testing::fake_config(2);
  config.round.observables = chiral_axes;
  const auto v = evaluate(
      config, 6, 1.0, {{"chiral_zero_y", 0.5}, {"chiral_kmin_parallel_y", 0.25}, {"chiral_kmin_perpendicular_y", 0.1}});
  EXPECT_NEAR(v.at("chi_cg_y"), 18.0, 1e-12);
  EXPECT_NEAR(v.at("chi_cg_x"), 0.0, 1e-12);
  EXPECT_NEAR(v.at("xi_chiral_y_over_L"), correlation_length(0.5, 0.25, 6) / 6.0, 1e-12);
  EXPECT_NEAR(v.at("xi_chiral_perp_y_over_L"), correlation_length(0.5, 0.1, 6) / 6.0, 1e-12);
  EXPECT_FALSE(v.contains("chi_cg_z"));
}

TEST(Estimators, MagnetizationAlongAConstantField) {
  Config config = testing::fake_config(3);
  config.model.field = FieldKind::constant;
  config.model.field_strength = 2.0;
  const std::map<std::string, double> m = {
      {"magnetization_x", 0.1}, {"magnetization_y", 0.2}, {"magnetization_z", -0.4}};
  EXPECT_NEAR(evaluate(config, 4, 1.0, m).at("magnetization_along_field"), -0.4, 1e-12);
  config.model.field_direction = {3.0, 4.0, 0.0};
  EXPECT_NEAR(evaluate(config, 4, 1.0, m).at("magnetization_along_field"), 0.06 + 0.16, 1e-12);
  config.model.field = FieldKind::sphere;
  EXPECT_FALSE(evaluate(config, 4, 1.0, m).contains("magnetization_along_field"));
}

TEST(Estimators, HaveOneNameEachInEveryDimension) {
  for (int dim = 1; dim <= 4; ++dim) {
    for (const int copies : {2, 4}) {
      Config config = testing::fake_config(dim, copies);
      config.round.observables = chiral_axes | (copies == 4 ? chiral_response : 0);
      const Columns columns(testing::stored_names(dim, copies, config.round.observables), dim);
      std::set<std::string> names;
      for (const Estimator& e : make_estimators(config, 4, columns)) {
        EXPECT_TRUE(names.insert(e.name).second) << e.name;
      }
      for (const char* name : {"energy", "specific_heat", "chi_sg", "xi_over_L", "xi_chiral_over_L", "binder",
                               "link_overlap", "identity_difference", "acceptance"}) {
        EXPECT_TRUE(names.contains(name)) << name;
      }
      EXPECT_EQ(names.contains("xi_chiral_perp_over_L"), dim > 1);
    }
  }
}

}}  // namespace glassworks
