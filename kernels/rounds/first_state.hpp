#pragma once

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// initial_state, its replicas shared by threads.
[[nodiscard]] ChainState first_state(const Chain& chain, std::uint32_t realization, int threads);

}}  // namespace glassworks::rounds
