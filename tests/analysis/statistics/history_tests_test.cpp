#include "analysis/statistics/history_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

// Tails of the binomial distribution of 16 with 1 %: P(K >= 1) = 1 - 0.99^16, P(K >= 3) = 5.08e-4.
TEST(FailedTests, AreCountedAgainstTheirBinomialLaw) {
  EXPECT_DOUBLE_EQ(chance_of({.failed = 0, .rate = 0.01}, 16), 1.0);
  EXPECT_NEAR(chance_of({.failed = 1, .rate = 0.01}, 16), 1.0 - std::pow(0.99, 16), 1e-12);
  EXPECT_NEAR(chance_of({.failed = 3, .rate = 0.01}, 16), 5.08e-4, 1e-6);
  EXPECT_NEAR(chance_of({.failed = 16, .rate = 0.5}, 16), std::pow(0.5, 16), 1e-12);
  EXPECT_EQ(failures_allowed(0.01, 16, 1e-3), 2);
  EXPECT_EQ(failures_allowed(0.01, 16, 1e-4), 3);
  EXPECT_EQ(failures_allowed(1.0, 16, 1e-4), 16);
}

TEST(FailedTests, RatesAreThoseOfTheRealizationsThatTookThem) {
  FailedTests tests;
  tests.add({.taken = false, .log_binning_failed = true, .log_binning_rate = 1.0});
  tests.add({.taken = true, .log_binning_failed = true, .log_binning_rate = 0.02, .copies_rate = 0.1});
  tests.add({.taken = true, .copies_failed = true, .log_binning_rate = 0.04, .copies_rate = 0.2});
  EXPECT_EQ(tests.taken, 2);
  EXPECT_EQ(tests.failing, 2);
  EXPECT_EQ(tests.log_binning.failed, 1);
  EXPECT_EQ(tests.copies.failed, 1);
  EXPECT_DOUBLE_EQ(tests.log_binning.rate, 0.03);
  EXPECT_DOUBLE_EQ(tests.copies.rate, 0.15);
}

/// Independent rounds of 10 measurements at one temperature; copy 2 lies `apart` above copy 1, the last half `drift`
/// above the first.
std::vector<RoundRow> history(std::uint32_t rounds, double apart, double drift, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<RoundRow> rows;
  for (std::uint32_t r = 0; r < rounds; ++r) {
    rows.push_back(testing::fake_round(r, 1, [&](int, const std::string& name) {
      const double x = 0.01 * normal(random) + (r < rounds / 2 ? 0.0 : drift);
      return name == "energy_of_copy_2" ? x + apart : x;
    }));
  }
  return rows;
}

class OneHistory : public ::testing::Test {
 protected:
  [[nodiscard]] HistoryTests tested(RealizationStatus status, double apart, double drift, double tau = 5.0,
                                    std::uint32_t rounds = 64) const {
    RealizationRow row;
    row.status = status;
    row.rounds = rounds;
    row.judgement.tau = tau;
    return test_history(config_, ChainObservables(config_.bins(), testing::stored_names()), row,
                        history(rounds, apart, drift, 3), 1);
  }
  Config config_ = testing::fake_config();  // at most 64 rounds
};

TEST_F(OneHistory, TakesTheTestsAtItsLastLook) {
  const HistoryTests good = tested(RealizationStatus::failed, 0.0, 0.0);
  EXPECT_TRUE(good.taken);
  EXPECT_DOUBLE_EQ(good.length, 128.0);
  EXPECT_FALSE(good.log_binning_failed || good.copies_failed);
  EXPECT_NEAR(good.copies_rate, 0.01, 1e-12) << "rounds of two tau are independent";
  const HistoryTests apart = tested(RealizationStatus::failed, 0.1, 0.0);
  EXPECT_TRUE(apart.copies_failed);
  const HistoryTests drift = tested(RealizationStatus::failed, 0.0, 0.1);
  EXPECT_TRUE(drift.log_binning_failed);
  EXPECT_FALSE(tested(RealizationStatus::converged, 0.1, 0.1).copies_failed) << "it has passed";
  EXPECT_TRUE(tested(RealizationStatus::equilibrating, 0.1, 0.0, 5.0, 20).copies_failed);
}

