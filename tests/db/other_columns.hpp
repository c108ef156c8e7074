#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks::testing {

using Names = std::vector<std::string>;

/// The values of each slot with the names `from`, in the order of the names `to`; what is new is 1e6.
template <typename T>
std::vector<T> with_columns(const std::vector<T>& values, const Names& from, const Names& to) {
  std::vector<T> moved;
  for (std::size_t first = 0; first < values.size(); first += from.size()) {
    for (const std::string& name : to) {
      const auto i = static_cast<std::size_t>(std::ranges::find(from, name) - from.begin());
      moved.push_back(i < from.size() ? values[first + i] : T{1e6});
    }
  }
  return moved;
}

/// Stores a campaign again as a version with other columns would have: all rounds, with `change` of the names of their
/// observables and of their samples.
inline void store_with_other_columns(const std::filesystem::path& directory,
                                     const std::function<Names(const Names&)>& change) {
  const std::filesystem::path file = directory / database_file_name;
  struct History {
    RealizationRow row;
    std::vector<RoundRow> rounds;
  };
  std::vector<SizeRow> sizes, changed;
  std::vector<History> histories;
  std::vector<Provenance> provenances;
  std::string config;
  {
    const Database before = Database::open(file, DatabaseAccess::read_only);
    config = before.config_text();
    sizes = before.sizes();
    provenances = before.provenances();
    for (const RealizationRow& row : before.realizations()) histories.push_back({row, before.rounds(row.key)});
  }
  changed = sizes;
  for (SizeRow& size : changed) {
    size.observables = change(size.observables);
    if (!size.samples.empty()) size.samples = change(size.samples);
  }
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + suffix);
  Database after = Database::create(file, config, changed, static_cast<int>(histories.size() / sizes.size()));
  const std::int64_t worker = after.add_worker({.host = "host", .backend = "cpu", .expires = std::int64_t{1} << 60});
  for (const auto& [row, rounds] : histories) {
    const auto size = std::ranges::find(sizes, row.key.L, &SizeRow::L);
    const SizeRow& other = changed[static_cast<std::size_t>(size - sizes.begin())];
    RealizationRow held = after.realization(row.key);
    for (const RoundRow& round : rounds) {
      held = after.lease(worker, {&held, 1}).at(0);
      const bool last = round.round + 1 == row.rounds, before_last = round.round + 2 == row.rounds;
      RoundCommit commit;
      commit.key = row.key;
      commit.attempt = held.attempt;
      commit.round = round.round;
      commit.record = round.record;
      commit.record.mean = with_columns(round.record.mean, size->observables, other.observables);
      commit.record.samples = with_columns(round.record.samples, size->samples, other.samples);
      commit.state_digest = last ? row.state_digest : before_last ? row.previous_digest : std::string(32, '0');
      commit.checkpoint = checkpoint_name(row.key, round.round + 1, commit.state_digest);
      commit.round_trips = row.round_trips;
      commit.status = last ? row.status : RealizationStatus::equilibrating;
      commit.reason = row.reason;
      commit.judgement = row.judgement;
      commit.seconds = round.seconds;
      after.commit(worker, {&commit, 1}, provenances.at(static_cast<std::size_t>(round.provenance) - 1), 1);
      held.rounds = round.round + 1;
    }
  }
  static_cast<void>(after.remove_worker(worker, LeaseEnd::given_back));
}

/// Changes of names for store_with_other_columns.
inline Names reversed(const Names& names) { return {names.rbegin(), names.rend()}; }
inline Names with_one_more(const Names& names) {
  Names more = names;
  more.insert(more.begin() + 1, "twist");
  return more;
}
inline auto without(std::string name) {
  return [name = std::move(name)](const Names& names) {
    Names fewer = names;
    std::erase(fewer, name);
    return fewer;
  };
}

}  // namespace glassworks::testing
