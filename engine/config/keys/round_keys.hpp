#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/local_names.hpp"

namespace glassworks { inline namespace engine {

struct RoundConfig {
  std::vector<int> measurements_per_round;  ///< empty: auto; one entry: for all sizes; else one per size
  std::optional<int> samples_per_round;     ///< as given; see samples()
  LocalSelection observables = 0;

  /// Measurements of a round that are also stored singly: five, or all where there are less, if nothing was given.
  [[nodiscard]] int samples() const {
    const auto fewest = std::ranges::min_element(measurements_per_round);
    return samples_per_round.value_or(fewest == measurements_per_round.end() ? 5 : std::min(5, *fewest));
  }
};

/// Rows of the keys round.*; see KeyRows.
template <class Rows>
void round_keys(const Rows& rows) {
  rows.per_size_or_auto(
      "round.measurements", "auto, a number, or one per L", &RoundConfig::measurements_per_round,
      "measurements of a round, the unit that is committed, 1 to 1e6; auto: 100, and up to 1600 where that "
      "is less than a millisecond on a fast GPU (multi-spin coding: a tenth of that)",
      "Give a number of measurements, one per size, or auto.");
  rows.optional_value("round.samples", "0 to round.measurements", &RoundConfig::samples_per_round,
                      &RoundConfig::samples,
                      "measurements of a round, evenly spaced, whose values are also stored singly; 0: none")
      .with_default("5; all if there are less");
  rows.names("round.observables", local_names(all_local_observables()), &RoundConfig::observables,
             "what is measured beside the observables of the model; see docs/observables.md. On graphs bond_nematic, "
             "quadrupole, triangle_chirality, axis_modes and field_response; of heisenberg chiral_response and "
             "chiral_axes")
      .with_default(
          "none; bond_nematic of on with gaussian couplings, no field or gaussian ones and two copies or more; "
          "chiral_overlap of on with n = 2, two copies or more, couplings other than ferromagnet, the hypercubic "
          "lattice "
          "and d > 1; axis_modes of prisms; field_response in a field with four copies, "
          "without multi-spin coding; quadrupole of blume-capel")
      .only_of([](const auto& config) { return config.round.observables != 0; });
}

}}  // namespace glassworks::engine
