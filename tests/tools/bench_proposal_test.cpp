#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"
#include "tools/bench/proposal.hpp"
#include "tools/bench/proposal_pilots.hpp"

namespace glassworks::testing { namespace {

using ::testing::HasSubstr;

PilotLength ended(double rounds, double tau = 1.0) { return {rounds, rounds, tau, true, true}; }

constexpr ConvergenceConfig wide = {.min_rounds = 1, .max_rounds = 1000000};

TEST(MeanRounds, OfAllRealizationsAreTheirMean) {
  const std::vector<PilotLength> pilots = {ended(16), ended(20), ended(60)};
  const Ranged mean = mean_rounds(pilots, wide, 3);
  EXPECT_DOUBLE_EQ(mean.value, 32.0);
  EXPECT_DOUBLE_EQ(mean.low, 32.0);
  EXPECT_DOUBLE_EQ(mean.high, 32.0);
  const Ranged of_more = mean_rounds(pilots, wide, 1000);
  EXPECT_DOUBLE_EQ(of_more.value, 32.0);
  EXPECT_LT(of_more.low, 26.0);
  EXPECT_GT(of_more.high, 40.0);
}

TEST(MeanRounds, StayBetweenMinimumAndMaximum) {
  const ConvergenceConfig config = {.min_rounds = 16, .max_rounds = 20};
  const Ranged mean = mean_rounds(std::vector{ended(16), ended(20)}, config, 100);
  EXPECT_EQ(mean.low, 16.0);
  EXPECT_EQ(mean.high, 20.0);
}

/// Looks at 16, 20, 25, 31, ... rounds.
TEST(MeanRounds, OfPilotsThatGoOnLieBetweenTheNextLookAndTwiceWhatIsExpected) {
  const ConvergenceConfig config = {.min_rounds = 16, .max_rounds = 100};
  const std::vector<PilotLength> pilots = {
      {.rounds = 20, .expected = 40, .tau = 1.0, .ended = false, .resolved = true}};
  const Ranged mean = mean_rounds(pilots, config, 1);
  EXPECT_DOUBLE_EQ(mean.value, 40.0);
  EXPECT_DOUBLE_EQ(mean.low, 25.0);
  EXPECT_DOUBLE_EQ(mean.high, 80.0);
}

TEST(MeanRounds, OfWordsPayForTheirLongestMember) {
  const std::vector<PilotLength> pilots = {ended(16), ended(48)};
  EXPECT_DOUBLE_EQ(mean_rounds(pilots, wide, 100, {2, 1.0}).value, 48.0 * 0.75 + 16.0 * 0.25) << "largest of two draws";
  EXPECT_DOUBLE_EQ(mean_rounds(pilots, wide, 100, {2, 0.5}).value, 36.0);
  EXPECT_NEAR(mean_rounds(pilots, wide, 100, {128, 1.0}).value, 48.0, 1e-9);
}

/// Log-normal lengths of known mean. The seed is fixed: nothing here can fail by chance.
TEST(MeanRounds, OfGroupsAreThoseWithinWhichAShareOfThemEnds) {
  const std::vector pilots = {ended(16), ended(20), ended(24), ended(30), ended(80)};
  ConvergenceConfig config = wide;
  config.group_share = 0.8;
  EXPECT_DOUBLE_EQ(mean_rounds(pilots, config, 5).value, (4 * 30 + 80) / 5.0);
  config.group_n_tau = 0.5 * config.n_tau;
  EXPECT_DOUBLE_EQ(mean_rounds(pilots, config, 5).value, (4 * 30 + 40) / 5.0);
  EXPECT_NEAR(mean_rounds(pilots, config, 1000, {128, 1.0}).value, 40.0, 1e-9)
      << "the word goes on with its last member";
}

TEST(StatisticsProposal, EndsHoldTheMeanOfABroadDistribution) {
  constexpr int trials = 400, n = 16;
  for (const double width : {0.2, 0.8}) {
    const double truth = 40.0 * std::exp(0.5 * width * width);
    std::mt19937_64 words(5);
    std::lognormal_distribution<double> length(std::log(40.0), width);
    int inside = 0, within_two = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<PilotLength> pilots(n);
      for (PilotLength& p : pilots) p = ended(length(words));
      const Ranged mean = mean_rounds(pilots, wide, 100000);
      inside += mean.low <= truth && truth <= mean.high ? 1 : 0;
      within_two += mean.value < 2.0 * truth && truth < 2.0 * mean.value ? 1 : 0;
      EXPECT_LT(mean.high / mean.low, 4.0);
    }
    EXPECT_GT(inside, 0.85 * trials) << width;
    EXPECT_GT(within_two, 0.98 * trials) << width;
  }
}

TEST(GrowthOfTau, IsThatOfAPowerLaw) {
  std::vector<PilotedSize> sizes;
  for (const int L : {4, 6, 8}) sizes.push_back({L, 10, {ended(16, std::pow(L, 3.0)), ended(16, std::pow(L, 3.0))}});
  const Growth growth = growth_of_tau(sizes);
  EXPECT_NEAR(growth.exponent, 3.0, 1e-12);
  EXPECT_NEAR(growth.low, 2.25, 1e-6);
  EXPECT_NEAR(growth.high, 4.5, 1e-6);
  EXPECT_EQ(growth.sizes, (std::vector{4, 6, 8}));
}

TEST(GrowthOfTau, IsAssumedWhereASizeIsAlone) {
  const Growth growth = growth_of_tau(std::vector<PilotedSize>{{4, 10, {ended(16, 5.0)}}, {6, 10, {ended(16, 0.0)}}});
  EXPECT_EQ(growth.exponent, 4.0);
  EXPECT_TRUE(growth.sizes.empty());
}

TEST(ExtrapolatedRounds, FollowTheTimeAndTheLooks) {
  const ConvergenceConfig config = {.min_rounds = 16, .max_rounds = 1000, .n_tau = 20.0};
  const Growth growth = {.exponent = 2.0, .low = 0.0, .high = 3.0, .sizes = {4, 6}};
  // tau 8 measurements of 10 a round: 16 rounds at L = 4, 64 at L = 8, where looks are after 58 and 72 rounds.
  const Ranged rounds = extrapolated_rounds({4, 10, {ended(16, 8.0)}}, growth, 8, 10, config, 100);
  EXPECT_DOUBLE_EQ(rounds.value, 72.0);
  EXPECT_EQ(rounds.low, 16.0);
  EXPECT_GT(rounds.high, 128.0);
  // A round of twice as many measurements; and what a pilot needed for other reasons grows as well.
  EXPECT_DOUBLE_EQ(extrapolated_rounds({4, 10, {ended(16, 8.0)}}, growth, 8, 20, config, 100).value, 38.0);
  EXPECT_GT(extrapolated_rounds({4, 10, {ended(31, 1.0)}}, growth, 8, 10, config, 100).value, 3.0 * 31.0);
}

TEST(PilotBatch, FillsTheThreadsWithinTheTime) {
  const ConvergenceConfig config = {.min_rounds = 16, .max_rounds = 1000};
  PilotLimits limits = {.seconds = 72.0, .round_seconds = 0.1, .threads = 4, .largest = 1000, .realizations = 1000};
  EXPECT_EQ(pilot_batch(limits, config), 8) << "720 rounds, a third of them, 24 each: 10";
  limits.seconds = 3.3;
  EXPECT_EQ(pilot_batch(limits, config), 4);
  limits.seconds = 3.1;
  EXPECT_EQ(pilot_batch(limits, config), 0) << "eight rounds of four";
  limits.seconds = 1e6;
  EXPECT_EQ(pilot_batch(limits, config), 64);
  limits.realizations = 6;
  EXPECT_EQ(pilot_batch(limits, config), 6);
  limits.preferred = 512;
  limits.seconds = 1.0;
  EXPECT_EQ(pilot_batch(limits, config), 0) << "a device takes as long with fewer";
}

class BenchProposal : public SmallCampaign {
 protected:
  [[nodiscard]] Config small() const {
    Config run = config("proposed");
    run.backend.options.kind = BackendKind::cpu;
    return run;
  }
};

/// The rule of the campaign, on the same chains: the lengths are the same.
TEST_F(BenchProposal, PilotsAreRealizationsOfTheCampaign) {
  const Config run = small();
  const auto backend = make_backend(run.backend.options);
  RoundControl control;
  const PilotLimits limits = {.seconds = 600.0, .round_seconds = 1e-3, .threads = 1, .largest = 100, .realizations = 6};
  const PilotOutcome outcome = run_pilots(run, make_chain(run, 0), *backend, true, limits, control);
  ASSERT_EQ(run_campaign(run), RunOutcome::complete);
  const std::vector<RealizationRow> rows = read_campaign(run).realizations();
  ASSERT_EQ(outcome.pilots.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(outcome.pilots[i].rounds, rows[i].rounds);
    EXPECT_TRUE(outcome.pilots[i].ended);
    EXPECT_DOUBLE_EQ(outcome.pilots[i].tau, rows[i].judgement.tau);
  }
  EXPECT_GT(outcome.seconds, 0.0);
}

TEST_F(BenchProposal, EstimatesAllSizesAndCreatesNothing) {
  ProposalOptions options{.file = "small.cfg", .config = small(), .seconds = 20.0};
  options.config.model.L = {6, 4};
  options.config.convergence.min_rounds = 8;
  RoundControl control;
  const Proposal p = propose(options, make_worker_backends(options.config), control);
  ASSERT_EQ(p.sizes.size(), 2U);
  EXPECT_EQ(p.sizes[0].L, 4);
  EXPECT_EQ(p.sizes[0].ended, 6);
  EXPECT_DOUBLE_EQ(p.sizes[0].rounds.low, p.sizes[0].rounds.high) << "all realizations are pilots";
  EXPECT_NEAR(p.hours().value, p.sizes[0].hours.value + p.sizes[1].hours.value, 1e-12);
  const std::string text = proposal_text(options, p);
  EXPECT_THAT(text, HasSubstr("L = 6: 6 realizations, 5 temperatures: "));
  EXPECT_THAT(text, HasSubstr("measured: 6 pilots, of which 6 ended and the longest took 20"));
  EXPECT_THAT(text, HasSubstr("Together: "));
  EXPECT_THAT(proposal_json(options, p), HasSubstr("\"rounds_from\": \"pilots\""));
  EXPECT_FALSE(std::filesystem::exists(options.config.campaign.directory));
}

TEST_F(BenchProposal, TellsWhatIsExtrapolatedAndWhatIsNotKnown) {
  ProposalOptions options{.file = "small.cfg", .config = small(), .seconds = 1e-3};
  RoundControl control;
  const Proposal p = propose(options, make_worker_backends(options.config), control);
  EXPECT_EQ(p.sizes[0].source, SizeProposal::Source::unknown);
  EXPECT_EQ(p.sizes[0].rounds.low, 8.0);
  EXPECT_EQ(p.sizes[0].rounds.high, 20.0);
  EXPECT_THAT(proposal_text(options, p), HasSubstr("not known"));
  Proposal grown = p;
  grown.sizes[0].source = SizeProposal::Source::extrapolated;
  grown.growth = {.exponent = 3.0, .low = 2.25, .high = 4.5, .sizes = {4, 6}};
  EXPECT_THAT(proposal_text(options, grown),
              HasSubstr("extrapolated: tau grows as L^3 (2.2 to 4.5), fitted to the pilots of L = 4, 6"));
}

TEST_F(BenchProposal, AStopEndsThePilots) {
  ProposalOptions options{.file = "small.cfg", .config = small(), .seconds = 600.0};
  RoundControl control;
  control.stop = true;
  const Proposal p = propose(options, make_worker_backends(options.config), control);
  EXPECT_TRUE(p.stopped);
  EXPECT_TRUE(p.sizes.empty());
}

TEST_F(BenchProposal, Refusals) {
  ProposalOptions options{.file = "small.cfg", .config = small(), .seconds = 1.0};
  options.config.course.sweeps.count = 10;
  RoundControl control;
  EXPECT_THAT([&] { return propose(options, make_worker_backends(options.config), control); },
              Refuses(InputFault::conflict, "bench --proposal"));
}

TEST(SumOfIndependent, AddsDistancesAsSquares) {
  const Ranged sum = sum_of_independent({{10.0, 7.0, 13.0}, {20.0, 16.0, 24.0}});
  EXPECT_DOUBLE_EQ(sum.value, 30.0);
  EXPECT_DOUBLE_EQ(sum.low, 25.0);
  EXPECT_DOUBLE_EQ(sum.high, 35.0);
}

}}  // namespace glassworks::testing
