#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "scheduler/ranks/messages.hpp"

namespace glassworks::inline scheduler {

/// Numbers of devices and workers in a run: those of a rank begin here. Those of rank 0 are its own.
inline constexpr int numbers_of_rank = 4096;

/// Another rank as rank 0 sees it.
struct Peer {
  enum class State { preparing, working, finished };

  State state = State::preparing;
  bool silent = false;
  int stay = 0;  ///< how often it has come back: what the queue answered to an earlier stay is no longer meant
  std::chrono::steady_clock::time_point heard{};
  std::optional<Ready> ready;
  std::set<int> failed_devices;                   ///< of the rank
  std::map<RealizationKey, RealizationRow> held;  ///< what it works on
  std::vector<Take> waiting;                      ///< to be asked for again when it is back

  /// Whether it holds all of these rounds under the same leases.
  [[nodiscard]] bool holds(const std::vector<RoundCommit>& rounds) const {
    for (const RoundCommit& round : rounds) {
      const auto row = held.find(round.key);
      if (row == held.end() || row->second.attempt != round.attempt) return false;
    }
    return true;
  }

  /// It holds the rows of a batch no more; those that it had lost before leave the batch.
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
  return {rank * numbers_of_rank + who.device, rank * numbers_of_rank + who.worker};
}

}  // namespace glassworks::inline scheduler
