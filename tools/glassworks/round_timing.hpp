#pragma once

#include <optional>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// What a round costs, measured on short ones.
struct RoundTiming {
  double seconds = 0.0;  ///< wall time of the whole backend for one realization of a batch
  int batch = 1;         ///< realizations that were simulated together
  Lattice lattice;       ///< that was timed: a smaller one where the real one takes too much time or memory
};

/// A lattice of the same kind and at most half as many sites on which the chain can be simulated too: a cube of half
/// the edge, a prism with its longest axis halved. None where there is no smaller one.
[[nodiscard]] std::optional<Lattice> smaller_lattice(const Chain& chain);

/// Simulates the beginning of a batch of a campaign for a fraction of a second, or for three exchanges where even that
/// takes longer, and extrapolates to a whole round. Nothing is stored. Where that would take more than some seconds, or
/// more than `memory`, a smaller lattice is timed, and the time is proportional to the sites.
///
/// batch   realizations, from 1
/// memory  that the timing may take [bytes]
[[nodiscard]] RoundTiming time_round(const Config& config, const Chain& chain, Backend& backend, int batch,
                                     double memory);

}}  // namespace glassworks::tools
