#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"

/// Random blocks of square lattices of any size, by numbers of 64 bits. Below 2^32 they are the blocks of
/// addresses.hpp.
namespace glassworks { inline namespace core {

/// Where block number `block` of update `sweep` stands: from 2^32 on, its high word counts as 2^32 sweeps each, which
/// a lattice of that size never makes.
struct WideBlock {
  std::uint64_t sweep;
  std::uint32_t index;

  GLASSWORKS_HD constexpr WideBlock(std::uint64_t of_sweep, std::uint64_t block)
      : sweep(of_sweep + (block >> 32 << 32)), index(static_cast<std::uint32_t>(block)) {}
};

template <class Key>
[[nodiscard]] GLASSWORKS_HD RandomBlock random_block(const Key& key, Stream stream, std::uint32_t realization,
                                                     std::uint32_t replica, const WideBlock& block) {
  return random_block(key, stream, realization, replica, block.sweep, block.index);
}

/// The block of the bonds that the sites (x, 2k) and (x, 2k + 1) own: see bond_address, d = 2.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint64_t square_bond_block(std::uint32_t width, std::uint32_t x,
                                                                      std::uint64_t y) {
  return x + width * (y / 2);
}

/// Sites or roots that share a block: see initial_state_address, new_state_address and reflection_coin_address.
constexpr std::uint64_t states_of_block = 4, coins_of_block = 128;

}}  // namespace glassworks::core
