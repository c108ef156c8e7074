#pragma once

#include "kernels/lattice.hpp"

namespace glassworks {

/// Memory that one realization takes while it is simulated [bytes]: state and bundles of 16 replicas at 12 B per spin
/// each, one gathered group of 16 slots per copy for measurements, and the couplings.
[[nodiscard]] double realization_bytes(const Lattice& lattice, int slots, int copies);

/// Samples of one round of one realization, in memory and in the database [bytes].
[[nodiscard]] double sample_bytes(int dim, int slots, int copies, int samples);

/// Memory of this machine [bytes].
[[nodiscard]] double physical_memory_bytes();

}  // namespace glassworks
