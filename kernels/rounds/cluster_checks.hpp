#pragma once

#include <string>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Why a chain cannot be, whatever the backend, as one sentence: numbers out of range, updates that the model does not
/// know, no update at all. Empty if it can.
[[nodiscard]] std::string problem_of(const Chain& chain);

/// Throws std::runtime_error (problem (why). suggestion) for couplings of the models ising, potts, on and phi4 that the
/// updates of the chain do not allow: cluster updates of potts need J >= 0 and know no fields, which ising and on have.
void check_cluster_couplings(const Chain& chain, const Disorder& disorder);

}}  // namespace glassworks::rounds
