#include "kernels/core/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/kernels/support.hpp"

/// What measurements need beside sums over sites: wave vectors, their phases, and the walk through the ladder.
namespace glassworks { namespace {

TEST(Modes, CountsAndPlanes) {
  const int modes[] = {0, 3, 6, 11, 19}, directions[] = {0, 1, 3, 7, 14};
  for (int dim = 1; dim <= Lattice::max_dim; ++dim) {
    EXPECT_EQ(Modes(dim).size(), modes[dim]);
    EXPECT_EQ(Modes(dim).directions(), directions[dim]);
    const Lattice lattice{dim, 6};
    for (int d = 0; d < Modes(dim).directions(); ++d) {
      std::vector<int> sites(6, 0);
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        ++sites[static_cast<std::size_t>(Modes(dim).plane(d, lattice, lattice.coordinates(i)))];
      }
      EXPECT_EQ(sites, std::vector<int>(6, static_cast<int>(lattice.sites() / 6)));
    }
  }
}

TEST(PhaseTable, AgreesWithLongDouble) {
  double worst = 0.0;
  for (int n = 1; n <= 700; ++n) {
    const PhaseTable table(n);
    ASSERT_EQ(table.cosine.size(), static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      const long double angle = 2.0L * std::numbers::pi_v<long double> * j / n;
      const auto c = static_cast<long double>(table.cosine[static_cast<std::size_t>(j)]);
      const auto s = static_cast<long double>(table.sine[static_cast<std::size_t>(j)]);
      worst = std::max({worst, static_cast<double>(std::abs(c - std::cos(angle))),
                        static_cast<double>(std::abs(s - std::sin(angle)))});
    }
  }
  EXPECT_LT(worst, 4e-16);
  const PhaseTable quarter(8);
  EXPECT_EQ(quarter.cosine[2], 0.0);
  EXPECT_EQ(quarter.sine[4], 0.0);
  EXPECT_EQ(quarter.cosine[4], -1.0);
  EXPECT_EQ(quarter.sine[6], -1.0);
}

/// Means over the ladder of the temperature walk as it stands after one exchange step.
TEST(Walk, CountsAndTestFunctions) {
  const Chain chain =
      test::make_chain({1, 4}, 2, test::geometric_betas(4, 0.5, 2.0), {0, 1, 1, 1, ExchangeSchedule::even_odd, 0}, 5);
  const Disorder disorder = test::gaussian_disorder(chain.lattice, 139);
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  ChainState state = initial_state(chain, 0);
  Chain one = chain;
  one.measurements = 1;
  ChainState stepwise = state;
  std::vector<double> mean(8 * walk_functions, 0.0);
  std::vector<std::uint32_t> up(4, 0), down(4, 0);
  for (int m = 0; m < 5; ++m) {
    test::run_one_round(*backend, one, disorder, 0, stepwise);
    for (std::size_t r = 0; r < 8; ++r) {
      const std::size_t slot = stepwise.slot[r];
      const double x = (static_cast<double>(slot) + 0.5) / 4.0;
      mean[r * walk_functions] += (2.0 * x - 1.0) / 5.0;
      mean[r * walk_functions + 1] += (x < 0.5 ? -1.0 : 1.0) / 5.0;
      mean[r * walk_functions + 2] += std::cos(2.0 * std::numbers::pi * x) / 5.0;
      if (stepwise.heading[r] > 0) ++up[slot];
      if (stepwise.heading[r] < 0) ++down[slot];
    }
  }
  const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(record.walk_mean[i], mean[i], 1e-15);
  EXPECT_EQ(record.walk_up, up);
  EXPECT_EQ(record.walk_down, down);
}

}}  // namespace glassworks