TEST_F(OneHistory, DoesNotTakeThemWhereItIsTooShort) {
  EXPECT_FALSE(tested(RealizationStatus::failed, 0.1, 0.1, 41.0).taken) << "15.6 tau";
  EXPECT_TRUE(tested(RealizationStatus::failed, 0.1, 0.1, 39.0).taken) << "16.4 tau, though 20 were demanded";
  EXPECT_FALSE(tested(RealizationStatus::equilibrating, 0.1, 0.1, 5.0, 15).taken) << "before the first look";
  EXPECT_FALSE(tested(RealizationStatus::quarantined, 0.1, 0.1).taken);
  EXPECT_TRUE(tested(RealizationStatus::equilibrating, 0.1, 0.1, 9.0, 19).copies_failed) << "looked at after 16 rounds";
  EXPECT_FALSE(tested(RealizationStatus::equilibrating, 0.1, 0.1, 9.0, 19).length > 18.0);
}

TEST_F(OneHistory, IsNotTestedWhereLengthsAreGiven) {
  config_.convergence.lengths = Lengths::given;
  EXPECT_FALSE(tested(RealizationStatus::failed, 0.1, 0.1).taken);
}

/// Realizations of pairs of copies: batches of AR(1) rounds. Of the first `trapped` copies lie `apart` standard
/// deviations of a round apart. Their errors differ by a factor of ten.
std::vector<RealizationSummary> copies(int realizations, std::size_t rounds, double tau, unsigned seed, int trapped = 0,
                                       double apart = 0.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const double phi = (2.0 * tau - 1.0) / (2.0 * tau + 1.0);
  std::vector<RealizationSummary> all;
  for (int r = 0; r < realizations; ++r) {
    std::vector<double> series;
    double x = normal(random);
    for (std::size_t t = 0; t < rounds; ++t) {
      series.push_back((1.0 + r % 10) * (x + (r < trapped ? apart : 0.0)));
      x = phi * x + std::sqrt(1.0 - phi * phi) * normal(random);
    }
    RealizationSummary& summary = all.emplace_back();
    summary.copies = {batch_mean(series)};
    summary.tests = {.taken = true, .length = 20.0};
  }
  return all;
}

double part_beyond(int realizations, std::size_t rounds, double tau, double p) {
  constexpr int campaigns = 400;
  double beyond = 0.0;
  for (unsigned seed = 0; seed < campaigns; ++seed) {
    const CopyScatter scatter = scatter_of_copies(copies(realizations, rounds, tau, seed), 1).at(0);
    beyond += std::sqrt(scatter.ratio) > copy_threshold(scatter, p) ? 1.0 / campaigns : 0.0;
  }
  return beyond;
}

// At 5 %, 400 campaigns: 20 expected at most; more than 40 have probability 2e-5 in each of the three. The averaged
// parts of histories of 20 tau are 10 tau long, and batches of 1.25 tau are correlated with all others.
TEST(StatisticsCopies, FalseAlarmsAreNoMoreThanStated) {
  EXPECT_LE(part_beyond(16, 16, 0.5, 0.05), 0.1);
  EXPECT_LE(part_beyond(64, 64, 3.2, 0.05), 0.1) << "20 tau";
  EXPECT_LE(part_beyond(64, 32, 3.2, 0.05), 0.1) << "10 tau";
}

// Copies of half of 16 realizations are two standard deviations of a round apart, which is 1.4 errors of 8 rounds in
// both copies: z^2 is 1 + 4.
TEST(StatisticsCopies, TrappedCopiesAreFound) {
  const CopyScatter trapped = scatter_of_copies(copies(16, 8, 0.5, 1, 8, 2.0), 1).at(0);
  EXPECT_EQ(trapped.pairs, 16);
  EXPECT_GT(std::sqrt(trapped.ratio), copy_threshold(trapped, 1e-3));
  EXPECT_LT(chance_of(trapped), 1e-3);
  const CopyScatter agree = scatter_of_copies(copies(16, 8, 0.5, 1), 1).at(0);
  EXPECT_GT(chance_of(agree), 1e-2);
  EXPECT_NEAR(chance_of({.pairs = 16, .ratio = std::pow(copy_threshold(agree, 1e-3), 2)}), 1e-3, 1e-9);
}

TEST(Copies, ThatDoNotMoveAndDifferDisagree) {
  std::vector<RealizationSummary> frozen(9);
  for (RealizationSummary& summary : frozen) {
    summary.copies = {{.mean = 0.0, .error = 0.0}};
    summary.tests = {.taken = true, .length = 20.0};
  }
  EXPECT_TRUE(scatter_of_copies(frozen, 1).empty()) << "nothing moves, nothing differs";
  for (std::size_t r = 0; r < 8; ++r) frozen[r].copies[0].mean = 0.1;
  const std::vector<CopyScatter> differ = scatter_of_copies(frozen, 1);
  EXPECT_EQ(differ.at(0).pairs, 8);
  EXPECT_TRUE(std::isinf(differ[0].ratio));
  EXPECT_EQ(chance_of(differ[0]), 0.0);
}

}}  // namespace glassworks
