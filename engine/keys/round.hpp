#pragma once

#include <algorithm>
#include <optional>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/local_names.hpp"

namespace glassworks::inline engine {

struct RoundConfig {
  int measurements_per_round = 100;
  std::optional<int> samples_per_round;  ///< as given; see samples()
  LocalSelection observables = 0;

  /// Measurements of a round that are also stored singly: five, or all where there are less, if nothing was given.
  [[nodiscard]] int samples() const { return samples_per_round.value_or(std::min(5, measurements_per_round)); }
};

/// Rows of the keys round.*; see KeyRows.
template <class Rows>
void round_keys(const Rows& rows) {
  rows.number("round.measurements", {1, 1e6}, &RoundConfig::measurements_per_round,
              "measurements of a round, the unit that is committed");
  rows.optional_value("round.samples", "0 to round.measurements", &RoundConfig::samples_per_round,
                      &RoundConfig::samples,
                      "measurements of a round, evenly spaced, whose values are also stored singly; 0: none")
      .with_default("5; all if there are less");
  rows.names("round.observables", local_names(all_local_observables()), &RoundConfig::observables,
             "what is measured beside the observables of the model; see docs/observables.md")
      .with_default("none")
      .only_of([](const auto& config) { return config.observables != 0; });
}

}  // namespace glassworks::inline engine
