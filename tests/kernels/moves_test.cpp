#include <gtest/gtest.h>

#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_checks.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// The list of moves of a step and the numbers of its moves, which are the addresses of their random words.
namespace glassworks { namespace {

using enum MoveRule;

constexpr MoveKind all_kinds[] = {MoveKind::over_relaxation, MoveKind::local, MoveKind::cluster,
                                  MoveKind::isoenergetic};

Chain chain_of_moves(const SpinModel& model, const Protocol& protocol, int copies = 1) {
  return test::cluster_chain(model, {2, 4}, copies, {1.0F}, protocol, 1);
}
Chain chain_of_moves(const SpinModel& model, const MoveList& moves, int copies = 1) {
  Protocol protocol;
  set_moves(protocol, moves);
  return chain_of_moves(model, protocol, copies);
}

TEST(Moves, NumbersOfAProtocolAreTheShortForm) {
  Protocol p{.overrelaxation = 3, .heatbath = 2};
  EXPECT_EQ(moves_of(chain_of_moves({}, p)), (MoveList{{over_relaxation, 3}, {heat_bath, 2}}));
  p.isoenergetic = 4;
  EXPECT_EQ(moves_of(chain_of_moves(test::ising(), p)), (MoveList{{heat_bath, 2}, {isoenergetic, 4}}));
  p.multispin = MultispinRule::heat_bath;
  EXPECT_EQ(moves_of(chain_of_moves(test::ising(), p)), (MoveList{{multispin_heat_bath, 2}, {isoenergetic, 4}}));
  p = {.overrelaxation = 3, .heatbath = 2, .kind = ProtocolKind::wolff, .cluster_sweeps = 5};
  EXPECT_EQ(moves_of(chain_of_moves(test::on(2), p)), (MoveList{{wolff, 5}, {over_relaxation, 3}, {heat_bath, 2}}));
  p.kind = ProtocolKind::local;
  EXPECT_EQ(moves_of(chain_of_moves(test::on(2), p)), (MoveList{{over_relaxation, 3}, {heat_bath, 2}}));
}

TEST(Moves, NeighboursOfOneRuleAreOneMove) {
  EXPECT_EQ((MoveList{{wolff, 0}, {heat_bath, 1}, {heat_bath, 2}, {over_relaxation, 0}, {heat_bath, 3}}),
            (MoveList{{heat_bath, 6}}));
  MoveList full;
  for (int i = 0; i < MoveList::most; ++i) full.add({i % 2 == 0 ? heat_bath : over_relaxation, 1});
  EXPECT_EQ(full.size(), 16U);
  EXPECT_NO_THROW(full.add({over_relaxation, 1}));
  EXPECT_THROW(full.add({heat_bath, 1}), std::length_error);
}

TEST(Moves, AListGivesAProtocolItsNumbers) {
  const Chain chain = chain_of_moves(
      test::ising(), {{heat_bath, 1}, {few_cluster, 2}, {isoenergetic, 3}, {heat_bath, 4}, {few_cluster, 5}}, 2);
  EXPECT_EQ(chain.protocol.kind, ProtocolKind::few_cluster);
  EXPECT_EQ(chain.cluster_sweeps(), 7);
  EXPECT_EQ(chain.protocol.heatbath, 5);
  EXPECT_EQ(chain.protocol.isoenergetic, 3);
  EXPECT_EQ(chain.protocol.multispin, MultispinRule::off);
  EXPECT_EQ(chain.overrelaxation(), 0);
  EXPECT_EQ(chain.sweeps_per_repetition(), 12);
  EXPECT_EQ(chain_of_moves(test::ising(), {{multispin_metropolis, 2}}).protocol.multispin, MultispinRule::metropolis);
}

/// Of every kind all numbers are used once, in their order; sweeps of single spins are counted together too.
class MoveNumbers : public ::testing::TestWithParam<int> {};

TEST_P(MoveNumbers, EveryMoveHasOneOfItsOwn) {
  const auto repeats = static_cast<std::uint64_t>(GetParam());
  Chain chain = chain_of_moves(test::on(2), MoveList{{heat_bath, 1},
                                                     {over_relaxation, 2},
                                                     {swendsen_wang, 1},
                                                     {heat_bath, 2},
                                                     {over_relaxation, 1},
                                                     {swendsen_wang, 2}});
  chain.protocol.sweeps_per_exchange = 3;
  chain.protocol.tile_repeats = GetParam();
  const Step step(chain);
  EXPECT_EQ(step.repetitions(), 3);
  EXPECT_EQ(step.sweeps(), 6 * GetParam());
  EXPECT_EQ(chain.sweeps_per_repetition(), 9 * GetParam());
  std::vector<std::uint64_t> next(move_kinds, 0);
  std::uint64_t next_sweep = 0;
  for (std::uint64_t s = 0; s < 2; ++s) {
    for (int t = 0; t < step.repetitions(); ++t) {
      std::vector<std::uint64_t> left(move_kinds, 0);
      int place = 0;
      for (const MoveKind kind : all_kinds) {
        left[static_cast<std::size_t>(kind)] = static_cast<std::uint64_t>(step.count(kind));
      }
      step.for_each(step.moves(), step.repetition(s, t), [&](const NumberedMove& move) {
        const auto kind = static_cast<std::size_t>(move.kind());
        EXPECT_EQ(move.number, next[kind]++);
        EXPECT_EQ(move.last, --left[kind] == 0);
        if (move.kind() == MoveKind::cluster) return;
        EXPECT_EQ(move.sweep, next_sweep++);
        const NumberedMove same = step.sweep_at(place++, step.repetition(s, t));
        EXPECT_EQ(same.rule, move.rule);
        EXPECT_EQ(same.number, move.number);
        EXPECT_EQ(same.sweep, move.sweep);
      });
      EXPECT_EQ(place, step.sweeps());
    }
  }
  EXPECT_EQ(next, (std::vector<std::uint64_t>{18 * repeats, 18 * repeats, 18 * repeats, 0}));
}

INSTANTIATE_TEST_SUITE_P(RepeatsOfTiles, MoveNumbers, ::testing::Values(1, 4));

TEST(Moves, RunsEndWhereCopiesMeet) {
  const Chain chain = chain_of_moves(
      test::ising(), {{isoenergetic, 1}, {heat_bath, 1}, {wolff, 1}, {isoenergetic, 2}, {heat_bath, 1}}, 2);
  const Step step(chain);
  std::vector<std::pair<bool, std::size_t>> runs;
  step.for_each_run([&](const MoveRun& run) { runs.emplace_back(run.between_copies, run.moves.size()); });
  EXPECT_EQ(runs, (std::vector<std::pair<bool, std::size_t>>{{true, 1}, {false, 2}, {true, 1}, {false, 1}}));
}

TEST(Moves, FusedKernelsMatchOverRelaxationBeforeHeatBaths) {
  EXPECT_TRUE(matches_sweeps(moves_of(chain_of_moves(test::on(2), Protocol{}))));
  EXPECT_TRUE(matches_sweeps(moves_of(chain_of_moves(test::on(2), {{over_relaxation, 2}, {heat_bath, 1}}))));
  EXPECT_TRUE(matches_sweeps(moves_of(chain_of_moves(test::on(2), MoveList{{heat_bath, 1}}))));
  EXPECT_FALSE(matches_sweeps(moves_of(chain_of_moves(test::on(2), {{heat_bath, 1}, {over_relaxation, 2}}))));
  EXPECT_FALSE(matches_sweeps(moves_of(chain_of_moves(test::on(2), {{wolff, 1}, {heat_bath, 1}}))));
  EXPECT_FALSE(matches_sweeps(
      moves_of(chain_of_moves(test::on(2), {{over_relaxation, 1}, {heat_bath, 1}, {over_relaxation, 1}}))));
}

/// A kernel that trusts the numbers would leave out moves of a list that says something else.
TEST(Moves, ListsThatTheirProtocolOrModelDeniesAreRefused) {
  Chain chain = chain_of_moves(test::ising(), {{heat_bath, 1}, {wolff, 1}});
  EXPECT_NO_THROW(Step{chain});
  chain.protocol.heatbath = 2;
  EXPECT_THROW(Step{chain}, std::runtime_error);
  chain.protocol.heatbath = 1;
  chain.protocol.kind = ProtocolKind::swendsen_wang;
  EXPECT_THROW(Step{chain}, std::runtime_error);
  EXPECT_THROW(Step{chain_of_moves(test::ising(), {{heat_bath, 1}, {over_relaxation, 1}})}, std::runtime_error);
  EXPECT_THROW((Step{chain_of_moves(test::ising(), {{heat_bath, 1}, {multispin_metropolis, 1}})}), std::runtime_error);
  EXPECT_THROW((Step{chain_of_moves(test::ising(), {{wolff, 1}, {swendsen_wang, 1}})}), std::runtime_error);
  EXPECT_NE(problem_of(chain_of_moves({}, {{wolff, 1}, {heat_bath, 1}})), "") << "heisenberg has no clusters";
  EXPECT_NE(problem_of(chain_of_moves({}, {{isoenergetic, 1}, {heat_bath, 1}}, 2)), "");
  EXPECT_EQ(problem_of(chain_of_moves({}, MoveList{{over_relaxation, 1}}, 2)), "")
      << "earlier versions ran such chains";
}

}}  // namespace glassworks
