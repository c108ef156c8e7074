#pragma once

#include <span>

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace rounds {

/// Throws std::runtime_error (problem (why). suggestion) for a chain of the models ising, potts, on and phi4 that
/// cannot be: numbers out of range, updates that the model does not know, no update at all.
void check_cluster_chain(const Chain& chain);
/// The same for couplings that the updates of the chain do not allow: cluster updates of potts need J >= 0 and
/// know no fields, which ising and on have.
void check_cluster_couplings(const Chain& chain, const Disorder& disorder);
/// Both, for a batch.
void check_cluster_batch(const Chain& chain, std::span<const RoundTask> batch);

}}  // namespace glassworks::rounds
