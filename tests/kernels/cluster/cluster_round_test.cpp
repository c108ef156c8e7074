#include <gtest/gtest.h>

#include "kernels/rounds/copy_pairs.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using test::O;

Chain ising_chain(const Lattice& lattice, ProtocolKind kind, int sweeps, int heatbath = 0) {
  Protocol p = test::protocol_of(kind, sweeps, heatbath);
  p.seed_tile = 2;
  return test::cluster_chain(test::ising(), lattice, 1, {0.5F}, p, 2);
}

TEST(ClusterRound, RefusesWhatCannotBe) {
  const Chain good = ising_chain({2, 8}, ProtocolKind::few_cluster, 1);
  EXPECT_EQ(problem_of(good), "");
  const auto checking = [&](const std::function<void(Chain&)>& change) {
    Chain chain = good;
    change(chain);
    return outcome_of([&] { check_batch(BackendKind::reference, chain, {}); });
  };
  EXPECT_THAT(checking([](Chain& c) { c.model = test::potts(21); }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.model = test::on(1); }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.model = test::phi4(-1.0); }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.model = test::phi4(1.0); }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.lattice.L = 7; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.cluster_sweeps = 0; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.seed_tile = 3; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.p_flip = 1.0; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.isoenergetic = 1; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.isoenergetic_T_max = 1e-3; }), Fails());
  EXPECT_THAT(checking([](Chain& c) { c.protocol.tile_repeats = 2; }), Fails());

  const Chain potts =
      test::cluster_chain(test::potts(3), {2, 4}, 1, {1.0F}, test::protocol_of(ProtocolKind::swendsen_wang, 1), 1);
  const auto couplings = [](const Chain& c, const Disorder& d) {
    return outcome_of([&] { check_cluster_couplings(c, d); });
  };
  EXPECT_THAT(couplings(potts, test::bimodal({2, 4}, 1)), Fails());
  EXPECT_THAT(couplings(good, test::gaussian_disorder({2, 8}, 1, 0.5)), Fails());
}

TEST(ClusterRound, AnAbandonedRoundLeavesTheTaskAlone) {
  const Chain chain = ising_chain({2, 8}, ProtocolKind::swendsen_wang, 1);
  const Disorder disorder = test::pure(chain.lattice);
  ChainState state = initial_state(chain, 0);
  const ChainState before = state;
  RoundRecord record;
  const RoundTask task{0, &disorder, &state, &record};
  RoundControl control;
  control.stop = true;
  EXPECT_EQ(test::fast_backend()->run_round(chain, {&task, 1}, control), RoundOutcome::abandoned);
  EXPECT_EQ(state, before);
  EXPECT_TRUE(record.mean.empty());
  control.stop = false;
  EXPECT_EQ(test::fast_backend()->run_round(chain, {&task, 1}, control), RoundOutcome::finished);
  EXPECT_EQ(static_cast<double>(control.updates), chain.updates_per_round());
  EXPECT_EQ(state.steps, 2U);
}

/// Two rounds are one round of twice the length, and a batch is its realizations one by one.
TEST(ClusterRound, RoundsAndBatchesDoNotMatter) {
  Chain chain = ising_chain({2, 8}, ProtocolKind::swendsen_wang, 2, 1);
  const Disorder disorder = test::pure(chain.lattice);
  const auto backend = test::fast_backend();
  ChainState twice = initial_state(chain, 3), once = twice;
  test::run_one_round(*backend, chain, disorder, 3, twice);
  test::run_one_round(*backend, chain, disorder, 3, twice);
  Chain longer = chain;
  longer.measurements = 4;
  test::run_one_round(*backend, longer, disorder, 3, once);
  EXPECT_EQ(once, twice);

  std::vector<ChainState> states{initial_state(longer, 2), initial_state(longer, 3), initial_state(longer, 4)};
  std::vector<RoundRecord> records(3);
  std::vector<RoundTask> tasks;
  for (std::uint32_t i = 0; i < 3; ++i) tasks.push_back({2 + i, &disorder, &states[i], &records[i]});
  RoundControl control;
  test::fast_backend()->run_round(longer, tasks, control);
  EXPECT_EQ(states[1], once);
}

/// Decompositions that can be seen: all bonds, none, and those along one axis, from the state of all spins up.
TEST(ClusterRound, KnownDecompositions) {
  const Lattice lattice{2, 6};
  struct {
    const char* name;
    float beta, J_x, J_y;
    double clusters, largest, mean, any, all;
  } const cases[] = {{"all", 40.0F, 1.0F, 1.0F, 1.0 / 36.0, 1.0, 36.0, 1.0, 1.0},
                     {"none", 1e-12F, 1.0F, 1.0F, 1.0, 1.0 / 36.0, 1.0, 0.0, 0.0},
                     {"rows", 40.0F, 1.0F, 0.0F, 1.0 / 6.0, 1.0 / 6.0, 6.0, 1.0, 0.0},
                     {"columns", 40.0F, 0.0F, 1.0F, 1.0 / 6.0, 1.0 / 6.0, 6.0, 1.0, 0.0}};
  for (const auto& x : cases) {
    Chain chain = ising_chain(lattice, ProtocolKind::swendsen_wang, 1);
    chain.beta = {x.beta};
    chain.measurements = 1;
    std::vector<float> J;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) J.insert(J.end(), {x.J_x, x.J_y});
    for (const BackendKind kind : {BackendKind::reference, BackendKind::cpu}) {
      ChainState state = initial_state(chain, 0);
      std::fill(state.states.begin(), state.states.end(), std::uint8_t{1});
      const auto backend = make_backend({kind, InstructionSet::automatic, 1});
      const RoundRecord r = test::run_one_round(*backend, chain, test::with_scale(lattice, J), 0, state);
      EXPECT_DOUBLE_EQ(r.mean[O::clusters], x.clusters) << x.name;
      EXPECT_DOUBLE_EQ(r.mean[O::largest_cluster], x.largest) << x.name;
      EXPECT_DOUBLE_EQ(r.mean[O::mean_cluster], x.mean) << x.name;
      EXPECT_DOUBLE_EQ(r.mean[O::improved_m2], x.mean / 36.0) << x.name;
      EXPECT_EQ(r.mean[O::wrapping_any], x.any) << x.name;
      EXPECT_EQ(r.mean[O::wrapping_all], x.all) << x.name;
      // Whole columns have the full weight of k along x and none along y; the mean over the axes is half of it.
      if (x.J_x != x.J_y) {
        EXPECT_NEAR(r.mean[O::improved_kmin], 0.5 * 36.0 * 6.0 / 1296.0, 1e-5) << x.name;
      }
    }
  }
}

