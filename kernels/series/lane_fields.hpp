#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/series/bit_rows.hpp"
#include "kernels/series/lag_directions.hpp"
#include "kernels/series/lag_kernels.hpp"
#include "kernels/series/line_buffer.hpp"

namespace glassworks { inline namespace series {

/// Up to 64 fields side by side: one bit of each at every site, in 1, 2, 4 or 8 bytes. A displacement then leads to
/// whole bytes, whatever the lengths of the lattice.
class LaneFields {
 public:
  static constexpr int most = 64;

  /// masked: whether the fields have masks
  LaneFields(const Lattice& lattice, int fields, bool masked);

  [[nodiscard]] int fields() const { return fields_; }
  /// Fills the rows of a block. bits(lane, i), mask(lane, i): word i of the BitRows of a field
  template <class Bits>
  void fill(const RowBlock& block, const Bits& bits) {
    fill_rows(block, bits, bits_);
  }
  template <class Mask>
  void fill_mask(const RowBlock& block, const Mask& mask) {
    fill_rows(block, mask, mask_);
  }
  /// Sums over the sites of a block and all fields, between x and x + d.
  [[nodiscard]] BitCounts sum(const Displacement& d, const RowBlock& block, const LagKernels& kernels) const;

 private:
  template <class Bits>
  void fill_rows(const RowBlock& block, const Bits& bits, LineBuffer<std::uint8_t>& to) {
    const int length = lattice_.length(0);
    std::uint64_t words[most];
    for (std::int64_t row = block.first; row < block.first + block.rows; ++row) {
      for (int word = 0; word < words_; ++word) {
        for (int lane = 0; lane < most; ++lane) {
          words[lane] = lane < fields_ ? bits(lane, static_cast<std::size_t>(row * words_ + word)) : 0;
        }
        put(words, std::min(most, length - word * most), to.data() + (row * length + word * most) * bytes_);
      }
    }
  }
  /// Writes `sites` sites from words [lane] of 64 sites.
  void put(std::uint64_t* words, int sites, std::uint8_t* to) const;

  Lattice lattice_;
  int fields_, words_;
  std::ptrdiff_t bytes_;  ///< of a site
  LineBuffer<std::uint8_t> bits_, mask_;
};

}}  // namespace glassworks::series
