#pragma once

#include <cstdint>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/models/copy_levels.hpp"

/// The loops of multi-spin coding whose lanes are the copies of a realization, compiled once per instruction set. A
/// site holds `words` words of 32 bits, bit 1 a spin -1, words 4 g .. 4 g + 3 those of a group of 128 copies
/// (CopyAddress). Sites stand by colour, then by row along x: [colour][row][x / 2][word]. Plain pointers, see
/// multispin_table.hpp.
namespace glassworks { inline namespace cpu {

/// Words between arrays that are read side by side: at distances of a multiple of 4096 bytes their words would meet in
/// the same places of the first cache, and loads would wait for stores of other arrays.
constexpr int copy_gap = 16 * 9;

/// Rows of a hypercubic lattice, d = 2, 3, 4. Two rows that follow each other along the last axis share their quads: a
/// pair. Pairs of equal last coordinates follow each other.
struct CopyGeometry {
  int dim, L;
  std::int64_t rows;
  const std::int32_t* row_neighbour;  ///< at +axis, -axis of all axes but x [row][axis - 1][2]
  const std::uint8_t* row_parity;     ///< of the coordinates but x [row]

  /// Pairs of equal last coordinates.
  [[nodiscard]] std::int64_t pairs_of_layer() const { return rows / L; }
  [[nodiscard]] std::int64_t pairs() const { return rows / 2; }
  /// Blocks of random numbers of a pair.
  [[nodiscard]] int quads() const { return (L + 3) / 4; }
};

/// Some pairs of rows of a half-sweep.
struct CopyHalfSweep {
  const CopyGeometry* geometry;
  int colour;
  MultispinRule rule;
  const CopyLevels* levels;
  std::uint32_t key[2];
  int groups;                    ///< of copies
  std::uint32_t rest[4][3];      ///< counter words 1 to 3 of each group
  std::uint32_t blocks;          ///< multispin_blocks
  const std::uint8_t* negative;  ///< J < 0 of the bonds of a site, bits 2 axis (forward) and 2 axis + 1 [row][x / 2]
  const std::uint32_t* other;    ///< spins of the other colour
  std::uint32_t* own;
  std::int64_t begin, end;  ///< pairs
  std::uint32_t* scratch;   ///< of CopyTable::scratch_words
};

/// The loops for sites of a number of words.
struct CopyTable {
  int words;
  void (*half_sweep)(const CopyHalfSweep&);
  /// Words of scratch for rows of length L.
  std::int64_t (*scratch_words)(int L);
};

/// Tables for 4, 8 and 16 words.
[[nodiscard]] const CopyTable* portable_copies();
#if defined(__x86_64__)
[[nodiscard]] const CopyTable* avx2_copies();
[[nodiscard]] const CopyTable* avx512_copies();
#endif
[[nodiscard]] const CopyTable* copy_tables_of(InstructionSet isa);

}}  // namespace glassworks::cpu
