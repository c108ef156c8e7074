#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/durable_file.hpp"
#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/refusals.hpp"

namespace glassworks {

/// A campaign of two small sizes in a directory of its own.
class Campaign : public testing::Test {
 protected:
  static constexpr int realizations = 5, copies = 2;

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "campaign-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    file_ = directory_ / database_file_name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// Only the larger size has samples.
  static std::vector<SizeRow> sizes() {
    return {{.L = 4, .temperatures = {0.1, 0.2, 0.3}, .observables = {"energy", "overlap_k(1,0,0)"}},
            {.L = 6,
             .temperatures = {0.1, 0.15, 0.2, 0.3},
             .observables = {"energy", "overlap_k(1,0,0)", "chi"},
             .samples = {"energy_of_copy_1", "overlap"}}};
  }

  static std::string config() { return "[campaign]\nseed = 1\n# \xC3\xA9\n"; }

  static Provenance provenance(const std::string& host = "host") { return {"0.1", "abc", "gcc 12", "cpu", host}; }

  [[nodiscard]] Database create() const { return Database::create(file_, config(), sizes(), realizations); }
  [[nodiscard]] Database open(DatabaseAccess access = DatabaseAccess::read_write) const {
    return Database::open(file_, access);
  }

  /// Round with contents of its own; `attempt` as leased.
  static RoundCommit round(RealizationKey key, std::uint32_t index, int attempt) {
    const SizeRow size = sizes()[key.L == 4 ? 0 : 1];
    const std::size_t slots = size.temperatures.size(), replicas = slots * copies;
    RoundCommit out;
    out.key = key;
    out.attempt = attempt;
    out.round = index;
    out.state_digest = fmt::format("{:032x}", key.realization * 1000U + index);
    out.checkpoint = checkpoint_name(key, index + 1, out.state_digest);
    out.round_trips = index + 1;
    out.judgement = {.tau = 1.5 + index, .equilibration_rounds = index / 2, .expected_rounds = 20 + index};
    out.seconds = 0.5;
    const double x = 1.0 / (1.0 + key.L + 10.0 * key.realization + 1000.0 * index);
    out.record.measurements = 10;
    for (std::size_t i = 0; i < slots * size.observables.size(); ++i) {
      out.record.mean.push_back(x * static_cast<double>(i + 1));
    }
    out.record.exchange_attempts.assign(slots - 1, 20 + index);
    out.record.exchange_accepted.assign(slots - 1, 7 + key.realization);
    out.record.walk_up.assign(slots, 3);
    out.record.walk_down.assign(slots, 4);
    out.record.walk_mean.assign(replicas * walk_functions, -x);
    out.record.round_trips.assign(replicas, index);
    if (size.samples.empty()) return out;
    out.record.samples_per_slot = 3;
    for (std::size_t i = 0; i < slots * 3 * size.samples.size(); ++i) {
      out.record.samples.push_back(static_cast<float>(x) - static_cast<float>(i));
    }
    return out;
  }

  /// A moment at which the workers of these tests are alive, and one at which they are not [ms].
  static constexpr std::int64_t now = 1'000'000, expires = 1'060'000, later = 1'060'001;

  static WorkerRow worker_row(const std::string& host = "host") {
    return {.id = 0,
            .host = host,
            .backend = "cpu",
            .pid = 321,
            .process_start = 77,
            .started = now - 5000,
            .heartbeat = now,
            .expires = expires,
            .rounds = 0,
            .updates = 0.0};
  }

  /// The first worker of the campaign, entered if there is none.
  static std::int64_t first_worker(Database& database) {
    const auto workers = database.workers();
    return workers.empty() ? database.add_worker(worker_row()) : workers.front().id;
  }

  static std::vector<RealizationRow> rows(const Database& database, const std::vector<RealizationKey>& keys) {
    std::vector<RealizationRow> out;
    for (const RealizationKey key : keys) out.push_back(database.realization(key));
    return out;
  }

