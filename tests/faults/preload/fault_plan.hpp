#pragma once

#include <string>

namespace glassworks::faults {

/// Which calls are counted: those that change files or directories, or those that read files.
enum class Side { changes, reads, neither };

/// What happens to one of the counted calls.
enum class Action {
  count,        ///< nothing
  fail,         ///< call number `at` fails
  fail_from,    ///< it and all later ones fail
  short_write,  ///< call number `at`, if it writes, writes only half of its bytes
  kill_before,  ///< the process is killed instead of making the call
  kill_after,   ///< the process is killed when the call has returned
};

/// The environment of the process, read once:
///
/// GLASSWORKS_FAULT_DIRECTORY  absolute path; only calls on it and on what is below it count. Without it nothing is
/// done GLASSWORKS_FAULT_SIDE       changes (default) or reads: which calls count GLASSWORKS_FAULT_ACTION     count
/// (default), fail, fail-from, short, kill-before or kill-after GLASSWORKS_FAULT_AT         number of the call, from 1
/// GLASSWORKS_FAULT_ERRNO      EIO (default), ENOSPC or EROFS
/// GLASSWORKS_FAULT_LOG        file that receives a line `number kind path` for every call that is met, with `count`
/// for
///                             all of them
/// GLASSWORKS_FAULT_TOTAL      file that receives a line with the number of all calls when the process exits
/// GLASSWORKS_FAULT_RECORD     file that receives what a replay needs (call_record.hpp)
///
/// A value that cannot be used ends the process with status 99, because a test without its fault proves nothing.
struct FaultPlan {
  std::string directory;
  Side side = Side::changes;
  Action action = Action::count;
  long at = 0;
  int error = 0;
  std::string log, total, record;

  static FaultPlan from_environment();
  [[nodiscard]] bool covers(const std::string& path) const;
  /// Whether the call of this number is met by the action.
  [[nodiscard]] bool meets(long number) const;
};

/// Ends the process with status 99 and a message.
[[noreturn]] void refuse(const std::string& message);

}  // namespace glassworks::faults
