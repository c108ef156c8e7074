#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/durable_file.hpp"

namespace glassworks {

/// What an action says when it fails.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

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

  static std::vector<SizeRow> sizes() {
    return {{.L = 4, .temperatures = {0.1, 0.2, 0.3}, .observables = {"energy", "overlap_k(1,0,0)"}},
            {.L = 6, .temperatures = {0.1, 0.15, 0.2, 0.3}, .observables = {"energy", "overlap_k(1,0,0)", "chi"}}};
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
    out.checkpoint = fmt::format("checkpoints/L{}-{}-{}.ckpt", key.L, key.realization, index);
    out.state_digest = fmt::format("{:032x}", key.realization * 1000U + index);
    out.round_trips = index + 1;
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
    return out;
  }

  /// Leases and commits one round for each of the keys, as one batch.
  static void advance(Database& database, const std::vector<RealizationKey>& keys) {
    const std::vector<int> attempts = database.lease(keys);
    std::vector<RoundCommit> batch;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      batch.push_back(round(keys[i], database.realization(keys[i]).rounds, attempts[i]));
    }
    database.commit(batch, provenance());
  }

  /// Everything a reader can see, as one text.
  static std::string contents(const Database& database) {
    std::string text = database.config_text();
    for (const Provenance& p : database.provenances()) text += p.version + p.commit + p.compiler + p.backend + p.host;
    for (const SizeRow& size : database.sizes()) {
      for (const double t : size.temperatures) text += fmt::format("{:a} ", t);
      for (const std::string& name : size.observables) text += name;
    }
    for (const RealizationRow& r : database.realizations()) {
      text +=
          fmt::format("\n{} {} {} {} {} {} {} {} {} {}", r.key.L, r.key.realization, to_string(r.status), r.rounds,
                      r.checkpoint, r.state_digest, r.round_trips, r.reason, r.attempt, database.bins_digest(r.key));
      for (const RoundRow& row : database.rounds(r.key)) text += fmt::format(" {} {}", row.seconds, row.provenance);
    }
    return text;
  }

  std::filesystem::path directory_, file_;
};

}  // namespace glassworks
