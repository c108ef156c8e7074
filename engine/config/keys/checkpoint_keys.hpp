#pragma once

namespace glassworks { inline namespace engine {

struct CheckpointConfig {
  int checkpoint_seconds = 180;  ///< between two checkpoints of a realization that stays with its worker
};

/// Rows of the keys checkpoint.*; see KeyRows.
template <class Rows>
void checkpoint_keys(const Rows& rows) {
  rows.number("checkpoint.interval", {0, 86400}, &CheckpointConfig::checkpoint_seconds,
              "seconds between two checkpoints of a realization; bins are committed every round, and after a kill what "
              "lies behind the last checkpoint is simulated again; 0: a checkpoint every round")
      .of_run()
      .only_of([](const auto& config) {
        return config.checkpoint.checkpoint_seconds != CheckpointConfig{}.checkpoint_seconds;
      });
}

}}  // namespace glassworks::engine
