#include <gtest/gtest.h>

#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "tests/enough.hpp"
#include "tests/kernels/exact_states.hpp"

/// Exact invariance: independent samples of the Gibbs distribution, a few steps of an update, and the distribution must
/// be the same as before. Every bond and slot gives a number that is exactly uniform in equilibrium; the numbers are
/// independent, so the Kolmogorov-Smirnov test applies at its own level: false-alarm probability 6.3e-5 for each
/// comparison, and as much for each 4-sigma mean.
namespace glassworks { namespace {

using test::Tree;

void expect_uniform(const std::vector<double>& u, const std::string& what) {
  const auto n = static_cast<double>(u.size());
  test::Mean first, second;
  for (const double x : u) {
    first.add(x);
    second.add(x * x);
  }
  EXPECT_LT(test::ks_statistic(u), test::ks_limit) << what;
  EXPECT_NEAR(first.mean(), 0.5, 4.0 * std::sqrt(1.0 / 12.0 / n)) << what;
  EXPECT_NEAR(second.mean(), 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / n)) << what;
}

class StatisticsInvariance : public ::testing::Test {
 protected:
  /// A ladder from strongly to weakly correlated spins.
  Chain chain(const Lattice& lattice, const Protocol& protocol, double T_min = 0.15) const {
    return test::make_chain(lattice, 2, test::geometric_betas(8, T_min, 10.0 * T_min), protocol, 1);
  }

  /// `trials` independent ladders through one round of the backend.
  void run_rounds(const Chain& chain, const Tree& tree, int trials, const std::string& what) {
    test::Source source(61);
    const auto backend = test::fast_backend();
    std::vector<double> u;
    for (int trial = 0; trial < trials; ++trial) {
      ChainState state = test::exact_state(chain, tree, source);
      test::run_one_round(*backend, chain, tree.disorder, static_cast<std::uint32_t>(trial), state);
      test::add_bond_probabilities(chain, tree, state, u);
    }
    expect_uniform(u, what);
  }

  /// The same without exchanges: `steps` sweeps of one bundle.
  void run_sweeps(const Chain& chain, const Tree& tree, int trials, int steps, const std::string& what) {
    test::Source source(67);
    const CpuLattice lattice(chain.lattice);
    const SweepPlan plan{&kernels_of(available_instruction_sets().back()), &lattice, nullptr, 1};
    std::vector<double> u;
    std::vector<std::int64_t> energy(static_cast<std::size_t>(chain.replicas()));
    for (int trial = 0; trial < trials; ++trial) {
      ChainState state = test::exact_state(chain, tree, source);
      CpuBundle bundle(chain, tree.disorder, static_cast<std::uint32_t>(trial), 0);
      bundle.load(state);
      for (int step = 0; step < steps; ++step) {
        bundle.sweep(plan, static_cast<std::uint64_t>(step), state.slot.data(), energy.data());
      }
      bundle.store(state);
      test::add_bond_probabilities(chain, tree, state, u);
    }
    expect_uniform(u, what);
  }

  const Lattice chain_1d{1, 8}, lattice_3d{3, 4};
};

/// The test itself: independent samples are uniform, and a temperature that is wrong by 4 percent is seen.
TEST_F(StatisticsInvariance, SamplesAreExactAndTheTestHasPower) {
  const Chain c = chain(lattice_3d, {});
  const Tree tree = test::random_tree(lattice_3d, 71);
  Chain colder = c;
  for (float& beta : colder.beta) beta *= 1.04F;
  test::Source source(73);
  std::vector<double> exact, shifted;
  for (int trial = 0; trial < 1000; ++trial) {
    const ChainState state = test::exact_state(c, tree, source);
    test::add_bond_probabilities(c, tree, state, exact);
    test::add_bond_probabilities(colder, tree, state, shifted);
  }
  expect_uniform(exact, "independent samples");
  EXPECT_GT(test::ks_statistic(shifted), test::ks_limit);
}

/// Colder, and with more samples: sees a bias of 1 percent in 1 - cos.
TEST_F(StatisticsInvariance, HeatBath) {
  const Protocol heat_bath{0, 1, 1, 1, ExchangeSchedule::even_odd, 0};
  run_sweeps(chain(lattice_3d, heat_bath, 0.05), test::random_tree(lattice_3d, 71), test::enough(1000, 3000), 4,
             "heat bath, d = 3");
  run_sweeps(chain(chain_1d, heat_bath, 0.05), test::random_tree(chain_1d, 79), test::enough(6000, 20000), 4,
             "heat bath, d = 1");
}

TEST_F(StatisticsInvariance, OverRelaxation) {
  const Protocol over_relaxation{5, 0, 1, 1, ExchangeSchedule::even_odd, 0};
  run_sweeps(chain(lattice_3d, over_relaxation), test::random_tree(lattice_3d, 71), 1500, 2, "over-relaxation, d = 3");
  run_sweeps(chain(chain_1d, over_relaxation), test::random_tree(chain_1d, 79), 8000, 2, "over-relaxation, d = 1");
}

/// No sweeps: configurations stay, temperatures move.
TEST_F(StatisticsInvariance, Exchange) {
  for (const ExchangeSchedule schedule : {ExchangeSchedule::sequential, ExchangeSchedule::even_odd}) {
    const Protocol exchange{0, 0, 1, 6, schedule, 0};
    run_rounds(chain(chain_1d, exchange), test::random_tree(chain_1d, 79), 8000, "exchange");
  }
}

TEST_F(StatisticsInvariance, WholeSteps) {
  run_rounds(chain(lattice_3d, {2, 1, 1, 4, ExchangeSchedule::even_odd, 0}), test::random_tree(lattice_3d, 71), 1500,
             "steps, d = 3");
  run_rounds(chain(chain_1d, {2, 2, 1, 3, ExchangeSchedule::sequential, 2, 2}), test::random_tree(chain_1d, 79), 6000,
             "steps of tiles, d = 1");
}

}}  // namespace glassworks
