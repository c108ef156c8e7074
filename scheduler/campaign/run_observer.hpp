#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace glassworks { inline namespace scheduler {

/// Where one size of a campaign stands.
struct SizeProgress {
  int L = 0;
  std::uint64_t realizations = 0, converged = 0, failed = 0, quarantined = 0;
  double done = 0.0, whole = 0.0;  ///< realizations that are finished, and all; with a course sweeps of them
};

/// Where a campaign stands.
struct CampaignProgress {
  std::uint64_t realizations = 0, converged = 0, failed = 0, quarantined = 0, rounds = 0;
  double updates = 0.0;                  ///< spin updates committed by this process since the start of this run
  double seconds = 0.0;                  ///< wall time of this run
  double remaining_updates = 0.0;        ///< estimate, of all processes; of a course exact
  double remaining_seconds = 0.0;        ///< estimate; negative: unknown yet
  bool remaining_is_least = false;       ///< nothing of some size has been judged: it is a lower bound
  int devices = 1;                       ///< at work in this process
  std::size_t processes = 1;             ///< at work on the campaign
  std::vector<SizeProgress> sizes = {};  ///< by L

  [[nodiscard]] std::uint64_t finished() const { return converged + failed + quarantined; }
};

/// Callbacks that report on a run. They may be empty, and are never called concurrently.
struct RunObserver {
  std::function<void(const CampaignProgress&)> progress;  ///< at the start and after every commit
  /// One device of several has failed: which backend, and why.
  std::function<void(const std::string& backend, const std::string& message)> device_failed;
  /// Something else that people should know: a damaged checkpoint that was made again, a lost lease.
  std::function<void(const std::string& text)> note;
  /// A stage of the adaptation of a ladder: part of the ordinary course.
  std::function<void(const std::string& text)> ladder{};
};

enum class RunOutcome { complete, stopped };

}}  // namespace glassworks::scheduler
