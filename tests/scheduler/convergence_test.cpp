#include "scheduler/convergence/convergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/bin_places.hpp"
#include "tests/scheduler/decision_fixture.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::uint32_t> due_rounds(const ConvergenceConfig& config, std::uint32_t last) {
  std::vector<std::uint32_t> due;
  for (std::uint32_t rounds = 1; rounds <= last; ++rounds) {
    if (decision_due(config, rounds)) due.push_back(rounds);
  }
  return due;
}

TEST(DecisionDue, GrowsByAQuarterFromTheMinimumToTheMaximum) {
  EXPECT_EQ(due_rounds({.min_rounds = 16, .max_rounds = 64}, 64),
            (std::vector<std::uint32_t>{16, 20, 25, 31, 38, 47, 58, 64}));
  EXPECT_EQ(due_rounds({.min_rounds = 1, .max_rounds = 10}, 10),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 10}));
}

TEST(DecisionDue, NothingBetweenEqualMinimumAndMaximum) {
  EXPECT_EQ(due_rounds({.min_rounds = 7, .max_rounds = 7}, 7), (std::vector<std::uint32_t>{7}));
}

TEST(DecisionDue, AlwaysBeyondTheMaximum) {
  EXPECT_TRUE(decision_due({.min_rounds = 4, .max_rounds = 9}, 9));
  EXPECT_TRUE(decision_due({.min_rounds = 4, .max_rounds = 9}, 11));
}

TEST(DecisionDue, FirstLookFromIsTheNextOneDue) {
  const ConvergenceConfig config{.min_rounds = 16, .max_rounds = 40};
  EXPECT_EQ(first_look_from(config, 1), 16U);
  EXPECT_EQ(first_look_from(config, 20), 20U);
  EXPECT_EQ(first_look_from(config, 21), 25U);
  EXPECT_EQ(first_look_from(config, 39), 40U);
  EXPECT_EQ(first_look_from(config, 41), 41U);
}

class Decide : public testing::DecisionTest {};

// tau = 40 of 1600 measurements are 40 tau; 20 are needed.
TEST_F(Decide, ConvergedNeedsLengthBinsAndRoundTrips) {
  const Decision all = decide(config_, evidence(16, 40.0, 10));
  EXPECT_EQ(all.status, RealizationStatus::converged);
  EXPECT_THAT(
      all.reason,
      HasSubstr(
          "tau 40 measurements (the temperature walk), history 40 tau (20 tau needed); 10 round trips, 10 needed; "
          "log-binning: worst deviation 1.5 of at most 6.0 standard errors (energy, slot 1)"));
  EXPECT_EQ(all.judgement.tau, 40.0);
  EXPECT_EQ(all.judgement.expected_rounds, 16U);
}

TEST_F(Decide, AHistoryShorterThanItsTimesIsEquilibrating) {
  EXPECT_EQ(decide(config_, evidence(16, 80.0, 10)).status, RealizationStatus::converged);
  const Decision brief = decide(config_, evidence(16, 80.1, 10));
  EXPECT_EQ(brief.status, RealizationStatus::equilibrating);
  EXPECT_EQ(brief.judgement.expected_rounds, 20U) << "the look after 16.02 rounds";
  EXPECT_EQ(decide(config_, evidence(16, 130.0, 10)).judgement.expected_rounds, 31U) << "the look after 26 rounds";
  EXPECT_EQ(decide(config_, evidence(16, 1e9, 10)).judgement.expected_rounds, 32U) << "the maximum";
}

TEST_F(Decide, AnUnresolvedTimeIsEquilibratingWhateverItsNumber) {
  const Decision unresolved = decide(config_, evidence(16, 1.0, 10, 1.5, false));
  EXPECT_EQ(unresolved.status, RealizationStatus::equilibrating);
  EXPECT_THAT(unresolved.reason,
              HasSubstr("tau 1 measurements or more, not resolved in 1600 for the temperature walk (20 tau needed); "));
  EXPECT_EQ(unresolved.judgement.equilibration_rounds, 8U);
  EXPECT_EQ(unresolved.judgement.expected_rounds, 20U);
}

