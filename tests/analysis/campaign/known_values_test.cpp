#include "analysis/campaign/known_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace glassworks { namespace {

using ::testing::HasSubstr;

Config config_of(const std::string& text) {
  return parse_config("model.L = 8\ndisorder.realizations = 4\nladder.T_min = 1\nladder.T_max = 3\nladder.slots = 3\n" +
                      text);
}

double temperature_of(const std::string& text) {
  const std::vector<KnownTemperature> known = known_temperatures(config_of(text));
  return known.empty() ? 0.0 : known.front().T;
}

/// sinh(2/T) = 1 on the square lattice, exp(4/T) = 3 on the triangular one, q states: (exp(1/T) - 1)^2 = q.
TEST(KnownValues, ExactTransitionsSolveTheirEquations) {
  const std::string ferromagnet = "model.couplings = ferromagnet\nmodel.type = ";
  EXPECT_NEAR(std::sinh(2.0 / temperature_of(ferromagnet + "ising\nmodel.dim = 2\n")), 1.0, 1e-12);
  EXPECT_NEAR(std::exp(4.0 / temperature_of(ferromagnet + "ising\nmodel.lattice = triangular\n")), 3.0, 1e-12);
  const double T_3 = temperature_of(ferromagnet + "potts\nmodel.q = 3\nmodel.dim = 2\n");
  EXPECT_NEAR(std::pow(std::expm1(1.0 / T_3), 2), 3.0, 1e-12);
}

TEST(KnownValues, PublishedOnesOfTheGlassesInThreeDimensions) {
  EXPECT_EQ(temperature_of("model.type = ising\nmodel.couplings = bimodal\n"), 1.1019);
  EXPECT_EQ(temperature_of("model.type = ising\n"), 0.951);
}

TEST(KnownValues, NothingIsSaidOfOtherSystems) {
  EXPECT_EQ(temperature_of(""), 0.0) << "Heisenberg spins";
  EXPECT_EQ(temperature_of("model.type = ising\nmodel.couplings = bimodal\nmodel.dim = 2\n"), 0.0);
  EXPECT_EQ(temperature_of("model.type = ising\nmodel.couplings = ferromagnet\nmodel.dim = 2\nmodel.field = constant\n"
                           "model.field_strength = 0.1\n"),
            0.0);
  EXPECT_EQ(temperature_of("model.type = ising\nmodel.couplings = bimodal\nmodel.bond_dilution = 0.1\n"), 0.0);
}

/// configs/edwards-anderson/nishimori.cfg: T = 1.1530029, e = -3 (2 p - 1).
TEST(KnownValues, TheNishimoriLineHasItsEnergy) {
  Figure energy{.id = "energy", .x = {.label = "T"}, .y = {.label = "e"}};
  energy.series = {{.name = "L = 8", .x = {1.0, 2.0}, .y = {-2.0, -1.5}}};
  Figure other = energy;
  other.id = "acceptance";
  std::vector<Section> sections = {{"observables", "", {}, {energy, other}}};
  add_known_values(sections, config_of("model.type = ising\nmodel.couplings = bimodal\nmodel.bimodal_p = 0.85\n"));
  const Figure& drawn = std::get<Figure>(sections[0].items[0]);
  ASSERT_EQ(drawn.guides.size(), 1U);
  EXPECT_NEAR(drawn.guides[0].at, 1.1530029, 1e-7);
  ASSERT_EQ(drawn.series.size(), 2U);
  EXPECT_NEAR(drawn.series[1].y.at(0), -2.1, 1e-12);
  EXPECT_THAT(drawn.caption, HasSubstr("Nishimori"));
  EXPECT_TRUE(std::get<Figure>(sections[0].items[1]).guides.empty());
}

TEST(KnownValues, OutsideOfTheTemperaturesThereIsNoGuide) {
  Figure energy{.id = "energy", .x = {.label = "T"}};
  energy.series = {{.name = "L = 8", .x = {3.0, 4.0}, .y = {-1.0, -0.5}}};
  std::vector<Section> sections = {{"observables", "", {}, {energy}}};
  add_known_values(sections, config_of("model.type = ising\nmodel.couplings = ferromagnet\nmodel.dim = 2\n"));
  EXPECT_TRUE(std::get<Figure>(sections[0].items[0]).guides.empty());
}

}}  // namespace glassworks
