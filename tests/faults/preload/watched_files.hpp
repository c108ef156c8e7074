#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "tests/faults/preload/call_record.hpp"
#include "tests/faults/preload/fault_plan.hpp"

namespace glassworks::faults {

/// What a caller has to do with its call.
enum class Verdict { proceed, fail, halve };

/// Counts the calls below the watched directory and says what happens to them; one for the process.
///
/// The lock is held from begin() to end(), so that numbers and records are in the order of the calls.
class WatchedFiles {
 public:
  static WatchedFiles& instance();

  std::recursive_mutex& mutex() { return mutex_; }
  CallRecord& record() { return record_; }

  /// Absolute, without dots and doubled slashes; nothing if it is not watched.
  [[nodiscard]] std::optional<std::string> watched_path(const char* path) const;
  [[nodiscard]] std::optional<std::string> watched_path(int descriptor) const;
  void opened(int descriptor, const std::string& path) { paths_[descriptor] = path; }
  void closed(int descriptor) { paths_.erase(descriptor); }

  /// Counts a call; does not return if the process is to be killed before it. Sets errno if the call has to fail.
  Verdict begin(Side side, const char* kind, const std::string& path);
  /// Does not return if the process is to be killed after the call that was begun last.
  void end(Side side);
  /// At the exit of the process.
  void finish();

 private:
  WatchedFiles();

  FaultPlan plan_;
  CallRecord record_;
  int log_, total_;
  long number_ = 0;
  std::unordered_map<int, std::string> paths_;
  std::recursive_mutex mutex_;
};

}  // namespace glassworks::faults
