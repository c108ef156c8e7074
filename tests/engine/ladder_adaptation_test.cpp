#include "engine/ladder/ladder_adaptation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "engine/loading/config_validate.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;

using Rejection = std::function<double(double T_low, double T_high)>;

std::vector<double> linear_ladder(double T_min, double T_max, int slots) {
  std::vector<double> temperatures;
  for (int i = 0; i < slots; ++i) temperatures.push_back(T_min + (T_max - T_min) * i / (slots - 1));
  temperatures.back() = T_max;
  return temperatures;
}

LadderStage stage_with(std::vector<double> temperatures, std::vector<std::uint64_t> attempts,
                       std::vector<std::uint64_t> accepted) {
  LadderStage stage;
  stage.walk_up.assign(temperatures.size(), 0);
  stage.walk_down.assign(temperatures.size(), 0);
  stage.temperatures = std::move(temperatures);
  stage.exchange_attempts = std::move(attempts);
  stage.exchange_accepted = std::move(accepted);
  return stage;
}

/// Independent Gaussian energies with c sites = cN: acceptance erfc((1/2) ln(T_{i+1}/T_i) sqrt(cN)).
Rejection gaussian_energies(double cN) {
  return [cN](double low, double high) { return std::erf(0.5 * std::log(high / low) * std::sqrt(cN)); };
}

/// A stage with the rounded expectation, or, given a generator, a draw, of the acceptances.
LadderStage simulated(const std::vector<double>& temperatures, const Rejection& rejection, std::uint64_t attempts,
                      std::mt19937_64* generator = nullptr) {
  std::vector<std::uint64_t> accepted;
  for (std::size_t i = 0; i + 1 < temperatures.size(); ++i) {
    const double p = 1.0 - rejection(temperatures[i], temperatures[i + 1]);
    accepted.push_back(generator != nullptr
                           ? std::binomial_distribution<std::uint64_t>(attempts, p)(*generator)
                           : static_cast<std::uint64_t>(std::llround(p * static_cast<double>(attempts))));
  }
  return stage_with(temperatures, std::vector<std::uint64_t>(accepted.size(), attempts), accepted);
}

LadderConfig adapted(LadderAdaptation kind, std::vector<int> slots, int rounds = 12) {
  LadderConfig ladder;
  ladder.adapt = kind;
  ladder.slots = std::move(slots);
  ladder.adapt_rounds = rounds;
  return ladder;
}

/// All stages of an adaptation.
std::vector<LadderStage> adapt(const LadderConfig& ladder, std::vector<double> temperatures, const Rejection& rejection,
                               std::uint64_t attempts = 1'000'000'000, std::mt19937_64* generator = nullptr) {
  std::vector<LadderStage> stages;
  while (static_cast<int>(stages.size()) < ladder.adapt_rounds) {
    stages.push_back(simulated(temperatures, rejection, attempts, generator));
    temperatures = next_temperatures(ladder, stages);
  }
  return stages;
}

double largest_deviation_from_geometric(const std::vector<double>& T) {
  double worst = 0.0;
  for (std::size_t i = 0; i < T.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(T.size() - 1);
    worst = std::max(worst, std::fabs(T[i] / (T.front() * std::pow(T.back() / T.front(), part)) - 1.0));
  }
  return worst;
}

void expect_valid(const std::vector<double>& T, double T_min, double T_max) {
  EXPECT_EQ(T.front(), T_min);
  EXPECT_EQ(T.back(), T_max);
  for (std::size_t i = 0; i + 1 < T.size(); ++i) {
    EXPECT_LT(T[i], T[i + 1]);
    EXPECT_GT(static_cast<float>(1.0 / T[i]), static_cast<float>(1.0 / T[i + 1])) << "slot " << i;
  }
}

