#pragma once

#include <algorithm>
#include <optional>

namespace glassworks { inline namespace engine {

struct CheckpointConfig {
  std::optional<int> given;

  /// Between two checkpoints of a realization that stays with its worker, at least.
  [[nodiscard]] int checkpoint_seconds() const { return given.value_or(180); }
  /// The same where reading and writing the checkpoints takes so long: 3 % of the time, unless it was given.
  [[nodiscard]] double stay_seconds(double io_seconds) const {
    constexpr double most_part = 0.03;
    return given ? *given : std::max<double>(checkpoint_seconds(), io_seconds / most_part);
  }
};

/// Rows of the keys checkpoint.*; see KeyRows.
template <class Rows>
void checkpoint_keys(const Rows& rows) {
  rows.optional_number("checkpoint.interval", {0, 86400}, &CheckpointConfig::given,
                       &CheckpointConfig::checkpoint_seconds,
                       "seconds between two checkpoints of a realization, and more where they would take more than 3 % "
                       "of the time, unless you give it; bins are committed every round, and after a kill what lies "
                       "behind the last checkpoint is simulated again; 0: a checkpoint every round")
      .of_run()
      .only_of([](const auto& config) { return config.checkpoint.given.has_value(); });
}

}}  // namespace glassworks::engine
