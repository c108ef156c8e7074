#include "analysis/averages/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/analysis/fake_campaign.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

constexpr int slots = 2;
const std::vector<double> two_temperatures = {0.25, 0.5};

/// A campaign in a real database: L = 4, four realizations, of which a test commits some.
class Analysis : public ::testing::Test {
 protected:
  Analysis() {
    std::string pattern = (std::filesystem::temp_directory_path() / "glassworks_analysis_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    Config config = testing::fake_config();
    config.campaign.seed = 1;
    config.campaign.directory = directory_;
    config.disorder.realizations = {4};
    config.convergence.min_rounds = 2;
    config.convergence.max_rounds = 4;
    config.ladder.kind = LadderKind::list;
    config.ladder.temperatures = two_temperatures;
    database_ = std::make_unique<Database>(Database::create(directory_ / database_file_name, canonical_text(config),
                                                            {{4, two_temperatures, testing::stored_names()}}, 4));
    WorkerRow worker;
    worker.heartbeat = worker.started = now;
    worker.expires = now + 1000;
    worker_ = database_->add_worker(worker);
  }
  ~Analysis() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  /// Rounds with energy = base + round and the propagator of mass 0.5; the last one sets status and judgement.
  void commit(std::uint32_t realization, std::uint32_t rounds, double base, RealizationStatus last,
              std::uint32_t equilibration = 0) {
    for (std::uint32_t n = 0; n < rounds; ++n) {
      const RealizationRow row = lease(realization);
      RoundCommit commit;
      commit.key = row.key;
      commit.attempt = row.attempt;
      commit.round = n;
      commit.record = testing::fake_round(n, slots, [&](int, const std::string& name) {
                        return name == "energy" ? base + n : testing::propagator_bin(0.5, 4, name);
                      }).record;
      commit.record.exchange_attempts = {100};
      commit.record.exchange_accepted = {30};
      commit.record.round_trips[0] = 2;
      commit.state_digest = std::string(32, '0');
      commit.checkpoint = checkpoint_name(commit.key, commit.round + 1, commit.state_digest);
      commit.status = n + 1 == rounds ? last : RealizationStatus::equilibrating;
      commit.judgement.equilibration_rounds = equilibration;
      if (commit.status == RealizationStatus::failed) commit.reason = "planted";
      database_->commit(worker_, std::span(&commit, 1), {"1", "c", "g++", "reference", "here"}, now);
    }
  }
  RealizationRow lease(std::uint32_t realization) {
    const RealizationRow row = database_->realization({4, realization});
    return database_->lease(worker_, std::span(&row, 1)).at(0);
  }

  static constexpr std::int64_t now = 1000;
  std::filesystem::path directory_;
  std::unique_ptr<Database> database_;
  std::int64_t worker_ = 0;
};

TEST_F(Analysis, AveragesTheLastHalvesOfAllRealizationsWithData) {
  commit(0, 4, -10.0, RealizationStatus::converged);  // rounds 2, 3: -7.5
  commit(1, 2, -11.0, RealizationStatus::converged);  // round 1: -10
  commit(2, 4, -15.0, RealizationStatus::failed);     // rounds 2, 3: -12.5
  const AnalysisResult result = analyze(*database_);
  ASSERT_EQ(result.sizes.size(), 1U);
  const SizeResult& size = result.sizes[0];
  const Estimate energy = size.find("energy")->at_slot.at(1);
  EXPECT_NEAR(energy.mean, -10.0, 1e-12);
  EXPECT_NEAR(energy.error, std::sqrt(12.5 / 6.0), 1e-12);
  EXPECT_EQ(energy.realizations, 3);
  EXPECT_NEAR(size.find("xi_over_L")->at_slot.at(0).mean, 0.5, 1e-12);  // 1/(m L)
  // beta^2 N (2.26 - 1.5^2), beta = 4 and 2
  EXPECT_NEAR(size.find("specific_heat")->at_slot.at(0).mean, 16.0 * 64.0 * 0.01, 1e-9);
  EXPECT_NEAR(size.find("specific_heat")->at_slot.at(1).mean, 4.0 * 64.0 * 0.01, 1e-9);
  EXPECT_NEAR(size.find("acceptance")->at_slot.at(0).mean, 0.3, 1e-12);
  EXPECT_EQ(size.find("acceptance")->at_slot.size(), 1U);
  EXPECT_EQ(size.find("no_such_observable"), nullptr);
  EXPECT_NEAR(size.round_trips.mean, (8.0 + 4.0 + 8.0) / 3.0, 1e-12);
  EXPECT_EQ(size.fewest_round_trips, 4U);
  EXPECT_EQ(size.fewest_rounds, 2U);
  EXPECT_EQ(size.most_rounds, 4U);
}

TEST_F(Analysis, AveragesLeaveOutTheEquilibrationRoundsOfEachRealization) {
  commit(0, 4, -10.0, RealizationStatus::converged, 1);      // rounds 1 to 3: -8
  commit(1, 4, -11.0, RealizationStatus::converged, 3);      // round 3: -8
  commit(2, 4, -12.0, RealizationStatus::equilibrating, 1);  // rounds 1 to 3: -10
  commit(3, 4, -14.5, RealizationStatus::equilibrating, 0);  // not judged, rounds 2, 3: -12
  EXPECT_NEAR(analyze(*database_).sizes.at(0).find("energy")->at_slot.at(0).mean, -9.5, 1e-12);
}

TEST_F(Analysis, CountsStatesAndListsWhatHasNotConverged) {
  commit(0, 2, -10.0, RealizationStatus::converged);
  commit(1, 4, -11.0, RealizationStatus::failed);
  commit(2, 1, -12.0, RealizationStatus::equilibrating);
  const SizeResult size = analyze(*database_).sizes.at(0);
  EXPECT_EQ(size.counts.total, 4);
  EXPECT_EQ(size.counts.used, 3);
  EXPECT_EQ(size.counts.unconverged_used, 2);
  EXPECT_EQ(size.counts.converged, 1);
  EXPECT_EQ(size.counts.reached_maximum, 1);
  EXPECT_EQ(size.counts.running, 1);
  EXPECT_EQ(size.counts.not_started, 1);
  EXPECT_EQ(size.counts.failed, 0);
  ASSERT_EQ(size.unconverged.size(), 2U);
  EXPECT_EQ(size.unconverged[0].key.realization, 1U);
  EXPECT_EQ(size.unconverged[0].reason, "planted");
}

TEST_F(Analysis, CountsQuarantinedRealizationsAsFailed) {
  commit(0, 2, -10.0, RealizationStatus::converged);
  commit(1, 1, -11.0, RealizationStatus::equilibrating);
  database_->set_status(database_->realization({4, 1}), RealizationStatus::quarantined, "planted");
  database_->set_status(database_->realization({4, 2}), RealizationStatus::quarantined, "planted");
  const RealizationCounts counts = analyze(*database_).sizes.at(0).counts;
  EXPECT_EQ(counts.failed, 2);
  EXPECT_EQ(counts.running, 0);
  EXPECT_EQ(counts.not_started, 1);
}

TEST_F(Analysis, CanBeRestrictedToConvergedRealizations) {
  commit(0, 4, -10.0, RealizationStatus::converged);
  commit(1, 4, -20.0, RealizationStatus::failed);
  int calls = 0;
  AnalysisOptions options;
  options.selection = Selection::converged_only;
  options.progress = [&](int L, int done, int total) {
    EXPECT_EQ(L, 4);
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(total, 4);
  };
  const SizeResult size = analyze(*database_, options).sizes.at(0);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(size.counts.used, 1);
  EXPECT_NEAR(size.find("energy")->at_slot.at(0).mean, -7.5, 1e-12);
  EXPECT_TRUE(std::isnan(size.find("energy")->at_slot.at(0).error));
}

TEST_F(Analysis, SaysThatThereIsNothingToAverage) {
  EXPECT_THAT([&] { (void)analyze(*database_); }, Fails());
  commit(0, 1, -10.0, RealizationStatus::equilibrating);
  AnalysisOptions options;
  options.selection = Selection::converged_only;
  EXPECT_THAT([&] { (void)analyze(*database_, options); }, Fails());
}

}}  // namespace glassworks
