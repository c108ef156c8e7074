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

  /// turned_word3: counter word 3 of the lanes, Lanes<F>::turned; between(n): called between the rounds, n = 0 to 7, for
  /// independent work that fills the gaps; words: [2 k + i], word 2 i of cell k
  template <class F, int cells, class Between>
  GLASSWORKS_HD void draw(const Cell (&cell)[cells], Bits<F> turned_word3, const Between& between,
                          Bits<F> (&words)[2 * cells]) const {
    using Halves = typename Lanes<F>::Halves;
    constexpr int halves = 2 * cells;
    typename Halves::Vector w[4][halves];
    first_rounds<F>(cell, vector<F>(turned_word3), between, w);
    const auto m0 = all<F>(philox_multiplier0), m1 = all<F>(philox_multiplier1);
#pragma GCC unroll 5
    for (int round = 4; round < 9; ++round) {
      between(round - 1);
      const auto k0 = in_register(all<F>(keys_.k0[round])), k1 = in_register(all<F>(keys_.k1[round]));
      GLASSWORKS_UNROLL
      for (int h = 0; h < halves; ++h) {
        const auto p0 = Halves::multiply(w[0][h], m0), p1 = Halves::multiply(w[2][h], m1);
        w[0][h] = Halves::xor_of(Halves::high(p1), w[1][h], k0);
        w[2][h] = Halves::xor_of(Halves::high(p0), w[3][h], k1);
        w[1][h] = p1;
        w[3][h] = p0;
      }
    }
    const auto k0 = in_register(all<F>(keys_.k0[9])), k1 = in_register(all<F>(keys_.k1[9]));
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      words[2 * k] = last_word<F>(&w[2][2 * k], &w[1][2 * k], m1, k0);
      words[2 * k + 1] = last_word<F>(&w[0][2 * k], &w[3][2 * k], m0, k1);
    }
  }

 private:
  /// Rounds 2, 3 and 4 for both halves of the lanes of all cells.
  template <class F, int cells, class Between, class Vector>
  GLASSWORKS_HD void first_rounds(const Cell (&cell)[cells], Vector word3, const Between& between,
                                  Vector (&w)[4][2 * cells]) const {
    using Halves = typename Lanes<F>::Halves;
    constexpr int halves = 2 * cells;
    const Vector m0 = all<F>(philox_multiplier0), m1 = all<F>(philox_multiplier1);
    const Vector round2 = in_register(all<F>(round2_));
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const Vector word2 = Halves::xor_of(word3, all<F>(cell[k].word2));
      w[1][2 * k] = Halves::multiply(word2, m1);
      w[1][2 * k + 1] = Halves::multiply(Halves::high(word2), m1);
    }
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) w[0][h] = Halves::xor_of(Halves::high(w[1][h]), round2);
    between(0);
    const Vector round3 = in_register(all<F>(round3_));
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) {
      w[3][h] = Halves::multiply(w[0][h], m0);
      w[0][h] = Halves::xor_of(w[1][h], all<F>(cell[h / 2].word0));
      w[2][h] = Halves::xor_of(Halves::high(w[3][h]), round3);
    }
    between(1);
    const Vector k1 = in_register(all<F>(keys_.k1[3]));
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) {
      const Vector p0 = Halves::multiply(w[0][h], m0);
      w[1][h] = Halves::multiply(w[2][h], m1);
      w[0][h] = Halves::xor_of(Halves::high(w[1][h]), all<F>(cell[h / 2].word1));
      w[2][h] = Halves::xor_of(Halves::high(p0), w[3][h], k1);
      w[3][h] = p0;
    }
    between(2);
  }
  /// A word of the last round: the high word of the product of `factor`, whose halves are put together in the order of
  /// the lanes before they were turned, and the word `other`.
  template <class F, class Vector>
  GLASSWORKS_HD static Bits<F> last_word(const Vector* factor, const Vector* other, Vector multiplier, Vector key) {
    using Halves = typename Lanes<F>::Halves;
    const Vector high =
        Halves::high_of(Halves::multiply(factor[0], multiplier), Halves::multiply(factor[1], multiplier));
    Bits<F> word;
    word.v = __builtin_bit_cast(decltype(word.v), Halves::xor_of(high, Halves::low_of(other[0], other[1]), key));
    return word;
  }
  /// x, in a register where it is used more than once: left to itself the compiler keeps what no loop changes in memory
  /// and loads it with every use.
  template <class Vector>
  GLASSWORKS_HD static Vector in_register(Vector x) {
#if defined(__x86_64__)
    asm("" : "+v"(x));
#endif
    return x;
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
