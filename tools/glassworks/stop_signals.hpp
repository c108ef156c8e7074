#pragma once

#include <csignal>

namespace glassworks::inline tools {

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

/// A pipe that nobody reads any more is no reason to end.
inline void go_on_without_reader() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace glassworks::inline tools
