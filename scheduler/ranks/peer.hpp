#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/ranks/messages.hpp"

namespace glassworks { inline namespace scheduler {

/// Stride of device and worker numbers in a run: those of rank r start at r times this.
inline constexpr int numbers_per_rank = 4096;

/// Another rank as rank 0 sees it.
struct Peer {
  enum class State { preparing, working, finished };

  State state = State::preparing;
  bool silent = false;
  int rejoins = 0;  ///< answers of the queue to requests made before the last rejoin are dropped
  std::chrono::steady_clock::time_point heard{};
  std::optional<Ready> ready;
  std::set<int> failed_devices;                   ///< of the rank
  std::map<RealizationKey, RealizationRow> held;  ///< what it works on
  std::vector<Take> waiting;                      ///< to be asked for again when it is back

  /// Whether it holds all that a batch is of under the same leases.
  [[nodiscard]] bool holds(const FinishedBatch& batch) const {
    const auto is_held = [this](const auto& part) {
      const auto row = held.find(part.key);
      return row != held.end() && row->second.attempt == part.attempt;
    };
    return std::ranges::all_of(batch.rounds, is_held) && std::ranges::all_of(batch.states, is_held);
  }

  /// Drops the realizations that this batch releases. Returns their obsolete checkpoint files.
  std::vector<std::string> release_batch(const FinishedBatch& batch) {
    std::vector<std::string> obsolete;
    const auto take = [&](const RealizationKey& key) {
      const RealizationRow before = std::move(held.extract(key).mapped());
      if (!before.previous_checkpoint.empty()) obsolete.push_back(before.previous_checkpoint);
    };
    if (batch.lease == LeaseAfter::ends) {
      for (const RoundCommit& round : batch.rounds) take(round.key);
    }
    for (const StateCommit& left : batch.states) take(left.key);
    return obsolete;
  }

  /// Drops the rows of a batch, and erases from the batch those that the rank had already lost.
  void release(Batch& batch) {
    std::erase_if(batch.rows, [this](const RealizationRow& row) {
      const auto known = held.find(row.key);
      if (known == held.end() || known->second.attempt != row.attempt) return true;
      held.erase(known);
      return false;
    });
  }

  /// Its devices that have not failed, with the numbers of their workers.
  [[nodiscard]] std::map<int, int> devices() const {
    std::map<int, int> workers;
    for (int device = 0; ready && device < static_cast<int>(ready->devices.size()); ++device) {
      if (!failed_devices.contains(device)) workers[device] = ready->devices[static_cast<std::size_t>(device)].workers;
    }
    return workers;
  }
};

[[nodiscard]] inline WorkerId number_in_run(int rank, WorkerId who) {
  return {rank * numbers_per_rank + who.device, rank * numbers_per_rank + who.worker};
}

}}  // namespace glassworks::scheduler
