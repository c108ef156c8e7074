#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// The spins of all replicas at a reference time t_w, with which later ones are compared: plain values, which can be
/// stored beside a state. Discrete spins take as few bits as their values need, those of ising one.
struct KeptSpins {
  std::uint64_t time = 0;
  std::vector<std::uint64_t> bits;  ///< of discrete models, from bit 0 of word 0 on, no value across two words
                                    ///< [replica][site]
  std::vector<float> spins;         ///< of vectors [replica][component][site]

  bool operator==(const KeptSpins&) const = default;
};

[[nodiscard]] KeptSpins keep_spins(const Chain& chain, const ChainState& state);

/// Puts kept spins into a state, whose walk and steps stay as they are.
void put_spins(const Chain& chain, const KeptSpins& kept, ChainState& state);

/// The states of one replica of a discrete model [site].
void kept_states(const Chain& chain, const KeptSpins& kept, int replica, std::span<std::uint8_t> states);

}}  // namespace glassworks::rounds
