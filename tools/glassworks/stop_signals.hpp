#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>

#include "base/stop_flag.hpp"
#include "base/threads.hpp"
#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// Calls the handler for the first SIGINT or SIGTERM; a second one ends the program at once, which loses no committed
/// round and no finished file. SIGHUP, from a terminal that is closed, also requests a stop, unless ignored (nohup).
inline void on_stop_signals(void (*handler)(int)) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

inline StopFlag stop_signal_received;

/// For commands that poll for a stop: the first stop signal sets stop_signal_received.
inline void note_stop_signals() {
  on_stop_signals([](int) { stop_signal_received = true; });
}

/// Thrown to abort; the staging removes what was written.
struct Interrupted {};

inline void throw_if_interrupted() {
  if (stop_signal_received) throw Interrupted{};
}

/// Ignores SIGPIPE, so that a closed stdout does not end the run.
inline void ignore_sigpipe() { std::signal(SIGPIPE, SIG_IGN); }

/// Asks a running round to be abandoned at a moment, unless it is destroyed before.
class StopTimer {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// Without a moment: never.
  StopTimer(RoundControl& control, std::optional<Moment> moment) {
    if (!moment) return;
    thread_ = Thread([this, &control, moment](const std::stop_token& ended) {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, ended, *moment, [] { return false; });
      if (!ended.stop_requested()) control.stop = true;
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  Thread thread_;  // ends before the rest goes
};

}}  // namespace glassworks::tools
