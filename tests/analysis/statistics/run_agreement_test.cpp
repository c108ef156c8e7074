#include "analysis/statistics/run_agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "analysis/averages/verdict.hpp"
#include "tests/analysis/fake_campaign.hpp"
#include "tests/analysis/statistics/synthetic_ensemble.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

Config pure_config() {
  Config config = testing::fake_config();
  config.model.couplings = CouplingKind::ferromagnet;
  config.round.measurements_per_round = {1};
  return config;
}

/// A stationary AR(1) process x_t = a x_{t-1} + sqrt(1 - a^2) z, and its time 1/2 + a/(1 - a).
class Process {
 public:
  Process(testing::Noise& noise, double a) : noise_(noise), a_(a), x_(noise.normal()) {}
  double next() { return x_ = a_ * x_ + std::sqrt(1.0 - a_ * a_) * noise_.normal(); }
  static double time(double a) { return 0.5 + a / (1.0 - a); }

 private:
  testing::Noise& noise_;
  double a_, x_;
};

enum class Shape { normal, squared, rare };

struct Runs {
  int runs = 12;
  std::uint32_t rounds = 200;
  double a = 0.0;
  double tau = 0.0;  ///< as judged; 0: that of the process
  Shape shape = Shape::normal;
};

/// Blocks of runs of the same process in both quantities at two slots; `shift` is added to all of a run.
Verdict verdict_of(testing::Noise& noise, const Runs& runs, const std::function<double(int run, int slot)>& shift) {
  std::vector<RealizationRow> rows(static_cast<std::size_t>(runs.runs));
  for (RealizationRow& row : rows) {
    row.rounds = runs.rounds;
    row.judgement = {.tau = runs.tau > 0.0 ? runs.tau : Process::time(runs.a),
                     .equilibration_rounds = runs.rounds / 4,
                     .expected_rounds = runs.rounds};
  }
  const RunBlocking blocking = run_blocking(pure_config(), rows);
  const std::size_t length = blocking.rounds, used = runs.rounds - runs.rounds / 4;
  std::vector<RealizationSummary> summaries;
  for (int r = 0; r < runs.runs; ++r) {
    RealizationSummary& summary = summaries.emplace_back();
    summary.key = {4, static_cast<std::uint32_t>(r)};
    for (int entry = 0; entry < 4; ++entry) {
      Process process(noise, runs.a);
      RunBlocks blocks{.blocks = static_cast<std::uint32_t>(used / length)};
      std::vector<double> means(blocks.blocks, 0.0);
      for (double& mean : means) {
        for (std::size_t n = 0; n < length; ++n) {
          const double x = process.next();
          const double y = runs.shape == Shape::normal ? x : runs.shape == Shape::squared ? x * x : x > 3.0 ? 1.0 : 0.0;
          mean += (y + shift(r, entry / 2)) / static_cast<double>(length);
        }
        blocks.mean += mean / blocks.blocks;
      }
      for (const double mean : means) blocks.squares += (mean - blocks.mean) * (mean - blocks.mean);
      summary.blocks.push_back(blocks);
    }
  }
  const std::vector<RunComparison> comparisons = compare_runs(summaries, 2, blocking, fewest_realizations);
  const double temperatures[] = {0.5, 1.0};
  RealizationCounts counts;
  counts.total = counts.used = counts.converged = runs.runs;
  return judge({.temperatures = temperatures, .observables = {}, .steps = {}, .runs = comparisons}, counts);
}

int false_alarms(std::uint64_t seed, int campaigns, const Runs& runs) {
  testing::Noise noise(seed);
  int alarms = 0;
  for (int i = 0; i < campaigns; ++i) {
    if (verdict_of(noise, runs, [](int, int) { return 0.0; }).runs_disagree) ++alarms;
  }
  return alarms;
}

// 8 comparisons share 1 %. Of 2000 campaigns 20 would be called so at most; more than 45 with probability 4e-7
// (Poisson).
TEST(RunAgreement, RarelyRaisesAFalseAlarm) {
  EXPECT_LE(false_alarms(1, 2000, {.rounds = 40}), 45) << "independent rounds";
  EXPECT_LE(false_alarms(2, 2000, {.rounds = 200, .a = 0.8}), 45) << "tau of 4.5 rounds, histories of 44 tau";
  EXPECT_LE(false_alarms(3, 2000, {.rounds = 60, .a = 0.6}), 45) << "tau of 2 rounds, 30 tau";
  EXPECT_LE(false_alarms(4, 2000, {.rounds = 48, .a = 0.6}), 45) << "24 tau: two blocks";
  EXPECT_LE(false_alarms(5, 2000, {.rounds = 200, .a = 0.6, .shape = Shape::squared}), 45) << "skewed";
  EXPECT_LE(false_alarms(6, 2000, {.rounds = 60, .a = 0.6, .shape = Shape::squared}), 45) << "skewed, two blocks";
  EXPECT_LE(false_alarms(7, 2000, {.rounds = 60, .a = 0.0, .shape = Shape::rare}), 45) << "excitations in 1 of 17 runs";
  EXPECT_LE(false_alarms(8, 100, {.runs = 200, .rounds = 60, .a = 0.6}), 8) << "many runs";
  EXPECT_LE(false_alarms(9, 100, {.runs = 200, .rounds = 400, .a = 0.8, .tau = 2.25}), 8) << "half of tau judged";
}

