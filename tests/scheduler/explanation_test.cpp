#include "scheduler/campaign/explanation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/campaign/stored_columns.hpp"
#include "tests/scheduler/decision_fixture.hpp"

namespace glassworks { namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Explanation : public testing::DecisionTest {
 protected:
  Explanation() {
    campaign_.convergence = config_;
    row_.key = {8, 5};
    row_.status = RealizationStatus::equilibrating;
    row_.round_trips = 4;
    row_.attempt = 21;
  }
  std::string text(const std::vector<RoundRow>& rounds) {
    row_.rounds = static_cast<std::uint32_t>(rounds.size());
    const Decision decision =
        rounds.empty() ? Decision{} : decide(config_, rounds, slots, observables_, row_.round_trips);
    row_.reason = decision.reason;
    return explain(campaign_, row_, rounds, {8, {0.2, 0.3, 0.4}, written_columns(campaign_, 0).observables});
  }

  Config campaign_;
  RealizationRow row_;
};

TEST_F(Explanation, TellsStateLooksAndAttempts) {
  row_.failures = 3;
  const std::string all = text(rows(27, 0.0));
  EXPECT_THAT(all, HasSubstr("L = 8, realization 5: equilibrating after 27 rounds\n  reason       tau "));
  EXPECT_THAT(all, HasSubstr("looks        after 16, 20, 25 rounds; next after 31, last after 32\n"));
  EXPECT_THAT(all, HasSubstr("attempt number 21; 3 failed attempts at the next round, 20 allowed\n"));
}

TEST_F(Explanation, TellsTimesOfTheWalkByFunction) {
  const std::vector<RoundRow> rounds = rows(27, 0.0);
  const std::string all = text(rounds);
  const WalkTimes walk = walk_times(rounds, slots);
  EXPECT_THAT(all, HasSubstr("Temperature walk of 6 replicas in rounds 3 to 26 of 100 measurements"));
  EXPECT_THAT(all, AllOf(HasSubstr("2x - 1  "), HasSubstr("sign(2x - 1)"), HasSubstr("cos(2 pi x)")));
  EXPECT_THAT(all, HasSubstr("  every replica moves (own tau at most 900): met\n"));
  EXPECT_THAT(all, HasSubstr(fmt::format("tau {:.3g} measurements (the temperature walk), history {:.3g} tau (20 tau "
                                         "needed): met\n",
                                         walk.tau().tau, 2700.0 / walk.tau().tau)));
}

TEST_F(Explanation, PointsAtTheReplicaThatIsStuck) {
  std::vector<RoundRow> rounds = rows(27, 0.0);
  for (RoundRow& row : rounds) row.record.walk_mean[4 * walk_functions + 1] = 1.0;
  const std::string all = text(rounds);
  // 24 rounds, window 12: 100/(2 2/3) (1 + 24) = 1875
  EXPECT_THAT(all, ::testing::ContainsRegex("sign.2x - 1. +[0-9.]+ +no +[0-9.]+ +1.88e.03 +4\n"));
  EXPECT_THAT(all, HasSubstr("measurements or more, not resolved in 2700 for the temperature walk (20 tau needed): NOT "
                             "met\n  every replica moves (own tau at most 900): NOT met\n"));
}

TEST_F(Explanation, TellsRoundTripsAndWhatIsExpected) {
  const std::string all = text(rows(16, 0.0));
  EXPECT_THAT(all, HasSubstr("Round trips of all replicas: 4; 10 needed: NOT met"));
  EXPECT_THAT(all, HasSubstr("Averages leave out 8 of 16 rounds (not judged yet: the first half)\n"));
  EXPECT_THAT(all, HasSubstr("Estimate: 32 rounds in all, 16 more\n"));
  row_.judgement.equilibration_rounds = 3;
  row_.round_trips = 10;
  EXPECT_THAT(text(rows(18, 0.0)),
              AllOf(HasSubstr("10 needed: met"), HasSubstr("leave out 3 of 18 rounds (as of the last test)\n"),
                    HasSubstr("Estimate: nothing more is needed, the next test decides\n")));
}

TEST_F(Explanation, ListsTheWorstComparisonsWithTheirNumbers) {
  const std::vector<RoundRow> rounds = rows(32, 5.0);
  const LogBinningTest test = examine(rounds, slots, observables_, 4, 1).log_binning;
  const BinComparison& worst = test.worst();
  const std::string all = text(rounds);
  EXPECT_THAT(all,
              HasSubstr("Log-binning: 12 comparisons, false-alarm probability 1 % together; errors from 16 batches "
                        "of 1 rounds\n"));
  EXPECT_THAT(all, ::testing::ContainsRegex(
                       fmt::format("deviation +limit\n  energy +1/2 - 1/4 +1 +0.3 +{:.4g} +{:.3g} +{:.2f} +{:.2f}\n",
                                   worst.difference, worst.error, worst.deviation, test.limit)));
  EXPECT_THAT(all, HasSubstr("agreement: NOT met\n"));
}

TEST_F(Explanation, OfAFinishedRealizationExpectsNothing) {
  row_.status = RealizationStatus::failed;
  EXPECT_THAT(text(rows(32, 5.0)), AllOf(HasSubstr("; no more\n"), Not(HasSubstr("Estimate"))));
}

TEST_F(Explanation, WithoutRoundsOrWithFewSaysSo) {
  EXPECT_THAT(text({}),
              AllOf(HasSubstr("looks        none so far; next after 16"), HasSubstr("before the first round")));
  EXPECT_THAT(text(rows(5, 0.0)), HasSubstr("Log-binning: 5 rounds are too few, 8 needed: NOT met"));
}

TEST_F(Explanation, OfOneTemperatureHasNoWalk) {
  std::vector<RoundRow> rounds = rows(16, 0.0);
  for (RoundRow& row : rounds) row.record.mean.resize(static_cast<std::size_t>(layout_.size()));
  row_.rounds = 16;
  const std::string all = explain(campaign_, row_, rounds, {8, {0.2}, written_columns(campaign_, 0).observables});
  EXPECT_THAT(all, AllOf(HasSubstr("Temperature walk: none with one temperature\n"), Not(HasSubstr("Round trips"))));
}

}}  // namespace glassworks
