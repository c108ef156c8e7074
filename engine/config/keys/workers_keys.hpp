#pragma once

namespace glassworks { inline namespace engine {

struct WorkersConfig {
  int lease_seconds = 60;  ///< a process without a heartbeat for this time loses its realizations
  int max_attempts = 20;   ///< of one round, before its realization is quarantined
};

/// Rows of the keys workers.*; see KeyRows.
template <class Rows>
void workers_keys(const Rows& rows) {
  rows.number("workers.lease_seconds", {5, 86400}, &WorkersConfig::lease_seconds,
              "a process that sends no heartbeat for so long loses its realizations to others")
      .of_run();
  rows.number("workers.max_attempts", {1, 1e6}, &WorkersConfig::max_attempts,
              "failed attempts at one round before its realization is quarantined")
      .of_run();
}

}}  // namespace glassworks::engine
