#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/ladder/ladder_guess.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

Config with_ladder(LadderKind kind, double T_min, double T_max, std::vector<int> slots) {
  Config config = parse_config(minimal_config);
  config.ladder = {kind, T_min, T_max, std::move(slots), {}, {}};
  return config;
}

TEST(Ladder, GeometricRatiosAreEqualAndTheEndsExact) {
  for (const int slots : {2, 3, 30, 233, 1024}) {
    const std::vector<double> T = ladder_temperatures(with_ladder(LadderKind::geometric, 0.1, 0.6, {slots}), 0);
    ASSERT_EQ(T.size(), static_cast<std::size_t>(slots));
    EXPECT_EQ(T.front(), 0.1);
    EXPECT_EQ(T.back(), 0.6);
    for (std::size_t i = 0; i < T.size(); ++i) {
      const double exact = 0.1 * std::pow(6.0, static_cast<double>(i) / (slots - 1));
      EXPECT_NEAR(T[i] / exact, 1.0, 1e-12) << slots << " " << i;
    }
  }
}

TEST(Ladder, LinearSteps) {
  const std::vector<double> T = ladder_temperatures(with_ladder(LadderKind::linear, 0.1, 0.6, {6}), 0);
  ASSERT_EQ(T.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(T[i], 0.1 * static_cast<double>(i + 1), 1e-15);
  EXPECT_EQ(T.back(), 0.6);
}

TEST(Ladder, SlotsPerSize) {
  const Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {5, 9});
  EXPECT_EQ(ladder_temperatures(config, 0).size(), 5U);
  EXPECT_EQ(ladder_temperatures(config, 1).size(), 9U);
}

/// Numbers of slots for T from 0.1 to 0.6, from measured acceptances.
TEST(AutomaticSlots, TableForTheSpinGlass) {
  const std::vector<std::pair<int, int>> table = {{8, 30}, {12, 54}, {16, 83}, {24, 152}, {32, 233}};
  for (const auto& [L, slots] : table) EXPECT_EQ(automatic_slots({3, L}, 0.1, 0.6), slots) << L;
  EXPECT_NEAR(automatic_slots({3, 48}, 0.1, 0.6), 427, 1);
}

TEST(AutomaticSlots, AcceptanceIsTheTarget) {
  const Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {});
  for (const int L : {8, 16, 32}) {
    Config one = config;
    one.model.L = {L};
    const std::vector<double> T = ladder_temperatures(one, 0);
    const double acceptance = std::erfc(0.5 * std::log(T[1] / T[0]) * std::sqrt(1.1 * L * L * L));
    EXPECT_NEAR(acceptance, 0.3, 0.02) << L;
  }
}

/// The number of spacings against the integral of sqrt(c N) / T by the trapezoidal rule, c = 1.1 min(1, (0.6/T)^2).
TEST(AutomaticSlots, IntegralAcrossThePlateauEnd) {
  for (const auto& [T_min, T_max] : {std::pair{0.1, 0.6}, {0.2, 1.5}, {0.8, 4.0}}) {
    const int n = 200'000;
    double integral = 0.0;
    for (int i = 0; i < n; ++i) {
      const double T = T_min + (T_max - T_min) * (i + 0.5) / n;
      integral += std::sqrt(1.1) * std::min(1.0, 0.6 / T) / T * (T_max - T_min) / n;
    }
    const double spacing = 2.0 * 0.7328690779592169;
    EXPECT_NEAR(std::erfc(spacing / 2.0), 0.3, 1e-14);
    EXPECT_EQ(automatic_slots({3, 16}, T_min, T_max), std::lround(64.0 * integral / spacing) + 1) << T_max;
  }
}

ModelConfig other_model(ModelKind kind, int dim, CouplingKind couplings) {
  ModelConfig model;
  model.spins.kind = kind;
  model.dim = dim;
  model.couplings = couplings;
  return model;
}

/// Energy per site of the Ising model on the square lattice: Onsager, with the complete elliptic integral by the
/// arithmetic-geometric mean.
double onsager_energy(double T) {
  const double K = 1.0 / T, k = 2.0 * std::sinh(2.0 * K) / (std::cosh(2.0 * K) * std::cosh(2.0 * K));
  double a = 1.0, g = std::sqrt(std::max(1.0 - k * k, 1e-30));
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g);
    a = mean;
  }
  const double elliptic = 0.5 * std::numbers::pi / a, tanh = std::tanh(2.0 * K);
  return -(1.0 + 2.0 / std::numbers::pi * (2.0 * tanh * tanh - 1.0) * elliptic) / tanh;
}

/// The number of spacings, the integral of sqrt(c N)/T, with Onsager's specific heat: never above the bound, and not
/// far below it where the ladder spans the transition.
TEST(MostAutomaticSlots, BoundTheExactNumberOfTheIsingSquareLattice) {
  for (const auto& [T_min, T_max] : {std::pair{1.0, 4.0}, {1.5, 3.0}, {2.0, 2.6}}) {
    const int n = 20'000;
    const double step = (T_max - T_min) / n;
    double integral = 0.0;
    for (int i = 0; i < n; ++i) {
      const double T = T_min + step * (i + 0.5),
                   c = (onsager_energy(T + 0.5 * step) - onsager_energy(T - 0.5 * step)) / step;
      integral += std::sqrt(c) / T * step;
    }
    const double exact = 64.0 * integral / (2.0 * 0.7328690779592169) + 1.0;
    const int slots =
        most_automatic_slots(other_model(ModelKind::ising, 2, CouplingKind::ferromagnet), 64, T_min, T_max);
    EXPECT_GE(slots, exact) << T_max;
    EXPECT_LE(slots, 1.6 * exact) << T_max;
  }
}

