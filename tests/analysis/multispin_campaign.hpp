#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/config/config.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "tests/analysis/statistics/grouped_noise.hpp"

namespace glassworks::testing {

/// A campaign of the Ising spin glass with multi-spin coding in a directory that is removed at the end: L = 4, T = 1
/// and 2, one round of each realization. All observables are correlated by rho between the realizations of a group of
/// 128.
class MultispinCampaign {
 public:
  MultispinCampaign(int realizations, double rho, std::uint64_t seed = 1, const char* multispin = "metropolis") {
    std::string pattern = (std::filesystem::temp_directory_path() / "glassworks_multispin_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    const Config config = parse_config(fmt::format(
        "model.type = ising\nmodel.couplings = bimodal\nmodel.L = 4\nmodel.dim = 3\ndisorder.realizations = {}\n"
        "replicas.copies = 2\nladder.kind = list\nladder.temperatures = 1, 2\nprotocol.multispin = {}\n"
        "round.measurements = 10\nround.samples = 0\nconvergence.min_rounds = 1\n",
        realizations, multispin));
    names_ = BinLayout(config.model.spins, 3, 2).names();
    database_.emplace(Database::create(directory_ / database_file_name, canonical_text(config),
                                       {{4, config.ladder.temperatures, names_}}, realizations));
    fill(GroupedNoise(seed, 128, rho));
  }
  MultispinCampaign(const MultispinCampaign&) = delete;
  MultispinCampaign& operator=(const MultispinCampaign&) = delete;
  ~MultispinCampaign() {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  [[nodiscard]] const Database& database() const { return *database_; }
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

 private:
  static double mean_of(const std::string& name) {
    if (name.starts_with("energy_squared")) return 2.3;
    if (name.starts_with("energy")) return -1.5;
    return name.ends_with("kmin") || name.find("(1") != std::string::npos ? 0.1 : 0.4;
  }

  void fill(GroupedNoise noise) {
    constexpr std::int64_t now = 1, never = std::int64_t{1} << 60;
    constexpr std::size_t slots = 2;
    const std::int64_t worker = database_->add_worker(
        {.host = "host", .backend = "synthetic", .pid = 1, .started = now, .heartbeat = now, .expires = never});
    const std::vector<RealizationRow> held = database_->lease(worker, database_->realizations());
    std::vector<RoundCommit> commits;
    for (const RealizationRow& row : held) {
      RoundCommit& commit = commits.emplace_back();
      commit.key = row.key;
      commit.attempt = row.attempt;
      const std::vector<double> x = noise.of(static_cast<int>(row.key.realization), slots * names_.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        commit.record.mean.push_back(mean_of(names_[i % names_.size()]) * (1.0 + 0.05 * x[i]));
      }
      commit.record.measurements = 10;
      commit.record.exchange_attempts = {100};
      commit.record.exchange_accepted = {30};
      commit.record.walk_up.assign(slots, 5);
      commit.record.walk_down.assign(slots, 5);
      commit.record.walk_mean.assign(2 * slots * walk_functions, 0.0);
      commit.record.round_trips.assign(2 * slots, 1);
      commit.state_digest = std::string(32, '0');
      commit.checkpoint = checkpoint_name(commit.key, 1, commit.state_digest);
      commit.round_trips = 4;
      commit.status = RealizationStatus::converged;
      commit.judgement = {.tau = 2.0, .equilibration_rounds = 0, .expected_rounds = 1};
      commit.seconds = 1.0;
    }
    database_->commit(worker, commits, {"test", "test", "test", "none", "host"}, now);
  }

  std::filesystem::path directory_;
  std::vector<std::string> names_;
  std::optional<Database> database_;
};

}  // namespace glassworks::testing
