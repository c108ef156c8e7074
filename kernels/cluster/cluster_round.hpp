#pragma once

#include <span>

#include "kernels/backend.hpp"

namespace glassworks {

/// Throws std::invalid_argument (problem (why). suggestion) for a chain of the models ising, potts, on and phi4 that
/// cannot be: numbers out of range, updates that the model does not know, no update at all.
void check_cluster_chain(const Chain& chain);
/// The same for couplings that the updates of the chain do not allow: cluster updates of potts need J >= 0; no fields.
void check_cluster_couplings(const Chain& chain, const Disorder& disorder);

/// One round of every task for the models ising, potts, on and phi4; what has to come out is said in README.md. Threads
/// share the replicas of a realization, and the rows of a replica where there are more threads than replicas. `isa`
/// must be available, automatic: the best one. Throws std::invalid_argument as the checks above do.
RoundOutcome run_cluster_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, int threads,
                               InstructionSet isa = InstructionSet::automatic);

/// The oracle: the same by plain scalar code, clusters by breadth-first search, one thread.
RoundOutcome run_reference_cluster_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control);

}  // namespace glassworks
