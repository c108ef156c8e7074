#pragma once

#include "kernels/cpu/lanes/philox_halves.hpp"

namespace glassworks::exact {

/// The random words of Ising spins in a half-sweep: words 0 and 2 of the block of each cell, for lanes that differ in
/// counter word 3 only. Made once for a half-sweep or a cell is what is the same for all lanes: 4 of 20 products. Words
/// 1 and 3 are left out, so that the last round needs four operations less.
class IsingWords {
 public:
  /// What the lanes of a cell share: counter words before rounds 2, 3 and 4, but for what the lanes add.
  struct Cell {
    std::uint32_t word2, word0, word1;
  };

  /// word1, word2: counter words 1 and 2
  GLASSWORKS_HD IsingWords(PhiloxKey key, std::uint32_t word1, std::uint32_t word2) : keys_(key) {
    std::uint32_t high, low;
    mul_hi_lo(word2, philox_multiplier1, high, low);
    round2_ = low ^ keys_.k0[1];
    mul_hi_lo(high ^ word1 ^ keys_.k0[0], philox_multiplier0, product_high_, low);
    round3_ = low ^ keys_.k1[2];
  }

  /// cell: counter word 0
  [[nodiscard]] GLASSWORKS_HD Cell cell(std::uint32_t cell) const {
    std::uint32_t high0, low0, high1, low1;
    mul_hi_lo(cell, philox_multiplier0, high0, low0);
    mul_hi_lo(product_high_ ^ low0 ^ keys_.k1[1], philox_multiplier1, high1, low1);
    return {high0 ^ keys_.k1[0], high1 ^ keys_.k0[2], low1 ^ keys_.k0[3]};
  }

  /// turned_word3: counter word 3 of the lanes, Lanes<F>::turned; words: [2 k + i], word 2 i of cell k
  template <class F, int cells>
  GLASSWORKS_SHARED void draw(const Cell (&cell)[cells], Bits<F> turned_word3, Bits<F> (&words)[2 * cells]) const {
    using Halves = typename Lanes<F>::Halves;
    constexpr int halves = 2 * cells;
    typename Halves::Vector w[4][halves];
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) first_rounds<F>(cell[k], vector<F>(turned_word3), w, 2 * k);
    philox_rounds<Halves, 5>({keys_.k0[4], keys_.k1[4]}, w);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      last_round<F>(w[2], w[1], philox_multiplier1, keys_.k0[9], 2 * k, words[2 * k]);
      last_round<F>(w[0], w[3], philox_multiplier0, keys_.k1[9], 2 * k, words[2 * k + 1]);
    }
  }

 private:
  /// Rounds 2, 3 and 4 for the halves `at` and at + 1 of the lanes.
  template <class F, class Vector, int halves>
  GLASSWORKS_HD void first_rounds(const Cell& cell, Vector word3, Vector (&w)[4][halves], int at) const {
    using Halves = typename Lanes<F>::Halves;
    const Vector m0 = all<F>(philox_multiplier0), m1 = all<F>(philox_multiplier1);
    const Vector word2 = Halves::xor_of(word3, all<F>(cell.word2)), half[2] = {word2, Halves::high(word2)};
    GLASSWORKS_UNROLL
    for (int h = 0; h < 2; ++h) {
      const Vector p1 = Halves::multiply(half[h], m1);
      const Vector p0 = Halves::multiply(Halves::xor_of(Halves::high(p1), all<F>(round2_)), m0);
      const Vector q0 = Halves::multiply(Halves::xor_of(p1, all<F>(cell.word0)), m0);
      const Vector q1 = Halves::multiply(Halves::xor_of(Halves::high(p0), all<F>(round3_)), m1);
      w[0][at + h] = Halves::xor_of(Halves::high(q1), all<F>(cell.word1));
      w[1][at + h] = q1;
      w[2][at + h] = Halves::xor_of(Halves::high(q0), p0, all<F>(keys_.k1[3]));
      w[3][at + h] = q0;
    }
  }
  /// A word of the last round: the high word of the product of `factor`, whose halves are put together in the order of
  /// the lanes before they were turned, and the word `other`.
  template <class F, class Vector, int halves>
  GLASSWORKS_HD static void last_round(const Vector (&factor)[halves], const Vector (&other)[halves],
                                       std::uint32_t multiplier, std::uint32_t key, int at, Bits<F>& word) {
    using Halves = typename Lanes<F>::Halves;
    const Vector m = all<F>(multiplier);
    const Vector high = Halves::high_of(Halves::multiply(factor[at], m), Halves::multiply(factor[at + 1], m));
    word.v = __builtin_bit_cast(decltype(word.v),
                                Halves::xor_of(high, Halves::low_of(other[at], other[at + 1]), all<F>(key)));
  }
  template <class F>
  GLASSWORKS_HD static auto vector(Bits<F> x) {
    return __builtin_bit_cast(typename Lanes<F>::Halves::Vector, x.v);
  }
  template <class F>
  GLASSWORKS_HD static auto all(std::uint32_t x) {
    return vector<F>(Bits<F>(x));
  }

  PhiloxRoundKeys keys_;
  std::uint32_t round2_, round3_, product_high_;
};

}  // namespace glassworks::exact
