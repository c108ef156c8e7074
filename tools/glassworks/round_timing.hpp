#pragma once

#include "engine/config.hpp"
#include "kernels/backend.hpp"

namespace glassworks::inline tools {

/// What a round costs, measured on short ones.
struct RoundTiming {
  double seconds = 0.0;  ///< wall time of the whole backend for one realization of a batch
  int batch = 1;         ///< realizations that were simulated together
};

/// Simulates the beginning of a batch of a campaign for a fraction of a second, or for three exchanges where even that
/// takes longer, and extrapolates to a whole round. Nothing is stored.
///
/// batch  realizations, from 1
[[nodiscard]] RoundTiming time_round(const Config& config, const Chain& chain, Backend& backend, int batch);

}  // namespace glassworks::inline tools
