#include "scheduler/campaign/process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "base/text_file.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

std::string first_line(const char* file) {
  const std::string text = system_text(file);
  return text.substr(0, text.find('\n'));
}

/// Field 22 of /proc/PID/stat; 0 for a zombie (state Z or X in field 3), -1 if it cannot be read. The name in field 2
/// may contain blanks and parentheses.
std::int64_t start_of_process(std::int64_t pid) {
  const std::string text = system_text(fmt::format("/proc/{}/stat", pid));
  const auto bracket = text.rfind(')');
  if (bracket == std::string::npos) return -1;
  std::istringstream fields(text.substr(bracket + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return 0;
  for (int number = 4; number < 22; ++number) fields >> field;
  std::int64_t start = 0;
  fields >> start;
  return fields ? start : -1;
}

}  // namespace

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string machine_identity() {
  std::error_code none;
  return first_line("/proc/sys/kernel/random/boot_id") + " " +
         std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

WorkerRow this_process(const std::string& backend, int lease_seconds) {
  WorkerRow row;
  row.host = host_name();
  row.backend = backend;
  row.pid = getpid();
  row.process_start = start_of_process(row.pid);
  row.started = row.heartbeat = now_ms();
  row.expires = row.heartbeat + 1000LL * lease_seconds;
  return row;
}

bool is_running(const WorkerRow& worker) {
  if (worker.pid <= 0) return false;  // kill() would address a process group
  if (kill(static_cast<pid_t>(worker.pid), 0) != 0 && errno == ESRCH) return false;
  const std::int64_t start = start_of_process(worker.pid);
  return start < 0 || start == worker.process_start;  // unknown: rely on the lease
}

}}  // namespace glassworks::scheduler
