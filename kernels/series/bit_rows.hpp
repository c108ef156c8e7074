#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace series {

/// One bit for each site of a lattice: rows of whole words, x = 0 in bit 0; bits beyond the last site are 0.
/// [row][word]
using BitRows = std::vector<std::uint64_t>;

/// Number of bits, without the instruction of newer processors.
[[nodiscard]] constexpr int count_bits(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>(x * 0x0101010101010101U >> 56);
}

/// Where the bits of a lattice stand.
struct BitShape {
  explicit BitShape(const Lattice& lattice_) : lattice(lattice_), words((lattice.length(0) + 63) / 64) {}

  Lattice lattice;
  int words;  ///< of a row
  /// visit(site, 0 or 1) for all sites.
  template <class Visit>
  void for_bits(const BitRows& f, const Visit& visit) const {
    std::size_t site = 0;
    for (std::int64_t row = 0; row < lattice.rows(); ++row) {
      const std::uint64_t* const from = f.data() + row * words;
      for (int x = 0; x < lattice.length(0); ++x) visit(site++, static_cast<int>(from[x / 64] >> (x % 64) & 1U));
    }
  }
  [[nodiscard]] BitRows empty() const { return BitRows(static_cast<std::size_t>(lattice.rows() * words), 0); }
  /// 1 at every site.
  [[nodiscard]] BitRows all() const;
  /// f(x + r), r = 0 .. L_x; past an open end 0.
  [[nodiscard]] BitRows shifted(const BitRows& f, int r) const;
  /// Sums over the planes of equal coordinate [Lattice::plane].
  [[nodiscard]] std::vector<std::int64_t> planes(const BitRows& f) const;
};

/// Bit `bit` of bytes [site].
void pack_bits(const BitShape& shape, const std::uint8_t* bytes, int bit, BitRows& rows);
/// Bits that begin at bit `first` of a sequence of words [site].
void unpack_bits(const BitShape& shape, std::span<const std::uint64_t> words, std::int64_t first, BitRows& rows);

/// A field with two values, and perhaps 0 or none elsewhere.
struct BitField {
  BitRows bit;
  BitRows mask;  ///< empty: 1 at every site
};

}}  // namespace glassworks::series