TEST_F(Decide, AReplicaThatHardlyMovesIsEquilibrating) {
  Evidence e = evidence(16, 40.0, 10);
  e.walk.times[4] = {533.0, true};  // of replica 1; a third of the history is 533.3
  EXPECT_EQ(decide(config_, e).status, RealizationStatus::converged);
  e.walk.times[4].tau = 534.0;
  const Decision stuck = decide(config_, e);
  EXPECT_EQ(stuck.status, RealizationStatus::equilibrating);
  EXPECT_THAT(stuck.reason, HasSubstr("; replica 1 hardly moves (its own tau is 534); 10 round trips, 10 needed"));
  EXPECT_EQ(stuck.judgement.expected_rounds, 20U) << "the next look";
  config_.n_tau = 0.0;
  EXPECT_EQ(decide(config_, e).status, RealizationStatus::converged);
}

TEST_F(Decide, TheLengthIsNotDemandedWithNTauZero) {
  config_.n_tau = 0.0;
  for (const double tau : {0.5, 400.0}) {
    for (const bool resolved : {true, false}) {
      const Decision decision = decide(config_, evidence(16, tau, 10, 1.5, resolved));
      EXPECT_EQ(decision.status, RealizationStatus::converged);
      EXPECT_EQ(decision.judgement.equilibration_rounds, 8U);
      EXPECT_EQ(decision.judgement.tau, tau);
      EXPECT_THAT(decision.reason, Not(HasSubstr("tau needed")));
    }
  }
}

TEST_F(Decide, AveragesLeaveOutMultiplesOfTauBetweenAnEighthAndAHalf) {
  const auto left_out = [&](std::uint32_t rounds, double tau) {
    return decide(config_, evidence(rounds, tau, 10)).judgement.equilibration_rounds;
  };
  EXPECT_EQ(left_out(31, 55.0), 6U) << "10 tau = 5.5 rounds";
  EXPECT_EQ(left_out(31, 0.5), 4U) << "31/8";
  EXPECT_EQ(left_out(16, 0.5), 2U);
  EXPECT_EQ(left_out(31, 200.0), 15U) << "31/2";
  EXPECT_EQ(left_out(1, 0.5), 0U);
  config_.equilibration_tau = 2.0;
  EXPECT_EQ(left_out(31, 240.0), 5U);
}

TEST_F(Decide, AveragesLeaveOutTheShareThatIsGiven) {
  config_.left_out = 0.8;
  const auto left_out = [&](std::uint32_t rounds, double tau) {
    return decide(config_, evidence(rounds, tau, 10)).judgement.equilibration_rounds;
  };
  for (const double tau : {0.5, 200.0}) {
    EXPECT_EQ(left_out(20, tau), 16U);
    EXPECT_EQ(left_out(16, tau), 13U) << "12.8, rounded up";
    EXPECT_EQ(left_out(4, tau), 3U) << "one round stays";
  }
  config_.left_out = 0.29;
  EXPECT_EQ(left_out(100, 0.5), 29U) << "0.29 * 100 is 28.999999999999996";
  config_.left_out = 0.07;
  EXPECT_EQ(left_out(100, 200.0), 7U) << "0.07 * 100 is 7.000000000000001";
  config_.left_out = 0.1;
  EXPECT_EQ(decide(config_, evidence(31, 0.5, 10, 6.1)).judgement.equilibration_rounds, 4U) << "bins disagree";
}

TEST_F(Decide, AveragesLeaveOutHalfWhereTheBinsDisagree) {
  EXPECT_EQ(decide(config_, evidence(31, 0.5, 10, 6.1)).judgement.equilibration_rounds, 15U);
}

TEST_F(Decide, AgreementWithoutRoundTripsIsProducing) {
  const Decision slow = decide(config_, evidence(16, 40.0, 9));
  EXPECT_EQ(slow.status, RealizationStatus::producing);
  EXPECT_THAT(slow.reason, HasSubstr("; 9 round trips, 10 needed; "));
}

TEST_F(Decide, ExpectsRoundTripsInProportion) {
  const auto expected = [&](std::uint32_t rounds, std::uint64_t trips) {
    return decide(config_, evidence(rounds, 1.0, trips)).judgement.expected_rounds;
  };
  config_.max_rounds = 1024;
  EXPECT_EQ(expected(16, 9), 20U) << "17.8 rounds";
  EXPECT_EQ(expected(16, 5), 38U) << "32 rounds";
  EXPECT_EQ(expected(16, 1), 175U) << "160 rounds";
  EXPECT_EQ(expected(16, 0), 175U);
  config_.max_rounds = 100;
  EXPECT_EQ(expected(16, 1), 100U);
}

