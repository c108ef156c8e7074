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

/// Bonds of one axis whose sites are equally far apart in the order of sites.
struct BondShift {
  std::int64_t distance;
  std::int64_t words;           ///< of `owners`, and perhaps fewer than of all sites
  const std::uint64_t* owners;  ///< bit i mod 64 of word i / 64: site i owns a bond to site i + distance
};

/// The planes and bonds of a hypercubic lattice, for sums over bits of its sites.
struct CountGeometry {
  int dim, L;  ///< L: sites of a row
  std::int64_t rows;
  const std::int32_t* row_planes;  ///< planes of a row along the other axes [row][dim - 1]
  int shifts;
  const BondShift* shift;
};

struct PairTable {
  /// signs[lane]: bit i for site i of up to 64, whose bundle of spins is spins[site][lane]; bits of other sites are 0.
  void (*read_signs)(const float* spins, int sites, std::uint64_t* signs);
  /// Writes spins +1 and -1 with these signs.
  void (*write_signs)(const std::uint64_t* signs, int sites, float* spins);
  /// 64 words of sites for 64 of pairs, and back.
  void (*transpose)(std::uint64_t* words);
  void (*grow)(const PairGeometry&, const PairClusters&);
  /// Adds the numbers of sites that are 1 in each plane to count[Lattice::plane]. bits: bit i mod 64 of word i / 64 for
  /// site i, and one more word; anything beyond the lattice
  void (*count_planes)(const CountGeometry&, const std::uint64_t* bits, std::int64_t* count);
  /// The number of bonds between a site that is 1 and one that is 0. bits: as there
  std::int64_t (*count_bonds)(const CountGeometry&, const std::uint64_t* bits);
};

[[nodiscard]] const PairTable& portable_pairs();
#if defined(__x86_64__)
[[nodiscard]] const PairTable& avx2_pairs();
[[nodiscard]] const PairTable& avx512_pairs();
#endif
[[nodiscard]] const PairTable& pairs_of(InstructionSet isa);

}}  // namespace glassworks::cpu
