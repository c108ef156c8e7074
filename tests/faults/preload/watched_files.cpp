#include "tests/faults/preload/watched_files.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace glassworks::faults {

namespace {

/// As a power switch: no destructor, no handler, no flush.
[[noreturn]] void kill_process() {
  for (;;) ::kill(::getpid(), SIGKILL);
}

}  // namespace

WatchedFiles& WatchedFiles::instance() {
  static WatchedFiles* const files = new WatchedFiles;  // never destroyed: calls come until the very end of the process
  return *files;
}

WatchedFiles::WatchedFiles()
    : plan_(FaultPlan::from_environment()),
      record_(plan_.record),
      log_(open_log(plan_.log)),
      total_(open_log(plan_.total)) {
  if (total_ >= 0) std::atexit([] { instance().finish(); });
}

std::optional<std::string> WatchedFiles::watched_path(const char* path) const {
  if (plan_.directory.empty()) return std::nullopt;
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  if (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  if (!plan_.covers(absolute)) return std::nullopt;
  return absolute;
}

std::optional<std::string> WatchedFiles::watched_path(int descriptor) const {
  const auto found = paths_.find(descriptor);
  if (found == paths_.end()) return std::nullopt;
  return found->second;
}

Verdict WatchedFiles::begin(Side side, const char* kind, const std::string& path) {
  if (side != plan_.side) return Verdict::proceed;
  ++number_;
  if (!plan_.meets(number_)) return Verdict::proceed;
  if (log_ >= 0) append(log_, std::to_string(number_) + ' ' + kind + ' ' + path + '\n');
  switch (plan_.action) {
    case Action::kill_before:
      kill_process();
    case Action::fail:
    case Action::fail_from:
      errno = plan_.error;
      return Verdict::fail;
    case Action::short_write:
      return Verdict::halve;
    case Action::count:
    case Action::kill_after:
      break;
  }
  return Verdict::proceed;
}

void WatchedFiles::end(Side side) {
  if (side == plan_.side && plan_.action == Action::kill_after && number_ == plan_.at) kill_process();
}

void WatchedFiles::finish() {
  const std::lock_guard lock(mutex_);
  append(total_, std::to_string(number_) + '\n');
}

}  // namespace glassworks::faults
