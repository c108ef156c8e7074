#pragma once

#include "kernels/lattice.hpp"

namespace glassworks {

/// Memory that one realization takes while it is simulated [bytes]: state and bundles of 16 replicas at 12 B per spin
/// each, one gathered group of 16 slots per copy for measurements, and the couplings.
[[nodiscard]] double realization_bytes(const Lattice& lattice, int slots, int copies);

/// Memory of this machine [bytes].
[[nodiscard]] double physical_memory_bytes();

}  // namespace glassworks
