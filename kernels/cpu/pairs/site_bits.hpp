#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/cpu/pairs/pair_table.hpp"
#include "kernels/rounds/chain.hpp"

/// Sites of a lattice as bits: bit i mod 64 of word i / 64 for site i.
namespace glassworks { inline namespace cpu {

[[nodiscard]] inline std::size_t words_of_sites(const Lattice& lattice) {
  return static_cast<std::size_t>((lattice.sites() + block_sites - 1) / block_sites);
}

/// The sites that are not absent; empty where all are there.
[[nodiscard]] inline std::vector<std::uint64_t> present_sites(const Lattice& lattice, const Disorder& disorder) {
  if (disorder.absent.empty()) return {};
  std::vector<std::uint64_t> present(words_of_sites(lattice));
  for (std::size_t i = 0; i < disorder.absent.size(); ++i) {
    if (disorder.absent[i] == 0) present[i / block_sites] |= std::uint64_t{1} << (i % block_sites);
  }
  return present;
}

}}  // namespace glassworks::cpu
