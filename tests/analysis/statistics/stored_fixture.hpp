#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/analysis/fake_campaign.hpp"

namespace glassworks::testing {

/// A campaign in a real database: L = 4, two temperatures, rounds whose bins a test chooses.
class StoredCampaign : public ::testing::Test {
 protected:
  static constexpr int slots = 2, realizations = 12;

  StoredCampaign() {
    std::string pattern = (std::filesystem::temp_directory_path() / "glassworks_statistics_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    Config config = fake_config();
    config.campaign.directory = directory_;
    config.disorder.realizations = {realizations};
    config.convergence.min_rounds = 2;
    config.ladder.kind = LadderKind::list;
    config.ladder.temperatures = {0.25, 0.5};
    database_ =
        std::make_unique<Database>(Database::create(directory_ / database_file_name, canonical_text(config),
                                                    {{4, config.ladder.temperatures, stored_names()}}, realizations));
    WorkerRow worker;
    worker.heartbeat = worker.started = now;
    worker.expires = now + 1000;
    worker_ = database_->add_worker(worker);
  }
  ~StoredCampaign() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  /// Commits so many rounds more, with energy = base + round (+ 1 at the higher slot) and the propagator of mass 0.5.
  void commit(std::uint32_t realization, std::uint32_t rounds, double base, RealizationStatus last,
              std::uint32_t equilibration = 0) {
    for (std::uint32_t n = 0; n < rounds; ++n) {
      const RealizationRow seen = database_->realization({4, realization});
      const RealizationRow row = database_->lease(worker_, std::span(&seen, 1)).at(0);
      RoundCommit commit;
      commit.key = row.key;
      commit.attempt = row.attempt;
      commit.round = row.rounds;
      commit.record = fake_round(row.rounds, slots, [&](int slot, const std::string& name) {
                        return name == "energy" ? base + row.rounds + slot : propagator_bin(0.5, 4, name);
                      }).record;
      commit.record.exchange_attempts = {100};
      commit.record.exchange_accepted = {30};
      commit.state_digest = std::string(32, '0');
      commit.checkpoint = checkpoint_name(commit.key, commit.round + 1, commit.state_digest);
      commit.status = n + 1 == rounds ? last : RealizationStatus::equilibrating;
      commit.judgement.equilibration_rounds = equilibration;
      if (commit.status == RealizationStatus::failed) commit.reason = "planted";
      database_->commit(worker_, std::span(&commit, 1), {"1", "c", "g++", "reference", "here"}, now);
    }
  }

  static constexpr std::int64_t now = 1000;
  std::filesystem::path directory_;
  std::unique_ptr<Database> database_;
  std::int64_t worker_ = 0;
};

}  // namespace glassworks::testing
