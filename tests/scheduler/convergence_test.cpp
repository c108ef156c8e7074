#include "scheduler/convergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace glassworks {
namespace {

using ::testing::HasSubstr;
using Series = std::vector<std::vector<double>>;

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

/// Independent normal round means of `slots` slots, all alike, plus a drift over the rounds.
class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}
  Series series(std::size_t rounds, std::size_t slots, double drift = 0.0, std::size_t drifting_slot = 0) {
    Series s(rounds, std::vector<double>(slots));
    for (std::size_t r = 0; r < rounds; ++r) {
      for (double& x : s[r]) x = -1.5 + 0.1 * normal_(random_);
      s[r][drifting_slot] += 0.1 * drift * static_cast<double>(r) / static_cast<double>(rounds);
    }
    return s;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

TEST(LogBinning, NeedsEightRounds) {
  Source source(1);
  EXPECT_FALSE(log_binning(source.series(7, 3), source.series(7, 3)).possible);
  EXPECT_TRUE(log_binning(source.series(8, 3), source.series(8, 3)).possible);
}

TEST(LogBinning, ComparesTheThreeLastBins) {
  // Rounds 8-15: 4 +- 1 in turn; 4-7: 5; 2-3: 5; 0-1 may hold anything. Difference 1, error sqrt(8/7 (1/8 + 1/4)).
  Series energy(16, std::vector<double>{5.0});
  energy[0][0] = energy[1][0] = 1e6;
  for (std::size_t r = 8; r < 16; ++r) energy[r][0] = r % 2 == 0 ? 3.0 : 5.0;
  const LogBinningTest test = log_binning(energy, Series(16, {0.25}));
  EXPECT_NEAR(test.worst_deviation, 1.0 / std::sqrt(8.0 / 7.0 * 0.375), 1e-12);
  EXPECT_EQ(test.worst_observable, "energy");
}

TEST(LogBinning, NamesTheWorstSlotAndObservable) {
  Source source(2);
  const LogBinningTest test = log_binning(source.series(32, 4), source.series(32, 4, 40.0, 2));
  EXPECT_EQ(test.worst_observable, "|q|^2");
  EXPECT_EQ(test.worst_slot, 2);
}

/// Share of realizations that the limit rejects among `trials` of one slot, whose overlap does not move.
double rejected(std::size_t rounds, double drift, int trials, unsigned seed) {
  Source source(seed);
  int count = 0;
  for (int t = 0; t < trials; ++t) {
    const LogBinningTest test = log_binning(source.series(rounds, 1, drift), Series(rounds, {0.25}));
    if (test.worst_deviation > log_binning_limit) ++count;
  }
  return static_cast<double>(count) / trials;
}

// The false-alarm probability p of one comparison is that of Student's t with n/2 - 1 degrees of freedom; a series of
// one slot makes two, which share their scatter, so between p and 2 p are rejected. 4 standard deviations of the count
// at either end: by chance these six comparisons fail with probability below 4e-4.
TEST(StatisticsLogBinning, FalseAlarmsAreAsStated) {
  struct Case {
    std::size_t rounds;
    double p;
  };
  for (const Case& c : {Case{8, 0.0280}, Case{16, 0.00519}, Case{32, 0.00116}}) {
    constexpr int trials = 200'000;
    const double rate = rejected(c.rounds, 0.0, trials, 3);
    RecordProperty("rate" + std::to_string(c.rounds), std::to_string(rate));
    EXPECT_GT(rate, c.p - 4.0 * std::sqrt(c.p / trials)) << c.rounds << " rounds";
    EXPECT_LT(rate, 2.0 * c.p + 4.0 * std::sqrt(2.0 * c.p / trials)) << c.rounds << " rounds";
  }
}

// With twenty slots in two observables there are 80 comparisons: whole realizations are sent on for another quarter of
// their rounds by chance, but never mostly.
TEST(StatisticsLogBinning, MostStationaryRealizationsAreAccepted) {
  Source source(4);
  constexpr int trials = 5000;
  int count = 0;
  for (int t = 0; t < trials; ++t) {
    if (log_binning(source.series(16, 20), source.series(16, 20)).worst_deviation > log_binning_limit) ++count;
  }
  EXPECT_LT(count, trials * 0.45);
  EXPECT_GT(count, trials * 0.05);  // slots that move together are rejected less often than these independent ones
}

TEST(StatisticsLogBinning, DriftIsRejected) {
  // Difference of the means of the last half and of the quarter before: 3/8 of the drift, here 30 scatters = 11, in
  // errors of 0.6 and a scatter that the drift itself widens to 4.3 over the last half.
  EXPECT_GT(rejected(16, 30.0, 2000, 5), 0.3);
  // A relaxation that is over in the first quarter, seen from the bin that holds it.
  Source source(6);
  for (int t = 0; t < 200; ++t) {
    Series energy = source.series(32, 1);
    for (std::size_t r = 0; r < 8; ++r) energy[r][0] += 3.0 * std::exp(-static_cast<double>(r) / 3.0);
    EXPECT_GT(log_binning(energy, Series(32, {0.25})).worst_deviation, log_binning_limit);
  }
}

class Decide : public ::testing::Test {
 protected:
  static constexpr int slots = 3;
  const ObservableLayout layout_{3, 2};
  const ConvergenceConfig config_{.min_rounds = 8, .max_rounds = 32, .min_round_trips = 10};

  /// Rounds of a stationary history; `jump` is added to the energy of slot 1 in the last half.
  [[nodiscard]] std::vector<RoundRow> history(std::size_t rounds, double jump = 0.0) const {
    Source source(7);
    const Series energy = source.series(rounds, slots), overlap = source.series(rounds, slots);
    std::vector<RoundRow> rows(rounds);
    for (std::size_t r = 0; r < rounds; ++r) {
      rows[r].round = static_cast<std::uint32_t>(r);
      rows[r].record.mean.assign(static_cast<std::size_t>(slots * layout_.size()), 0.0);
      for (int slot = 0; slot < slots; ++slot) {
        const auto at = [&](int observable) -> double& {
          return rows[r].record.mean[static_cast<std::size_t>(slot * layout_.size() + observable)];
        };
        at(ObservableLayout::energy) = energy[r][static_cast<std::size_t>(slot)];
        at(layout_.overlap_mode(0)) = overlap[r][static_cast<std::size_t>(slot)];
        if (slot == 1 && r >= rounds / 2) at(ObservableLayout::energy) += jump;
      }
    }
    return rows;
  }
  [[nodiscard]] Decision decision(std::size_t rounds, double jump, std::uint64_t trips) const {
    return decide(config_, history(rounds, jump), slots, layout_, trips);
  }
};

TEST_F(Decide, ConvergedNeedsBinsAndRoundTrips) {
  const Decision both = decision(16, 0.0, 10);
  EXPECT_EQ(both.status, RealizationStatus::converged);
  EXPECT_THAT(both.reason, HasSubstr("log-binning: worst deviation "));
  EXPECT_THAT(both.reason, HasSubstr("; 10 of 10 round trips"));
}

TEST_F(Decide, AgreementWithoutRoundTripsIsProducing) {
  const Decision slow = decision(16, 0.0, 9);
  EXPECT_EQ(slow.status, RealizationStatus::producing);
  EXPECT_THAT(slow.reason, HasSubstr("; 9 of 10 round trips"));
}

TEST_F(Decide, DisagreementIsEquilibrating) {
  const Decision drifting = decision(16, 5.0, 100);
  EXPECT_EQ(drifting.status, RealizationStatus::equilibrating);
  EXPECT_THAT(drifting.reason, HasSubstr("(energy, slot 1)"));
}

TEST_F(Decide, LooksAtTheOverlapToo) {
  std::vector<RoundRow> rows = history(16);
  for (std::size_t r = 8; r < 16; ++r) {
    rows[r].record.mean[static_cast<std::size_t>(2 * layout_.size() + layout_.overlap_mode(0))] += 5.0;
  }
  const Decision drifting = decide(config_, rows, slots, layout_, 100);
  EXPECT_EQ(drifting.status, RealizationStatus::equilibrating);
  EXPECT_THAT(drifting.reason, HasSubstr("(|q|^2, slot 2)"));
}

TEST_F(Decide, TheMaximumOfRoundsFailsWithItsReason) {
  const Decision drifting = decision(32, 5.0, 100), slow = decision(32, 0.0, 3);
  EXPECT_EQ(drifting.status, RealizationStatus::failed);
  EXPECT_THAT(drifting.reason, HasSubstr("maximum of 32 rounds reached; log-binning: worst deviation "));
  EXPECT_EQ(slow.status, RealizationStatus::failed);
  EXPECT_THAT(slow.reason, HasSubstr("3 of 10 round trips"));
  EXPECT_EQ(decision(32, 0.0, 10).status, RealizationStatus::converged) << "the last look may still convince";
}

TEST_F(Decide, TooFewRoundsAreNotJudged) {
  const Decision early = decision(7, 0.0, 100);
  EXPECT_EQ(early.status, RealizationStatus::equilibrating);
  EXPECT_THAT(early.reason, HasSubstr("7 rounds are too few for log-binning (8 needed)"));
}

TEST_F(Decide, OneSlotHasNoRoundTrips) {
  std::vector<RoundRow> rows = history(16);
  for (RoundRow& row : rows) row.record.mean.resize(static_cast<std::size_t>(layout_.size()));
  const Decision alone = decide(config_, rows, 1, layout_, 0);
  EXPECT_EQ(alone.status, RealizationStatus::converged);
  EXPECT_THAT(alone.reason, ::testing::Not(HasSubstr("round trips")));
}

}  // namespace
}  // namespace glassworks