/// sqrt(N x) / 1.4657 + 1, x the smaller of S ln(T_max/T_min) and E (1/T_min - 1/T_max).
TEST(MostAutomaticSlots, KnowsEveryModel) {
  const auto slots = [](double x) { return std::lround(std::sqrt(512.0 * x) / (2.0 * 0.7328690779592169)) + 1; };
  const auto cube = [](const ModelConfig& model, double T_max) { return most_automatic_slots(model, 8, 0.5, T_max); };
  const double log_4 = std::log(4.0);
  EXPECT_EQ(cube(other_model(ModelKind::ising, 3, CouplingKind::file), 2.0), slots(std::log(2.0) * log_4));
  EXPECT_EQ(cube(other_model(ModelKind::ising, 3, CouplingKind::bimodal), 2.0), slots(std::log(2.0) * log_4));
  ModelConfig potts = other_model(ModelKind::potts, 3, CouplingKind::ferromagnet);
  potts.spins.states = 10;
  EXPECT_EQ(cube(potts, 2.0), slots(std::log(10.0) * log_4));
  EXPECT_EQ(cube(potts, 0.55), slots(std::log(10.0) * std::log(1.1)));
  potts.dim = 1;  // few bonds: the energy is the smaller bound
  EXPECT_EQ(most_automatic_slots(potts, 512, 0.5, 2.0), slots(0.9 * 1.5));
  EXPECT_EQ(cube(other_model(ModelKind::on, 3, CouplingKind::ferromagnet), 2.0), slots(3.0 * 1.5));
  EXPECT_EQ(cube(other_model(ModelKind::on, 3, CouplingKind::gaussian), 2.0), slots(3.0 * 0.7978845608028654 * 1.5));
  ModelConfig spin_1 = other_model(ModelKind::blume_capel, 3, CouplingKind::bimodal);
  EXPECT_EQ(cube(spin_1, 2.0), slots(std::log(3.0) * log_4));
  spin_1.spins.crystal_field = -1.5;  // a third of it above the mean energy of independent spins
  spin_1.dim = 1;
  EXPECT_EQ(most_automatic_slots(spin_1, 512, 5.0, 20.0), slots((1.0 + 0.5) * (1.0 / 5.0 - 1.0 / 20.0)));
  ModelConfig phi4 = other_model(ModelKind::phi4, 3, CouplingKind::ferromagnet);
  phi4.spins.lambda = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cube(phi4, 2.0), slots(3.0 * 1.5));
  phi4.spins.lambda = 1.0;
  EXPECT_THROW(cube(phi4, 2.0), InputError);
  EXPECT_THROW(cube(other_model(ModelKind::on, 3, CouplingKind::file), 2.0), InputError);
}

TEST(AutomaticSlots, Limits) {
  EXPECT_EQ(automatic_slots({3, 4}, 0.5, 0.5001), 2);
  EXPECT_THROW(static_cast<void>(automatic_slots({3, 128}, 0.1, 0.6)), InputError);
}

TEST(ChainBuilder, TakesEverythingFromTheConfiguration) {
  Config config = with_ladder(LadderKind::geometric, 0.1, 0.6, {5, 7});
  config.campaign.seed = 42;
  config.replicas.copies = 4;
  config.round.measurements_per_round = {17};
  config.protocol.heatbath = 3;
  const Chain chain = make_chain(config, 1);
  EXPECT_EQ(chain.lattice, (Lattice{3, 6}));
  EXPECT_EQ(chain.copies, 4);
  EXPECT_EQ(chain.slots(), 7);
  EXPECT_EQ(chain.beta.front(), 10.0F);
  EXPECT_EQ(chain.beta.back(), static_cast<float>(1.0 / 0.6));
  EXPECT_TRUE(std::is_sorted(chain.beta.rbegin(), chain.beta.rend()));
  EXPECT_EQ(chain.protocol, config.protocol);
  EXPECT_EQ(chain.measurements, 17);
  EXPECT_EQ(chain.key, size_key(42, 3, 6));
}

TEST(ChainBuilder, ATileAsLargeAsTheLatticeIsNoTile) {
  Config config = parse_config(minimal_config);
  config.model.L = {4, 8};
  config.protocol.tile = 4;
  config.protocol.tile_repeats = 3;
  config.protocol.sweeps_per_exchange = 2;
  const Protocol whole = make_chain(config, 0).protocol, tiles = make_chain(config, 1).protocol;
  EXPECT_EQ(whole.tile, 0);
  EXPECT_EQ(whole.tile_repeats, 1);
  EXPECT_EQ(whole.sweeps_per_exchange, 6);
  EXPECT_EQ(tiles, config.protocol);
}

}}  // namespace glassworks