TEST(LadderAdaptation, RejectionsStayBetweenZeroAndOne) {
  const LadderStage stage = stage_with({1, 2, 3, 4, 5}, {0, 99, 99, 99}, {0, 99, 0, 66});
  const std::vector<double> r = pair_rejections(stage);
  const double mean = 132.5 / 298.0;
  EXPECT_DOUBLE_EQ(r[0], mean) << "a pair without attempts has the mean";
  EXPECT_DOUBLE_EQ(r[1], mean / 100.0);
  EXPECT_DOUBLE_EQ(r[2], (99.0 + mean) / 100.0);
  EXPECT_DOUBLE_EQ(r[3], (33.0 + mean) / 100.0);
  for (const std::uint64_t accepted : {0U, 7U}) {
    for (const double each : pair_rejections(stage_with({1, 2, 3}, {7, 7}, {accepted, accepted}))) {
      EXPECT_GT(each, 0.0);
      EXPECT_LT(each, 1.0);
    }
  }
}

/// x from 0.01 to 2.75 is r from 0.01 to 0.9999.
TEST(LadderAdaptation, LengthsOfGaussianEnergiesAddUp) {
  for (double x = 0.01; x < 2.75; x += 0.01) {
    const auto accepted = static_cast<std::uint64_t>(std::llround(std::erfc(x) * 1e12));
    const double length = pair_lengths(stage_with({1, 2}, {1'000'000'000'000}, {accepted})).front();
    const double exact = 2.0 * std::numbers::inv_sqrtpi * x;
    EXPECT_NEAR(length / exact, 1.0, x < 1.0 ? 0.06 : 0.15) << "x = " << x;
  }
}

