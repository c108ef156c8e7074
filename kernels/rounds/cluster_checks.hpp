#pragma once

#include <string>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Why a chain is invalid on every backend, as one sentence: numbers out of range, updates that the model does not
/// support, no update at all. Empty if it is valid.
[[nodiscard]] std::string problem_of(const Chain& chain);

/// Throws std::runtime_error (problem (why). suggestion) for disorder that the updates of the chain do not allow; for
/// all models but heisenberg. Cluster updates allow no site fields and, for potts, only J >= 0; multi-spin coding needs
/// couplings of one modulus and a constant field.
void check_cluster_couplings(const Chain& chain, const Disorder& disorder);

}}  // namespace glassworks::rounds