TEST(RunAgreement, SeesRunsThatDiffer) {
  testing::Noise noise(11);
  const Runs runs{.rounds = 200, .a = 0.6};  // of a run after its equilibration: error sqrt(2 x 2 / 150) = 0.16
  const Verdict one = verdict_of(noise, runs, [](int run, int slot) { return run == 5 && slot == 1 ? 2.0 : 0.0; });
  EXPECT_EQ(one.state, Equilibration::not_equilibrated);
  EXPECT_TRUE(one.runs_disagree);
  ASSERT_EQ(one.worst.size(), 2U);
  EXPECT_EQ(one.worst.back().run, 5);
  EXPECT_EQ(one.worst.back().T, 1.0);
  EXPECT_THAT(one.lines.front(), HasSubstr("independent runs of one system disagree"));
  const Verdict all = verdict_of(noise, runs, [](int run, int) { return 0.2 * (run % 6); });
  EXPECT_TRUE(all.runs_disagree);
  EXPECT_THAT(all.lines[2], HasSubstr("independent runs disagree: "));
  EXPECT_THAT(all.lines[2], HasSubstr(" times as much between runs as their own errors explain"));
}

/// Rounds without any fluctuation, at two slots.
RealizationSummary still_run(std::uint32_t realization, double energy, std::uint32_t block_rounds) {
  const Columns columns(testing::stored_names(), 3);
  std::vector<RoundRow> rounds;
  for (std::uint32_t n = 0; n < 16; ++n) {
    rounds.push_back(testing::fake_round(n, 2, [&](int, const std::string&) { return energy; }));
  }
  return summarize({4, realization}, rounds, columns, 2, 4, block_rounds);
}

TEST(RunAgreement, RunsThatDoNotMoveDisagreeIfTheyDiffer) {
  for (const RunBlocking blocking : {RunBlocking{1, 0.0}, RunBlocking{2, 0.5}}) {
    std::vector<RealizationSummary> summaries;
    for (std::uint32_t r = 0; r < 12; ++r) summaries.push_back(still_run(r, -2.0, blocking.rounds));
    EXPECT_TRUE(compare_runs(summaries, 2, blocking, 8).empty()) << "equal: neither for nor against";
    summaries.back() = still_run(11, -1.9, blocking.rounds);
    const std::vector<RunComparison> differ = compare_runs(summaries, 2, blocking, 8);
    ASSERT_EQ(differ.size(), 4U);
    EXPECT_TRUE(std::isinf(differ[0].scatter) && std::isinf(differ[0].sigma));
    EXPECT_EQ(differ[0].farthest.realization, 11U);
    EXPECT_TRUE(compare_runs(summaries, 2, blocking, 13).empty()) << "too few runs";
  }
}

TEST(RunAgreement, ComparesRunsOfOneSystemOnly) {
  Config config = pure_config();
  EXPECT_TRUE(runs_agree_in_equilibrium(config));
  config.model.field = FieldKind::gaussian;
  EXPECT_FALSE(runs_agree_in_equilibrium(config)) << "every realization has fields of its own";
  EXPECT_FALSE(runs_agree_in_equilibrium(testing::fake_config()));
  std::vector<RealizationRow> rows(3);
  for (RealizationRow& row : rows) row.rounds = 64, row.judgement.tau = 2.0;
  rows[0].judgement.tau = 1000.0;
  EXPECT_EQ(run_blocking(testing::fake_config(), rows).rounds, 0U);
  EXPECT_EQ(run_blocking(pure_config(), rows).rounds, 8U) << "four times the median";
  for (RealizationRow& row : rows) row.judgement.tau = 100.0;
  EXPECT_EQ(run_blocking(pure_config(), rows).tau, 0.0) << "too long for two blocks";
  for (RealizationRow& row : rows) row.rounds = 4096, row.judgement.tau = 2.0;
  EXPECT_EQ(run_blocking(pure_config(), rows).rounds, 128U) << "sixteen blocks";
}

}}  // namespace glassworks
