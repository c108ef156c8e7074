#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/series/lag_directions.hpp"
#include "kernels/series/lag_kernels.hpp"

namespace glassworks { inline namespace series {

/// One bit for each site of a lattice: rows of whole words, x = 0 in bit 0; bits beyond the last site are 0.
/// [row][word]
using BitRows = std::vector<std::uint64_t>;

/// Where the bits of a lattice stand.
struct BitShape {
  explicit BitShape(const Lattice& lattice_) : lattice(lattice_), words((lattice.length(0) + 63) / 64) {}

  Lattice lattice;
  int words;  ///< of a row
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

/// Sums of products of a field at x and x + d.
class BitLags {
 public:
  /// masked: whether the field has a mask
  BitLags(const BitShape& shape, const LagKernels& kernels) : shape_(shape), kernels_(kernels) {}

  /// Whether fields need a mask even if they have values at all sites.
  [[nodiscard]] static bool needs_mask(const Lattice& lattice) { return lattice.is_open(0); }

  void set(const BitField& field, int x_shift);
  /// shifted: whether the displacement is along x by x_shift
  [[nodiscard]] BitCounts sum(const BitField& field, const Displacement& d) const;

 private:
  const BitShape& shape_;
  const LagKernels& kernels_;
  BitField shifted_;
  int x_shift_ = 0;
};

}}  // namespace glassworks::series
