#pragma once

#include "kernels/core/bit_sums.hpp"
#include "kernels/cpu/pairs/pair_table.hpp"

namespace glassworks { inline namespace cpu {

/// Sums over bits of sites. F: the lane type, by which the code of each instruction set has names of its own.
template <class F>
struct CountKernels {
  using Word = std::uint64_t;

  static void planes(const CountGeometry& g, const Word* bits, std::int64_t* count) {
    for (int x = 0; x < g.L; x += 64) {
      switch (g.dim) {
        case 1:
          add_columns<0>(g, bits, x, count);
          break;
        case 2:
          add_columns<1>(g, bits, x, count);
          break;
        case 3:
          add_columns<2>(g, bits, x, count);
          break;
        default:
          add_columns<3>(g, bits, x, count);
      }
    }
  }

  static std::int64_t bonds(const CountGeometry& g, const Word* bits) {
    std::int64_t unequal = 0;
    for (int s = 0; s < g.shifts; ++s) {
      const BondShift& shift = g.shift[s];
      const Word* const other = bits + shift.distance / 64;
      const int by = static_cast<int>(shift.distance % 64);
      for (std::int64_t i = 0; i < shift.words; ++i) unequal += ones((bits[i] ^ at(other + i, by)) & shift.owners[i]);
    }
    return unequal;
  }

 private:
  using Sums = BitSums<Word, CountKernels>;

  /// 64 bits from bit 0 <= shift < 64 of a word on.
  GLASSWORKS_HD static Word at(const Word* word, int shift) { return word[0] >> shift | word[1] << 1 << (63 - shift); }

  GLASSWORKS_HD static int ones(Word x) {
#if defined(__POPCNT__)
    return __builtin_popcountll(x);
#else
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return static_cast<int>(x * 0x0101010101010101U >> 56);
#endif
  }

  /// The sites from `first` on, up to 64 of every row. Along x the numbers of all 64 are bits of the words of `total`.
  template <int others>
  GLASSWORKS_HD static void add_columns(const CountGeometry& g, const Word* bits, int first, std::int64_t* count) {
    constexpr int most = 40;
    const int n = g.L - first < 64 ? g.L - first : 64;
    const Word row_bits = ~Word{0} >> (64 - n);
    typename Sums::template Number<most> total;
    std::int64_t site = first;
    const std::int32_t* plane = g.row_planes;
    const auto take = [&] {
      const Word row = at(bits + site / 64, static_cast<int>(site % 64)) & row_bits;
      const int of_row = ones(row);
      for (int k = 0; k < others; ++k) count[plane[k]] += of_row;
      site += g.L;
      plane += others;
      return row;
    };
    std::int64_t row = 0;
    for (; row + 8 <= g.rows; row += 8) {
      Word x[8];
      for (Word& of_row : x) of_row = take();
      const auto eight = Sums::count(x);
      Word carry = 0;
      for (int k = 0; k < most && (k < 4 || carry != 0); ++k) {
        const auto sum = Sums::add(total.bit[k], k < 4 ? eight.bit[k < 4 ? k : 0] : Word{0}, carry);
        total.bit[k] = sum.sum;
        carry = sum.carry;
      }
    }
    for (; row < g.rows; ++row) {
      Word carry = take();
      for (int k = 0; k < most && carry != 0; ++k) {
        const auto sum = Sums::add(total.bit[k], carry);
        total.bit[k] = sum.sum;
        carry = sum.carry;
      }
    }
    for (int k = 0; k < most && std::int64_t{1} << k <= g.rows; ++k) {
      for (int x = 0; x < n; ++x) count[first + x] += static_cast<std::int64_t>(total.bit[k] >> x & 1U) << k;
    }
  }
};

}}  // namespace glassworks::cpu
