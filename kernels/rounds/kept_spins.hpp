#pragma once

#include <cstdint>
#include <span>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// 64-bit words of kept discrete spins; 0 of vectors.
[[nodiscard]] std::uint64_t kept_words(const Chain& chain);

[[nodiscard]] KeptSpins keep_spins(const Chain& chain, const ChainState& state);

/// Puts kept spins into a state, whose walk and steps stay as they are.
void put_spins(const Chain& chain, const KeptSpins& kept, ChainState& state);

/// The states of one replica of a discrete model [site].
void kept_states(const Chain& chain, const KeptSpins& kept, int replica, std::span<std::uint8_t> states);

}}  // namespace glassworks::rounds
