#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// The canonical bytes of a state (db/FORMAT.md, Digests) before its last array: the spins of a vector model, or the
/// states of a discrete one. An array is its number of elements (uint64) and its elements.
///
/// discrete  number of elements of `states`; 0: the last array is `spins`
[[nodiscard]] std::vector<std::byte> bytes_before_sites(const ChainState& walk, std::uint64_t spins,
                                                        std::uint64_t discrete);

}}  // namespace glassworks::rounds
