#pragma once

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace tools {

/// A state on another ladder: every copy has at each slot the spins that it had at the nearest slot in ln T. The walk
/// and the count of steps begin anew.
[[nodiscard]] ChainState moved_to_ladder(const ChainState& state, const Chain& from, const Chain& to);

}}  // namespace glassworks::tools
