#pragma once

#include "kernels/core/lattice.hpp"
#include "kernels/rounds/chain_observables.hpp"

namespace glassworks::inline engine {

/// Memory that one realization takes while it is simulated [bytes]: state and bundles of 16 replicas at 12 B per spin
/// each, one gathered group of 16 slots per copy for measurements, and the couplings. Models other than heisenberg: the
/// state (1 B of a discrete spin, 4 B of a component), 24 B of a site for one cluster update at a time, the couplings.
[[nodiscard]] double realization_bytes(const Lattice& lattice, int slots, int copies, const SpinModel& model = {});

/// Samples of one round of one realization, in memory and in the database [bytes].
[[nodiscard]] double sample_bytes(const ChainObservables& observables, int slots, int samples);

/// A checkpoint of a state without order: what zstd leaves of it, within a tenth where it has more than 10^4 spins;
/// ordered states of discrete spins take less [bytes].
[[nodiscard]] double checkpoint_bytes(const Chain& chain);

/// Memory of this machine [bytes].
[[nodiscard]] double physical_memory_bytes();

}  // namespace glassworks::inline engine
