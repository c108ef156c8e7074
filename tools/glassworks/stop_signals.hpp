#pragma once

#include <csignal>

namespace glassworks {

/// Calls the handler for the first SIGINT or SIGTERM; a second one ends the program at once, which costs no whole round
/// and no finished file.
inline void on_stop_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace glassworks
