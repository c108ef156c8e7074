#pragma once

#include <csignal>

namespace glassworks { inline namespace tools {

/// Calls the handler for the first SIGINT or SIGTERM; a second one ends the program at once, which costs no whole round
/// and no finished file. SIGHUP, of a terminal that is closed, is a request to stop too, unless it is ignored (nohup).
inline void on_stop_signals(void (*handler)(int)) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

inline volatile std::sig_atomic_t stop_signal_came = 0;

/// For what ends at the next place where it can be given up: sets stop_signal_came.
inline void note_stop_signals() {
  on_stop_signals([](int) { stop_signal_came = 1; });
}

/// Thrown to give up; what was written goes with the staging.
struct Interrupted {};

inline void look_for_interruption() {
  if (stop_signal_came != 0) throw Interrupted{};
}

/// A pipe that nobody reads any more is no reason to end.
inline void go_on_without_reader() { std::signal(SIGPIPE, SIG_IGN); }

}}  // namespace glassworks::tools
