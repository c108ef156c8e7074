#include "scheduler/convergence/stopping_groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

#include "engine/bins/looks.hpp"
#include "tests/scheduler/decision_fixture.hpp"

namespace glassworks::testing { namespace {

TEST(StoppingGroups, AreWholeOnesOfTheConfiguration) {
  Config config;
  config.model.L = {4, 6};
  config.disorder.realizations = {300, 128};
  config.disorder.first_realization = 100;
  config.convergence.group_share = 0.95;
  EXPECT_FALSE(StoppingGroups(config).exist()) << "no words";
  config.protocol.multispin = MultispinRule::metropolis;
  const StoppingGroups groups(config);
  ASSERT_TRUE(groups.exist());
  EXPECT_EQ(groups.size(), 128U);
  EXPECT_EQ(groups.needed(), 122U);
  EXPECT_EQ(groups.of({4, 127}), std::nullopt) << "100 to 127 are a part of a group";
  EXPECT_EQ(groups.of({4, 128}), 1U);
  EXPECT_EQ(groups.of({4, 383}), 2U);
  EXPECT_EQ(groups.of({4, 384}), std::nullopt);
  EXPECT_EQ(groups.of({6, 200}), std::nullopt) << "128 realizations from 100 on hold no whole group";
  config.convergence.group_share = 0.0;
  EXPECT_FALSE(StoppingGroups(config).exist());
  config.convergence = {.lengths = Lengths::given, .group_share = 0.95};
  EXPECT_FALSE(StoppingGroups(config).exist()) << "lengths are given";
}

/// A group whose looks are planted: member i meets the criteria, or passes with its group, after so many rounds or not.
class PlantedGroup : public ::testing::Test {
 protected:
  static constexpr std::size_t members = 6, needed = 4;
  const ConvergenceConfig config_{.min_rounds = 8, .max_rounds = 20};  // looks after 8, 10, 12, 15, 18 and 20 rounds
  const std::vector<std::uint32_t> looks_ = {8, 10, 12, 15, 18, 20};
  std::vector<std::vector<bool>> meets_, passes_;  // [member][look]

  void plant(std::mt19937& random, double probability) {
    const auto draw = [&](double p) { return std::bernoulli_distribution(p)(random); };
    meets_.assign(members, {});
    passes_.assign(members, {});
    for (std::size_t i = 0; i < members; ++i) {
      for (std::size_t k = 0; k < looks_.size(); ++k) {
        meets_[i].push_back(draw(probability));
        passes_[i].push_back(meets_[i][k] || draw(0.3));
      }
    }
  }
  [[nodiscard]] std::size_t index(std::uint32_t rounds) const {
    return static_cast<std::size_t>(std::ranges::find(looks_, rounds) - looks_.begin());
  }
  /// As decide_in_group leaves the row of a member after a round.
  void look(RealizationRow& row) const {
    const std::size_t i = row.key.realization, k = index(row.rounds);
    row.status = row.status == RealizationStatus::queued ? RealizationStatus::equilibrating : row.status;
    if (k == looks_.size()) return;
    const bool last = row.rounds == looks_.back();
    row.judgement.expected_rounds = passes_[i][k] || last ? row.rounds : row.rounds + 1;
    row.status = meets_[i][k]             ? last ? RealizationStatus::converged : RealizationStatus::producing
                 : last && !passes_[i][k] ? RealizationStatus::failed
                                          : RealizationStatus::equilibrating;
  }
  [[nodiscard]] EarlierLook earlier() const {
    return
        [this](const RealizationRow& row, std::uint32_t rounds) { return meets_[row.key.realization][index(rounds)]; };
  }
  [[nodiscard]] GroupProgress progress(const std::vector<RealizationRow>& rows, GroupProgress before) const {
    std::vector<const RealizationRow*> members_of_group;
    for (const RealizationRow& row : rows) members_of_group.push_back(&row);
    return group_progress(config_, members_of_group, needed, before, earlier());
  }

  /// What the definition says, without any order of work: rounds and whether each has converged.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, bool>> defined() const {
    std::size_t stop = looks_.size() - 1;  // at the last look each is decided by itself
    bool stopped = false;
    for (std::size_t k = 0; k + 1 < looks_.size() && !stopped; ++k) {
      stopped =
          std::ranges::count_if(meets_, [&](const auto& m) { return m[k]; }) >= static_cast<std::ptrdiff_t>(needed);
      if (stopped) stop = k;
    }
    std::vector<std::pair<std::uint32_t, bool>> ends;
    for (std::size_t i = 0; i < members; ++i) {
      std::size_t k = stop;
      const auto accepted = [&] { return stopped ? passes_[i][k] : meets_[i][k]; };
      while (!accepted() && k + 1 < looks_.size()) ++k;
      ends.emplace_back(looks_[k], accepted());
    }
    return ends;
  }

