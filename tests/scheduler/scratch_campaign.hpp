#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/make_backend.hpp"
#include "scheduler/campaign/campaign.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "scheduler/work/worker_pool.hpp"

namespace glassworks::testing {

/// A directory of its own, in memory where that is possible, removed with everything in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    for (const std::filesystem::path& parent :
         {std::filesystem::path("/dev/shm"), std::filesystem::temp_directory_path()}) {
      std::string pattern = (parent / "glassworks-XXXXXX").string();
      if (::mkdtemp(pattern.data()) == nullptr) continue;
      path_ = pattern;
      return;
    }
    throw std::runtime_error("no scratch directory");
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A quick campaign: L = 4, five slots, decisions by log-binning and round trips. Its six realizations converge after
/// 15, 18 and 20 rounds; the last one fails at the maximum of 20.
inline Config small_config(const std::filesystem::path& directory) {
  Config config;
  config.campaign.seed = 7;
  config.campaign.directory = directory;
  config.model.L = {4};
  config.disorder.realizations = {6};
  config.ladder.T_min = 0.5;
  config.ladder.T_max = 0.9;
  config.ladder.slots = {5};
  config.protocol.overrelaxation = 2;
  config.protocol.exchanges_per_measurement = 2;
  config.round.measurements_per_round = {5};
  config.checkpoint.given = 0;  // every round a batch of its own
  config.convergence = {.min_rounds = 8, .max_rounds = 20, .min_round_trips = 20, .n_tau = 0.0, .rule_given = 1};
  config.backend.options.kind = BackendKind::cpu;
  config.backend.options.threads = 1;
  return config;
}

inline RunOutcome run_campaign(const Config& config, std::vector<WorkerBackend> backends, RunObserver observer = {}) {
  Campaign campaign = Campaign::create_or_continue(config);
  RoundControl control;
  WorkerPool pool(campaign, std::move(backends), {"test", "test", "test", "test", "test"});
  return pool.run(control, std::move(observer));
}

/// Runs a campaign with one worker until it is finished, or for `batches` batches.
inline RunOutcome run_campaign(const Config& config, int batches = -1,
                               const std::function<void(const CampaignProgress&)>& observer = {}) {
  Campaign campaign = Campaign::create_or_continue(config);
  WorkerPool pool(campaign, make_worker_backends(config), {"test", "test", "test", "test", "test"});
  RoundControl control;
  int calls = 0;
  const auto progress = [&](const CampaignProgress& p) {
    if (observer) observer(p);
    if (calls++ == batches) control.stop = true;  // the first call comes before the first batch
  };
  return pool.run(control, {progress, {}, {}});
}

inline Database read_campaign(const Config& config) {
  return Database::open(config.campaign.directory / database_file_name, DatabaseAccess::read_only);
}

/// Everything of a campaign that must not depend on how it was run, as text: states, decisions, bins.
inline std::string outcome(const Config& config) {
  const Database database = read_campaign(config);
  std::string text;
  for (const RealizationRow& row : database.realizations()) {
    text += std::to_string(row.key.L) + " " + std::to_string(row.key.realization) + " " + to_string(row.status) + " " +
            std::to_string(row.rounds) + " " + row.reason + " " + database.bins_digest(row.key) + " " +
            row.state_digest + " " + std::to_string(row.judgement.tau) + " " +
            std::to_string(row.judgement.equilibration_rounds) + " " + std::to_string(row.judgement.expected_rounds) +
            "\n";
  }
  return text;
}

inline std::set<std::string> checkpoint_files(const Config& config) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(config.campaign.directory / "checkpoints")) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// A small campaign of six realizations, in directories that go with the test.
class SmallCampaign : public ::testing::Test {
 protected:
  [[nodiscard]] Config config(const std::string& name) const { return small_config(scratch_.path() / name); }
  /// What every run of it must come to.
  [[nodiscard]] std::string expected() const {
    const Config alone = config("alone");
    EXPECT_EQ(run_campaign(alone), RunOutcome::complete);
    return outcome(alone);
  }

 private:
  ScratchDirectory scratch_;
};

}  // namespace glassworks::testing
