#pragma once

#include <optional>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

/// What a round costs, measured on short ones.
struct RoundTiming {
  double seconds = 0.0;  ///< of the whole backend for one realization of a batch
  int batch = 1;         ///< realizations that were simulated together
  Lattice lattice;       ///< that was timed: a smaller one where the real one takes too much time or memory
};

/// The configuration of a lattice that no file is about: drawn couplings and fields in the place of given ones.
[[nodiscard]] Config without_files(Config config);

/// A chain on another lattice of its kind.
[[nodiscard]] Chain on_lattice(Chain chain, const Lattice& lattice);

/// A lattice of the same kind and at most half as many sites on which the chain can be simulated too: a cube of half
/// the edge, a prism with its longest axis halved. None where there is no smaller one.
[[nodiscard]] std::optional<Lattice> smaller_lattice(const Chain& chain);

/// Simulates the beginning of a batch of a campaign for a fraction of a second, or for three exchanges where even that
/// takes longer, and extrapolates to a whole round. Nothing is stored. Where that would take more than some seconds, or
/// more than `memory`, a smaller lattice is timed, and the time is proportional to the sites.
///
/// batch   realizations, from 1
/// memory  that the timing may take [bytes]
/// clock   wall, or the processor time of all threads
[[nodiscard]] RoundTiming time_round(const Config& config, const Chain& chain, Backend& backend, int batch,
                                     double memory, Clock clock = Clock::wall);

}}  // namespace glassworks::tools