  /// The same by rounds of any member that may go on, in any order; `forget`: as processes that begin anew.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, bool>> simulated(std::mt19937& random, bool forget) const {
    std::vector<RealizationRow> rows(members);
    for (std::size_t i = 0; i < members; ++i) rows[i].key = {4, static_cast<std::uint32_t>(i)};
    GroupProgress known;
    for (;;) {
      known = progress(rows, forget && random() % 4 == 0 ? GroupProgress{} : known);
      std::vector<RealizationRow*> free;
      bool open = false;
      for (RealizationRow& row : rows) {
        if (is_finished(row.status)) continue;
        const MemberFate fate = fate_of(config_, row, known);
        if (fate == MemberFate::converged) row.status = RealizationStatus::converged;
        if (fate == MemberFate::failed) row.status = RealizationStatus::failed;
        open = open || !is_finished(row.status);
        if (fate == MemberFate::goes_on) free.push_back(&row);
      }
      if (!open) break;
      if (free.empty()) {
        ADD_FAILURE() << "all wait for each other";
        break;
      }
      RealizationRow& row = *free[random() % free.size()];
      ++row.rounds;
      look(row);
    }
    std::vector<std::pair<std::uint32_t, bool>> ends;
    for (const RealizationRow& row : rows) ends.emplace_back(row.rounds, row.status == RealizationStatus::converged);
    return ends;
  }
};

TEST_F(PlantedGroup, EndsAsDefinedInAnyOrderOfWork) {
  std::mt19937 random(3);
  int stopped_early = 0;
  for (int trial = 0; trial < 600; ++trial) {
    plant(random, trial % 2 == 0 ? 0.4 : 0.6);
    const auto ends = defined();
    stopped_early += std::ranges::count(ends, std::pair<std::uint32_t, bool>{20, false}) == 0 ? 1 : 0;
    ASSERT_EQ(simulated(random, false), ends) << trial;
    ASSERT_EQ(simulated(random, true), ends) << trial;
  }
  EXPECT_GT(stopped_early, 100);
  EXPECT_LT(stopped_early, 590);
}

TEST_F(PlantedGroup, WaitsForThoseThatCanStillDecide) {
  meets_ = {members, std::vector<bool>(looks_.size(), true)};
  passes_ = meets_;
  std::vector<RealizationRow> rows(members);
  for (std::size_t i = 0; i < members; ++i) rows[i].key = {4, static_cast<std::uint32_t>(i)};
  const auto bring = [&](std::size_t i, std::uint32_t rounds) {
    rows[i].rounds = rounds;
    look(rows[i]);
  };
  for (std::size_t i = 0; i < needed - 1; ++i) bring(i, 8);
  GroupProgress now = progress(rows, {});
  EXPECT_EQ(now.stopped, 0U);
  EXPECT_EQ(fate_of(config_, rows[0], now), MemberFate::waits);
  EXPECT_EQ(fate_of(config_, rows[needed], now), MemberFate::goes_on);
  bring(needed - 1, 8);
  now = progress(rows, now);
  EXPECT_EQ(now.stopped, 8U) << "what the others will show no longer matters";
  EXPECT_EQ(fate_of(config_, rows[0], now), MemberFate::converged);
  EXPECT_EQ(fate_of(config_, rows[needed], now), MemberFate::goes_on) << "before its first look";
}

TEST_F(PlantedGroup, DoesNotWaitForQuarantinedMembers) {
  meets_ = {members, std::vector<bool>(looks_.size(), false)};
  passes_ = meets_;
  std::vector<RealizationRow> rows(members);
  for (std::size_t i = 0; i < members; ++i) {
    rows[i].key = {4, static_cast<std::uint32_t>(i)};
    rows[i].rounds = 8;
    look(rows[i]);
  }
  rows[2].rounds = 3;
  EXPECT_EQ(fate_of(config_, rows[0], progress(rows, {})), MemberFate::waits);
  rows[2].status = RealizationStatus::quarantined;
  EXPECT_EQ(progress(rows, {}).decided, 8U);
  EXPECT_EQ(fate_of(config_, rows[0], progress(rows, {})), MemberFate::goes_on);
}

class MemberDecision : public DecisionTest {
 protected:
  static constexpr std::size_t members = 128;
  [[nodiscard]] static Evidence deviating(double deviation, std::uint32_t rounds = 20) {
    Evidence e = evidence(rows_long_enough(rounds), 10.0, 1000, deviation);
    e.log_binning.batches = 8;
    e.log_binning.limit = deviation_limit(e.log_binning.comparisons.size(), 8);
    return e;
  }
  static std::uint32_t rows_long_enough(std::uint32_t rounds) { return rounds; }
};