TEST_F(Decide, DisagreementIsEquilibratingUntilTheNextLook) {
  EXPECT_EQ(decide(config_, evidence(16, 40.0, 10, 6.0)).status, RealizationStatus::converged);
  const Decision drifting = decide(config_, evidence(16, 40.0, 10, 6.1));
  EXPECT_EQ(drifting.status, RealizationStatus::equilibrating);
  EXPECT_THAT(drifting.reason, HasSubstr("worst deviation 6.1 of at most 6.0 standard errors (energy, slot 1)"));
  EXPECT_EQ(drifting.judgement.expected_rounds, 20U);
}

TEST_F(Decide, TheMaximumOfRoundsFailsWithItsReason) {
  const Decision drifting = decide(config_, evidence(32, 40.0, 100, 7.0)),
                 slow = decide(config_, evidence(32, 40.0, 3)), brief = decide(config_, evidence(32, 400.0, 100));
  for (const Decision& failure : {drifting, slow, brief}) {
    EXPECT_EQ(failure.status, RealizationStatus::failed);
    EXPECT_THAT(failure.reason, HasSubstr("maximum of 32 rounds reached; tau "));
    EXPECT_EQ(failure.judgement.expected_rounds, 32U);
  }
  EXPECT_THAT(slow.reason, HasSubstr("3 round trips, 10 needed"));
  EXPECT_EQ(decide(config_, evidence(32, 40.0, 10)).status, RealizationStatus::converged)
      << "the last look may convince";
}

TEST_F(Decide, TooFewRoundsAreNotJudged) {
  const Decision early = decide(config_, rows(7, 5.0), slots, observables_, 100);
  EXPECT_EQ(early.status, RealizationStatus::equilibrating);
  EXPECT_THAT(early.reason, HasSubstr("7 rounds are too few for log-binning (8 needed)"));
}

TEST_F(Decide, ReadsWalkEnergyAndOverlapFromTheRounds) {
  const std::vector<RoundRow> rounds = rows(32, 0.0);
  const Decision quiet = decide(config_, rounds, slots, observables_, 10);
  EXPECT_EQ(quiet.status, RealizationStatus::converged) << quiet.reason;
  EXPECT_EQ(quiet.judgement.tau, walk_times(rounds, slots).tau().tau);
  EXPECT_EQ(quiet.judgement.equilibration_rounds, 4U);

  const auto moved = [&](int observable, int slot) {
    std::vector<RoundRow> jump = rounds;
    for (std::size_t r = 16; r < 32; ++r) {
      jump[r].record.mean[static_cast<std::size_t>(slot * layout_.size() + observable)] += 5.0;
    }
    return decide(config_, jump, slots, observables_, 10);
  };
  EXPECT_THAT(moved(test::Tensors::energy, 1).reason, HasSubstr("(energy, slot 1)"));
  EXPECT_THAT(moved(layout_.at(BinQuantity::overlap_k, 0), 2).reason, HasSubstr("(|q|^2, slot 2)"));
  EXPECT_EQ(moved(layout_.at(BinQuantity::overlap_k, 0), 2).status, RealizationStatus::failed);

  std::vector<RoundRow> stuck = rounds;
  for (RoundRow& row : stuck) row.record.walk_mean[walk_functions + 1] = 1.0;
  EXPECT_THAT(decide(config_, stuck, slots, observables_, 10).reason, HasSubstr("replica 1 hardly moves"));
  EXPECT_EQ(decide(config_, stuck, slots, observables_, 10).status, RealizationStatus::failed);
}

TEST_F(Decide, BatchesFollowTheLongestTime) {
  // Four tau of the walk are less than one of 100 measurements; where it is stuck batches are as long as possible.
  std::vector<RoundRow> rounds = rows(64, 0.0);
  EXPECT_EQ(examine(rounds, slots, observables_, 0, 1).log_binning.batch_rounds, 1);
  for (RoundRow& row : rounds) row.record.walk_mean.assign(row.record.walk_mean.size(), 1.0);
  EXPECT_EQ(examine(rounds, slots, observables_, 0, 1).log_binning.batch_rounds, 4);
}

TEST_F(Decide, OneSlotHasNoWalkAndNoRoundTrips) {
  std::vector<RoundRow> rounds = rows(16, 0.0);
  for (RoundRow& row : rounds) row.record.mean.resize(static_cast<std::size_t>(layout_.size()));
  const Decision alone = decide(config_, rounds, 1, observables_, 0);
  EXPECT_EQ(alone.status, RealizationStatus::converged);
  EXPECT_THAT(alone.reason, ::testing::StartsWith("log-binning"));
  EXPECT_EQ(alone.judgement.equilibration_rounds, 8U);
  EXPECT_EQ(alone.judgement.tau, 0.0);
}

}}  // namespace glassworks