/// Lambda = sqrt(c N / pi) ln(T_max / T_min): 24 for c N = 1.1 x 512 and T = 0.1 to 0.6, whatever the slots.
TEST(LadderAdaptation, BarrierOfConstantSpecificHeat) {
  const double exact = std::sqrt(1.1 * 512 / std::numbers::pi) * std::log(6.0);
  EXPECT_NEAR(exact, 24.0, 0.05);
  for (const int slots : {20, 30, 60}) {
    const LadderStage stage = simulated(linear_ladder(0.1, 0.6, slots), gaussian_energies(1.1 * 512), 1'000'000'000);
    const double Lambda = communication_barrier(stage);
    EXPECT_NEAR(Lambda / exact, 1.0, 0.12) << slots << " slots";
    EXPECT_EQ(suggested_slots(Lambda), std::lround(2.0 * Lambda) + 1);
  }
  EXPECT_EQ(suggested_slots(0.0), 2);
  EXPECT_EQ(suggested_slots(1e5), max_slots);
  EXPECT_DOUBLE_EQ(round_trip_rate_bound(0.0), 0.5) << "nothing in the way: 2 slots, a round trip takes 4 steps of 2";
  EXPECT_DOUBLE_EQ(round_trip_rate_bound(24.0), 0.02);
}

TEST(LadderAdaptation, ConstantSpecificHeatBecomesGeometric) {
  for (const auto& [cN, slots] : {std::pair{64.0, 6}, {64.0, 12}, {216.0, 24}, {4000.0, 100}, {3.0, 12}}) {
    const auto stages =
        adapt(adapted(LadderAdaptation::rejection, {slots}), linear_ladder(0.1, 1.0, slots), gaussian_energies(cN));
    EXPECT_GT(largest_deviation_from_geometric(stages.front().temperatures), 0.8);
    EXPECT_LT(largest_deviation_from_geometric(stages.back().temperatures), 0.01) << cN << ", " << slots << " slots";
    expect_valid(stages.back().temperatures, 0.1, 1.0);
  }
}

/// Counts of a real adaptation: 8 pilots, 2 copies, 500 exchanges, so a = 8000 attempts of each pair and stage, drawn
/// binomially. The last placement takes w = 5 stages, so r of a placed pair has a standard error of
/// sqrt(r (1 - r)/(w a)) = 0.0023 at r = 0.7, to which the measurement over 3 stages adds 0.0030. 11 pairs within 5
/// standard errors of their mean: false alarm 1e-5, and the seed is fixed.
TEST(LadderAdaptation, NoiseOfTheCountsIsAllThatRemains) {
  std::mt19937_64 generator(1);
  const auto stages = adapt(adapted(LadderAdaptation::rejection, {12}), linear_ladder(0.1, 1.0, 12),
                            gaussian_energies(64.0), 8000, &generator);
  const std::vector<double> r = pair_rejections(sum_of_stages(std::span(stages).last(3)));
  double mean = 0.0;
  for (const double each : r) mean += each / static_cast<double>(r.size());
  for (const double each : r) EXPECT_NEAR(each, mean, 5.0 * 0.0038);
}

TEST(LadderAdaptation, EqualRejectionsStayWhereTheyAre) {
  std::vector<double> T;
  for (int i = 0; i < 9; ++i) T.push_back(0.2 * std::pow(4.0, i / 8.0));
  const std::vector<double> placed =
      equal_rejection_ladder(stage_with(T, std::vector<std::uint64_t>(8, 1000), std::vector<std::uint64_t>(8, 300)), 9);
  for (std::size_t i = 0; i < T.size(); ++i) EXPECT_NEAR(placed[i] / T[i], 1.0, 1e-13);
}

TEST(LadderAdaptation, MoreOrFewerSlotsKeepTheEnds) {
  const LadderStage stage = simulated(linear_ladder(0.1, 1.0, 24), gaussian_energies(64.0), 1'000'000);
  for (const int slots : {2, 3, 11, 24, 61, 1024}) {
    const std::vector<double> placed = equal_rejection_ladder(stage, slots);
    ASSERT_EQ(placed.size(), static_cast<std::size_t>(slots));
    expect_valid(placed, 0.1, 1.0);
  }
  for (const int slots : {2, 3}) {  // too few for a cubic
    const LadderStage few = simulated(linear_ladder(0.5, 1.0, slots), gaussian_energies(64.0), 1'000'000);
    expect_valid(equal_rejection_ladder(few, 7), 0.5, 1.0);
  }
}

/// A first-order jump at T = 0.5 and nothing elsewhere draws all temperatures to it, but they stay distinct.
TEST(LadderAdaptation, AJumpDoesNotMergeTemperatures) {
  const Rejection jump = [](double low, double high) { return low < 0.5 && 0.5 <= high ? 0.999 : 0.0; };
  const LadderConfig ladder = adapted(LadderAdaptation::rejection, {40}, 1000);
  std::vector<double> T = linear_ladder(0.1, 1.0, 40);
  for (int i = 0; i < 60; ++i) {
    T = equal_rejection_ladder(simulated(T, jump, 1'000'000), 40);
    expect_valid(T, 0.1, 1.0);
  }
  EXPECT_LT(std::fabs(T[20] - 0.5), 0.01) << "close to the jump all the same";
}

TEST(LadderAdaptation, ARangeTooNarrowForMoreSlotsKeepsItsLadder) {
  const std::vector<double> T{0.5, 0.500001};  // 16 single-precision betas
  const LadderStage stage = simulated(T, gaussian_energies(64.0), 1000);
  EXPECT_EQ(equal_rejection_ladder(stage, 200), T);
  EXPECT_EQ(equal_rejection_ladder(stage, 4).size(), 4U);
}

/// Walkers that diffuse with D(T) = T^2 between a source at T_min and a sink at T_max have Delta f ~ (Delta T)^2 / D
/// (one hop per interval); the optimal density 1/sqrt(D) is geometric.
TEST(LadderAdaptation, FeedbackPlacesByTheDiffusivity) {
  for (const int slots : {8, 30}) {
    std::vector<double> T = linear_ladder(0.2, 1.0, slots);
    for (int placement = 0; placement < 4; ++placement) {
      LadderStage stage = stage_with(T, {}, {});
      std::vector<double> f{1.0};
      for (std::size_t i = 0; i + 1 < T.size(); ++i) {
        f.push_back(f.back() - (T[i + 1] - T[i]) * (T[i + 1] - T[i]) / (T[i] * T[i + 1]));
      }
      for (std::size_t i = 0; i < T.size(); ++i) {
        const double fraction = (f[i] - f.back()) / (1.0 - f.back());
        stage.walk_up[i] = static_cast<std::uint64_t>(std::llround(1e9 * fraction));
        stage.walk_down[i] = 1'000'000'000 - stage.walk_up[i];
      }
      T = feedback_ladder(stage, slots);
      expect_valid(T, 0.2, 1.0);
    }
    EXPECT_LT(largest_deviation_from_geometric(T), 0.01) << slots;
  }
}

TEST(LadderAdaptation, FeedbackSmoothsWhatRisesAndSkipsWhatIsMissing) {
  LadderStage stage = stage_with(linear_ladder(0.2, 1.0, 9), {}, {});
  stage.walk_up = {100, 90, 65, 85, 0, 50, 20, 30, 0};  // rises twice, no walker in slot 4
  stage.walk_down = {0, 10, 35, 15, 0, 50, 80, 70, 100};
  expect_valid(feedback_ladder(stage, 9), 0.2, 1.0);
  expect_valid(feedback_ladder(stage, 40), 0.2, 1.0);

  LadderStage sorted = stage;
  std::swap(sorted.walk_up[2], sorted.walk_up[3]);
  std::swap(sorted.walk_down[2], sorted.walk_down[3]);
  EXPECT_NE(feedback_ladder(sorted, 9), feedback_ladder(stage, 9)) << "falling fractions are not pooled";
  stage.walk_up[2] = stage.walk_up[3] = 75;
  stage.walk_down[2] = stage.walk_down[3] = 25;
  LadderStage pooled = stage;
  pooled.walk_up[2] = 74, pooled.walk_down[2] = 26, pooled.walk_up[3] = 76, pooled.walk_down[3] = 24;
  EXPECT_EQ(feedback_ladder(pooled, 9), feedback_ladder(stage, 9)) << "rising fractions are";
}

TEST(LadderAdaptation, FeedbackWithoutWalkersUsesRejections) {
  LadderStage stage = simulated(linear_ladder(0.2, 1.0, 6), gaussian_energies(64.0), 1'000'000);
  stage.walk_up = {100, 80, 60, 40, 20, 0};
  stage.walk_down = {0, 20, 40, 60, 80, 100};
  const LadderConfig feedback = adapted(LadderAdaptation::feedback, {6});
  stage.round_trips = 59;
  EXPECT_EQ(next_temperatures(feedback, std::span(&stage, 1)), equal_rejection_ladder(stage, 6));
  stage.round_trips = 60;
  EXPECT_EQ(next_temperatures(feedback, std::span(&stage, 1)), feedback_ladder(stage, 6));
  EXPECT_NE(feedback_ladder(stage, 6), equal_rejection_ladder(stage, 6));
}

std::vector<int> placements(int adapt_rounds) {
  std::vector<int> due;
  for (int stages = 1; stages <= adapt_rounds; ++stages) {
    if (placement_due(stages, adapt_rounds)) due.push_back(stages);
  }
  return due;
}

TEST(LadderAdaptation, PlacementsDoubleTheirDistance) {
  EXPECT_THAT(placements(2), ElementsAre(1));
  EXPECT_THAT(placements(3), ElementsAre(1, 2));
  EXPECT_THAT(placements(5), ElementsAre(1, 2, 4));
  EXPECT_THAT(placements(12), ElementsAre(1, 2, 4, 9));
  EXPECT_THAT(placements(16), ElementsAre(1, 3, 6, 12));
  EXPECT_THAT(placements(1000), ElementsAre(1, 2, 5, 11, 23, 46, 93, 187, 375, 750));
}

TEST(LadderAdaptation, APlacementTakesTheStagesSinceTheLastOne) {
  const LadderConfig ladder = adapted(LadderAdaptation::rejection, {8});
  const auto stages = adapt(ladder, linear_ladder(0.2, 1.0, 8), gaussian_energies(20.0));
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    const bool placed = placement_due(static_cast<int>(i) + 1, 12);
    EXPECT_EQ(stages[i].temperatures != stages[i + 1].temperatures, placed) << "after stage " << i;
  }
  std::vector<LadderStage> first(stages.begin(), stages.begin() + 9);
  first[8].exchange_accepted[3] -= 1'000'000;
  first[4].exchange_accepted[3] += 1'000'000;
  EXPECT_EQ(next_temperatures(ladder, first), stages[9].temperatures) << "stages 4 to 8 are summed";
  first[3].exchange_accepted[3] /= 2;
  EXPECT_EQ(next_temperatures(ladder, first), stages[9].temperatures) << "stage 3 had other temperatures";
  first[4].exchange_accepted[3] /= 2;
  EXPECT_NE(next_temperatures(ladder, first), stages[9].temperatures);
}