  /// Leases realizations as they are.
  static std::vector<RealizationRow> lease(Database& database, std::int64_t worker,
                                           const std::vector<RealizationKey>& keys) {
    return database.lease(worker, rows(database, keys));
  }

  /// The next round of each leased realization.
  static std::vector<RoundCommit> next_rounds(const std::vector<RealizationRow>& leased) {
    std::vector<RoundCommit> batch;
    for (const RealizationRow& row : leased) batch.push_back(round(row.key, row.rounds, row.attempt));
    return batch;
  }

  /// Leases and commits one round for each of the keys, as one batch.
  static void advance(Database& database, const std::vector<RealizationKey>& keys) {
    const std::int64_t worker = first_worker(database);
    database.commit(worker, next_rounds(lease(database, worker, keys)), provenance(), now, 100.0);
  }

  static LadderStage ladder_stage(int L, int stage) {
    LadderStage out;
    out.L = L;
    out.stage = stage;
    out.pilots = 3;
    out.measurements = 40;
    out.temperatures = sizes()[L == 4 ? 0 : 1].temperatures;
    out.temperatures[1] += 0.01 * stage;
    out.exchange_attempts.assign(out.temperatures.size() - 1, 500);
    out.exchange_accepted.assign(out.temperatures.size() - 1, 120 + static_cast<std::uint64_t>(stage));
    out.walk_up.assign(out.temperatures.size(), 60);
    out.walk_down.assign(out.temperatures.size(), 61);
    out.round_trips = 9;
    for (std::uint32_t pilot = 0; pilot < 3; ++pilot) {
      const std::string digest = fmt::format("{:032x}", pilot);
      out.checkpoints += pilot_checkpoint_name(L, stage, pilot, digest) + ' ' + digest + '\n';
    }
    return out;
  }

  /// Everything a reader can see but leases, as one text.
  static std::string contents(const Database& database) {
    std::string text = database.config_text();
    for (const Provenance& p : database.provenances()) text += p.version + p.commit + p.compiler + p.backend + p.host;
    for (const std::string& line : database.amendments()) text += line;
    for (const WorkerRow& w : database.workers()) {
      text += fmt::format("\n{} {} {} {} {} {} {} {} {} {}", w.id, w.host, w.backend, w.pid, w.process_start, w.started,
                          w.heartbeat, w.expires, w.rounds, w.updates);
    }
    for (const SizeRow& size : database.sizes()) {
      text += size.adapting ? "\nadapting " : "\n";
      for (const double t : size.temperatures) text += fmt::format("{:a} ", t);
      for (const std::string& name : size.observables) text += name;
      for (const std::string& name : size.samples) text += name;
      for (const LadderStage& stage : database.ladder_stages(size.L)) {
        text += fmt::format("\n{} {} {} {} {}", stage.stage, stage.pilots, stage.measurements, stage.round_trips,
                            stage.checkpoints);
        for (const double t : stage.temperatures) text += fmt::format("{:a} ", t);
        for (const auto& counts : {stage.exchange_attempts, stage.exchange_accepted, stage.walk_up, stage.walk_down}) {
          for (const std::uint64_t count : counts) text += fmt::format("{} ", count);
        }
      }
    }
    for (const RealizationRow& r : database.realizations()) {
      text +=
          fmt::format("\n{} {} {} {} {} {} {} {} {} {} {} {:a} {} {} {} {}", r.key.L, r.key.realization,
                      to_string(r.status), r.rounds, r.checkpoint, r.state_digest, r.round_trips, r.reason, r.attempt,
                      r.previous_checkpoint, r.previous_digest, r.judgement.tau, r.judgement.equilibration_rounds,
                      r.judgement.expected_rounds, r.failures, database.bins_digest(r.key));
      for (const RoundRow& row : database.rounds(r.key)) text += fmt::format(" {} {}", row.seconds, row.provenance);
    }
    return text;
  }

  std::filesystem::path directory_, file_;
};

}  // namespace glassworks