/// A Wolff cluster is a cluster of Swendsen-Wang, and it always moves: at T = 0 all spins turn over.
TEST(ClusterRound, WolffMovesOneCluster) {
  Chain chain = ising_chain({3, 4}, ProtocolKind::wolff, 1);
  chain.beta = {40.0F};
  chain.measurements = 1;
  ChainState state = initial_state(chain, 0);
  std::fill(state.states.begin(), state.states.end(), std::uint8_t{1});
  const RoundRecord r = test::run_one_round(*test::fast_backend(), chain, test::pure({3, 4}), 0, state);
  EXPECT_EQ(r.mean[O::moved_sites], 1.0);
  EXPECT_EQ(state.states, std::vector<std::uint8_t>(64, 0));
  EXPECT_EQ(r.mean[O::clusters], 0.0);
}

/// Unit vectors stay on the sphere however many reflections there are.
TEST(ClusterRound, LengthsStay) {
  const Lattice lattice{2, 6};
  const Chain chain =
      test::cluster_chain(test::on(3), lattice, 1, {1.0F}, test::protocol_of(ProtocolKind::swendsen_wang, 5), 2000);
  ChainState state = initial_state(chain, 0);
  test::run_one_round(*test::fast_backend(), chain, test::pure(lattice), 0, state);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    EXPECT_NEAR(test::length(test::spin_at(chain, state, 0, i)), 1.0, 3e-7);
  }
}

TEST(IsoenergeticMove, ConservesTheEnergyOfBothCopies) {
  const Lattice lattice{2, 6};
  Chain chain = test::cluster_chain(test::ising(), lattice, 2, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
  Disorder disorder = test::bimodal(lattice, 3);
  for (std::size_t b = 0; b < disorder.couplings.size(); b += 5) disorder.couplings[b] = 0.0F;  // diluted
  const ClusterSystem system(chain, disorder, 0);
  const auto energy = [&](const std::vector<std::uint8_t>& s) {
    double E = 0.0;
    for (std::int64_t i = 0; i < 36; ++i) {
      for (int axis = 0; axis < 2; ++axis) {
        const auto j = static_cast<std::size_t>(lattice.neighbour(i, axis, +1)), k = static_cast<std::size_t>(i);
        E -= test::coupling(chain, disorder, i, axis) * (s[k] == s[j] ? 1.0 : -1.0);
      }
    }
    return E;
  };
  test::Source source(4);
  std::vector<std::uint8_t> a(36), b(36);
  for (auto* s : {&a, &b}) {
    for (auto& x : *s) x = static_cast<std::uint8_t>(source.below(2));
  }
  bool changed = false;
  for (int move = 0; move < 100; ++move) {
    const auto old_a = a, old_b = b;
    const std::int64_t swapped = isoenergetic_move(system, source.word(), a.data(), b.data());
    EXPECT_DOUBLE_EQ(energy(a) + energy(b), energy(old_a) + energy(old_b));
    std::int64_t differences = 0;
    for (std::size_t i = 0; i < 36; ++i) {
      EXPECT_EQ(a[i] == b[i], old_a[i] == old_b[i]);
      differences += a[i] != old_a[i] ? 1 : 0;
    }
    EXPECT_EQ(differences, swapped);
    EXPECT_GT(swapped, 0);
    changed = changed || energy(a) != energy(old_a);
  }
  EXPECT_TRUE(changed);
  b = a;
  EXPECT_EQ(isoenergetic_move(system, 5, a.data(), b.data()), 0);
}

TEST(IsoenergeticMove, StopsWhereThereIsNoCoupling) {
  const Lattice lattice{2, 6};
  const Chain chain =
      test::cluster_chain(test::ising(), lattice, 2, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
  Disorder disorder = test::pure(lattice);
  for (std::int64_t y = 0; y < 6; ++y) {  // two rings of three columns
    for (const std::int64_t x : {2, 5}) disorder.couplings[static_cast<std::size_t>(2 * (x + 6 * y))] = 0.0F;
  }
  const ClusterSystem system(chain, disorder, 0);
  std::vector<std::uint8_t> a(36, 1), b(36, 0);
  EXPECT_EQ(isoenergetic_move(system, 0, a.data(), b.data()), 18);
  for (std::size_t i = 0; i < 36; ++i) EXPECT_EQ(a[i], i % 6 < 3 ? 0 : 1);
}

}}  // namespace glassworks
