#include "db/lock_waiting.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "base/text_file.hpp"
#include "db/errors.hpp"

namespace glassworks { inline namespace db {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Waits are told of once they are this long, and not more often.
constexpr std::chrono::seconds long_wait{3}, between_notes{30};

struct Shared {
  std::mutex mutex;  ///< of everything below
  LockWaiting waiting;
  std::optional<Clock::time_point> stopped, noted;
};

Shared& shared() {
  static Shared instance;
  return instance;
}

/// What SQLite hands to the handler of a connection: one for each file, for good.
struct Waiter {
  fs::path file;
  DatabaseAccess access;
};

/// Whether a wait that began at `begin` continues; notifies the user of long waits.
bool goes_on(const Waiter& waiter, Clock::time_point begin) {
  Shared& s = shared();
  const std::lock_guard lock(s.mutex);
  const Clock::time_point now = Clock::now();
  if (s.waiting.stop && s.waiting.stop()) {
    if (!s.stopped) s.stopped = now;
    if (now - *s.stopped >= wait_after_stop) return false;
  } else {
    s.stopped.reset();
  }
  const auto max_wait = waiter.access == DatabaseAccess::read_only ? std::min(s.waiting.max_wait, max_wait_of_readers)
                                                                   : s.waiting.max_wait;
  if (now - begin >= max_wait) return false;
  if (s.waiting.note && now - begin >= long_wait && (!s.noted || now - *s.noted >= between_notes)) {
    s.noted = now;
    s.waiting.note(
        fmt::format("Waiting for {} (it is locked by {}).", waiter.file.string(), db::lock_holder(waiter.file)));
  }
  return true;
}

/// SQLite's busy handler: called again and again during one wait, with the number of calls before.
int wait_for_lock(void* data, int calls) {
  thread_local Clock::time_point begin;
  if (calls == 0) begin = Clock::now();
  if (!goes_on(*static_cast<const Waiter*>(data), begin)) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(calls, 1, 50)));
  return 1;
}

/// First line of a file under /proc, without its line feed.
std::string first_line(const std::string& file) {
  const std::string text = system_text(file);
  return text.substr(0, text.find('\n'));
}

/// Processes that hold a lock on a file other than this one, by /proc/locks: a line is "1: POSIX  ADVISORY  WRITE 123
/// 08:01:4711 120 120", with the inode at the end of the sixth word.
std::optional<std::int64_t> process_with_lock(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return std::nullopt;
  std::istringstream locks(system_text("/proc/locks"));
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, mode, place;
    std::int64_t pid = 0;
    words >> number >> kind >> advisory >> mode >> pid >> place;
    const std::string inode = place.substr(place.rfind(':') + 1);
    if (words && mode == "WRITE" && pid > 0 && pid != ::getpid() && inode == std::to_string(info.st_ino)) return pid;
  }
  return std::nullopt;
}

}  // namespace

void set_lock_waiting(LockWaiting waiting) {
  Shared& s = shared();
  const std::lock_guard lock(s.mutex);
  s.waiting = std::move(waiting);
  s.stopped.reset();
  s.noted.reset();
}

void install_lock_waiting(sqlite3* connection, const fs::path& file, DatabaseAccess access) {
  static std::mutex mutex;
  static std::map<std::pair<fs::path, DatabaseAccess>, Waiter> waiters;  // as long as any connection
  const std::lock_guard lock(mutex);
  sqlite3_busy_handler(connection, wait_for_lock,
                       &waiters.try_emplace({file, access}, Waiter{file, access}).first->second);
}

std::string lock_holder(const fs::path& file) {
  fs::path index = file;
  index += "-shm";
  std::optional<std::int64_t> pid = process_with_lock(index);
  if (!pid) pid = process_with_lock(file);
  if (!pid) return "another process";
  const std::string name = in_one_line(first_line(fmt::format("/proc/{}/comm", *pid)));
  const std::string status = first_line(fmt::format("/proc/{}/stat", *pid));
  const auto bracket = status.rfind(") ");
  const bool stopped = bracket != std::string::npos && status.substr(bracket + 2, 1) == "T";
  return fmt::format("process {}{}{}", *pid, name.empty() ? "" : " (" + name + ")",
                     stopped ? ", which is stopped" : "");
}

}}  // namespace glassworks::db