TEST_F(MemberDecision, GoesOnWhereItMeetsTheCriteria) {
  const Evidence e = deviating(1.0);
  ASSERT_EQ(decide(config_, e).status, RealizationStatus::converged);
  const Decision decision = decide_in_group(config_, e, members);
  EXPECT_EQ(decision.status, RealizationStatus::producing);
  EXPECT_EQ(decision.judgement.expected_rounds, 20U);
  EXPECT_EQ(decide_in_group(config_, deviating(1.0, 32), members).status, RealizationStatus::converged) << "max_rounds";
}

TEST_F(MemberDecision, HasTheLevelOfTheGroupForItsTests) {
  const double alone = deviation_limit(2, 8), together = deviation_limit(2 * members, 8);
  ASSERT_GT(together, 1.5 * alone);
  const Decision passes = decide_in_group(config_, deviating(0.5 * (alone + together)), members);
  EXPECT_EQ(passes.status, RealizationStatus::equilibrating);
  EXPECT_EQ(passes.judgement.expected_rounds, 20U);
  EXPECT_THAT(passes.reason, ::testing::StartsWith("by the limits of its group: "));
  const Decision deviates = decide_in_group(config_, deviating(1.1 * together), members);
  EXPECT_EQ(deviates.status, RealizationStatus::equilibrating);
  EXPECT_GT(deviates.judgement.expected_rounds, 20U);
  EXPECT_EQ(decide_in_group(config_, deviating(1.1 * together, 32), members).status, RealizationStatus::failed);
}

TEST_F(MemberDecision, HasNoAllowanceForTimesOfTheSpins) {
  config_.rule_given = 2;
  Evidence e = deviating(1.0);
  e.trips_of_copies = {500, 500};
  e.cold = {{"q^2", {80.0, true}, 120.0}};  // 2000 measurements: 25 or 17 of them
  EXPECT_EQ(decide(config_, e).status, RealizationStatus::equilibrating);
  EXPECT_EQ(decide_in_group(config_, e, members).judgement.expected_rounds, 20U);
  e.cold.front() = {"q^2", {101.0, true}, 120.0};
  EXPECT_GT(decide_in_group(config_, e, members).judgement.expected_rounds, 20U);
}

TEST_F(MemberDecision, MayHaveAShorterHistoryThanItsGroup) {
  config_.rule_given = 2;
  config_.group_share = 0.8;
  Evidence e = deviating(1.0);
  e.trips_of_copies = {500, 500};
  e.cold = {{"q^2", {190.0, true}, 300.0}};  // 2000 measurements: 10.5 of them
  EXPECT_GT(decide_in_group(config_, e, members).judgement.expected_rounds, 20U);
  config_.group_n_tau = 10.0;
  const Decision passes = decide_in_group(config_, e, members);
  EXPECT_EQ(passes.status, RealizationStatus::equilibrating) << "it does not count among those that stop the group";
  EXPECT_EQ(passes.judgement.expected_rounds, 20U);
  EXPECT_THAT(passes.reason, ::testing::HasSubstr("(10 tau needed)"));
  EXPECT_EQ(passes.judgement.equilibration_rounds, 10U) << "half of it: ten tau are as long";
  e.cold.front().time.tau = 201.0;
  EXPECT_GT(decide_in_group(config_, e, members).judgement.expected_rounds, 20U);
}

/// A test of a realization that looks at its own average selects histories: those that stop when their average is
/// negative are negative in the mean. With a group nearly all stop at a time that the others choose. 1500 groups of
/// six: the mean over all members has a standard error of 0.003.
TEST_F(PlantedGroup, StatisticsAGroupSelectsLessThanTheRealizationAlone) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise;
  constexpr int groups = 1500;
  double alone = 0.0, together = 0.0;
  for (int g = 0; g < groups; ++g) {
    std::vector<std::vector<double>> mean(members);
    meets_.assign(members, {});
    for (std::size_t i = 0; i < members; ++i) {
      double sum = 0.0;
      for (std::uint32_t r = 1; r <= looks_.back(); ++r) {
        sum += noise(random);
        if (index(r) == looks_.size()) continue;
        mean[i].push_back(sum / r);
        meets_[i].push_back(sum < 0.8 * std::sqrt(r));  // chance lets 79 % pass
      }
      const auto first = std::ranges::find(meets_[i], true) - meets_[i].begin();
      alone += mean[i][static_cast<std::size_t>(std::min<std::ptrdiff_t>(first, std::ssize(looks_) - 1))];
    }
    passes_ = meets_;
    const auto ends = defined();
    for (std::size_t i = 0; i < members; ++i) together += mean[i][index(ends[i].first)];
  }
  alone /= groups * static_cast<double>(members);
  together /= groups * static_cast<double>(members);
  EXPECT_LT(alone, -0.02) << "the test alone selects";
  EXPECT_LT(std::abs(together), std::abs(alone));
}

}}  // namespace glassworks::testing
