#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <thread>

namespace glassworks::testing {

/// Another process of this machine, which works in `body` and ends with status 0 if that returned true. Killed at the
/// end of its scope at the latest. To be made while this process has a single thread.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<bool()>& body) : pid_(::fork()) {
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    bool good = false;
    try {
      good = body();
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (ended_) return;
    signal(SIGKILL);
    wait();
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }
  /// Waits for the end: whether `body` returned true.
  bool wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  /// Waits until the process has stopped itself by SIGSTOP; false if it has ended instead.
  bool wait_for_stop() {
    int status = 0;
    ::waitpid(pid_, &status, WUNTRACED);
    ended_ = !WIFSTOPPED(status);
    return !ended_;
  }

 private:
  pid_t pid_;
  bool ended_ = false;
};

/// Whether a condition comes true within some seconds.
inline bool soon(const std::function<bool()>& condition, std::chrono::seconds limit = std::chrono::seconds(20)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace glassworks::testing
