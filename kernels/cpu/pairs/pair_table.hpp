#pragma once

#include <cstdint>

#include "kernels/cpu/instruction_set.hpp"

/// Isoenergetic moves of up to 64 pairs of replicas at once, bit k of a word for pair k, and the signs of Ising spins
/// in the lanes of bundles as bits. Compiled once per instruction set, from plain pointers: no inline library code may
/// be shared between those translation units.
namespace glassworks { inline namespace cpu {

constexpr int word_pairs = 64;
constexpr int block_sites = 64;  ///< sites whose bits share a word

/// Along which bonds the clusters of a realization grow.
struct PairGeometry {
  int L;  ///< sites of a row
  std::int32_t rows;
  int sides;                           ///< neighbour rows of a row: +y, -y, +z, ...
  const std::int32_t* neighbour_rows;  ///< `rows`, which never has a site, where no bond leads to it [row][side]
  /// Bit 2 a: J != 0 along +a, bit 2 a + 1: along -a. Bonds of absent sites count as if they had J != 0 [site].
  const std::uint8_t* bonds;
  /// Whether a bond is missing in a row or to a neighbour row that it has, but for the one from end to end [row].
  const std::uint8_t* gaps;
};

/// The clusters of the pairs of a word.
struct PairClusters {
  const std::uint64_t* differing;  ///< [site]
  std::uint64_t* reached;          ///< the seeds, then the clusters [site], and L words of no site
  std::uint8_t* waiting;           ///< 2 in rows with seeds, else 0, as at the end; [row], and one more
};

struct PairTable {
  /// signs[lane]: bit i for site i of up to 64, whose bundle of spins is spins[site][lane]; bits of other sites are 0.
  void (*read_signs)(const float* spins, int sites, std::uint64_t* signs);
  /// Writes spins +1 and -1 with these signs.
  void (*write_signs)(const std::uint64_t* signs, int sites, float* spins);
  /// 64 words of sites for 64 of pairs, and back.
  void (*transpose)(std::uint64_t* words);
  void (*grow)(const PairGeometry&, const PairClusters&);
};

[[nodiscard]] const PairTable& portable_pairs();
#if defined(__x86_64__)
[[nodiscard]] const PairTable& avx2_pairs();
[[nodiscard]] const PairTable& avx512_pairs();
#endif
[[nodiscard]] const PairTable& pairs_of(InstructionSet isa);

}}  // namespace glassworks::cpu
