#pragma once

#include <csignal>

#include "base/stop_flag.hpp"

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

}}  // namespace glassworks::tools