TEST(LadderAdaptation, AutomaticSlotsFollowTheBarrierAtTheLastPlacement) {
  const auto stages =
      adapt(adapted(LadderAdaptation::rejection, {}), linear_ladder(0.1, 1.0, 14), gaussian_energies(64.0));
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(stages[i].temperatures.size(), 14U);
  for (std::size_t i = 9; i < 12; ++i) EXPECT_EQ(stages[i].temperatures.size(), 22U);  // 2 x 10.4 + 1
  EXPECT_LT(largest_deviation_from_geometric(stages.back().temperatures), 0.01);
}

TEST(LadderAdaptation, SumsAreTakenOverEveryCount) {
  LadderStage a = stage_with({1, 2, 3}, {10, 20}, {1, 2}), b = stage_with({1, 2, 3}, {100, 200}, {10, 20});
  a.walk_up = {1, 2, 3}, b.walk_up = {10, 20, 30};
  a.walk_down = {4, 5, 6}, b.walk_down = {40, 50, 60};
  a.measurements = 7, b.measurements = 70;
  a.round_trips = 8, b.round_trips = 80;
  b.stage = 3;
  const std::vector<LadderStage> both{a, b};
  const LadderStage sum = sum_of_stages(both);
  EXPECT_THAT(sum.exchange_attempts, ElementsAre(110, 220));
  EXPECT_THAT(sum.exchange_accepted, ElementsAre(11, 22));
  EXPECT_THAT(sum.walk_up, ElementsAre(11, 22, 33));
  EXPECT_THAT(sum.walk_down, ElementsAre(44, 55, 66));
  EXPECT_EQ(sum.measurements, 77);
  EXPECT_EQ(sum.round_trips, 88U);
  EXPECT_EQ(sum.stage, 3);
}

/// The bits that every machine must find; they were computed by another program, in double precision too.
TEST(LadderAdaptation, BitsAreThoseOfEveryMachine) {
  LadderStage stage = stage_with({0.1, 0.2, 0.35, 0.6, 1.0}, {1000, 1001, 1000, 1001}, {13, 240, 555, 871});
  stage.walk_up = {500, 402, 301, 117, 0};
  stage.walk_down = {0, 97, 202, 391, 480};
  EXPECT_THAT(equal_rejection_ladder(stage, 5),
              ElementsAre(0.1, 0x1.0f1d757410ec7p-3, 0x1.87f78aec9067fp-3, 0x1.358005674006cp-2, 1.0));
  EXPECT_THAT(feedback_ladder(stage, 5),
              ElementsAre(0.1, 0x1.b89c5524b5961p-3, 0x1.88b962f2b9207p-2, 0x1.2e961d680d112p-1, 1.0));
}

}}  // namespace glassworks
