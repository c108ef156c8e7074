#pragma once

#include "kernels/cpu/lanes/philox_halves.hpp"

namespace glassworks::exact {

/// The random words of Ising spins in a half-sweep: words 0 and 2 of the block of each cell, for lanes that differ in
/// counter word 3 only. Made once for a half-sweep or a cell is what is the same for all lanes: 4 of 20 products. Words
/// 1 and 3 are left out, so that the last round needs four operations less.
template <class F>
class IsingWords {
 public:
  /// What the lanes of a cell share: counter words before rounds 2, 3 and 4, but for what the lanes add.
  struct Cell {
    std::uint32_t word2, word0, word1;
  };

  /// word1, word2: counter words 1 and 2
  GLASSWORKS_HD IsingWords(PhiloxKey key, std::uint32_t word1, std::uint32_t word2) {
    const PhiloxRoundKeys keys(key);
    std::uint32_t high, low;
    mul_hi_lo(word2, philox_multiplier1, high, low);
    round2_ = Bits<F>(low ^ keys.k0[1]);
    mul_hi_lo(high ^ word1 ^ keys.k0[0], philox_multiplier0, product_high_, low);
    round3_ = Bits<F>(low ^ keys.k1[2]);
    for (int k = 0; k < 3; ++k) cell_keys_[k] = k == 0 ? keys.k1[0] : keys.k0[k + 1];
    product_high_ ^= keys.k1[1];
    for (int round = 3; round < 10; ++round) {
      keys_[round - 3][0] = Bits<F>(keys.k0[round]);
      keys_[round - 3][1] = Bits<F>(keys.k1[round]);
    }
    multipliers_[0] = Bits<F>(philox_multiplier0);
    multipliers_[1] = Bits<F>(philox_multiplier1);
  }

  /// cell: counter word 0
  [[nodiscard]] GLASSWORKS_HD Cell cell(std::uint32_t cell) const {
    std::uint32_t high0, low0, high1, low1;
    mul_hi_lo(cell, philox_multiplier0, high0, low0);
    mul_hi_lo(product_high_ ^ low0, philox_multiplier1, high1, low1);
    return {high0 ^ cell_keys_[0], high1 ^ cell_keys_[1], low1 ^ cell_keys_[2]};
  }

  /// turned_word3: counter word 3 of the lanes, Lanes<F>::turned; between(n): called between the rounds, n = 0 to 7,
  /// for independent work that fills the gaps; words: [2 k + i], word 2 i of cell k
  template <int cells, class Between>
  GLASSWORKS_HD void draw(const Cell (&cell)[cells], Bits<F> turned_word3, const Between& between,
                          Bits<F> (&words)[2 * cells]) const {
    constexpr int halves = 2 * cells;
    const Vector m0 = in_register(multipliers_[0]), m1 = in_register(multipliers_[1]);
    Vector w[4][halves];
    first_rounds(cell, vector(turned_word3), m0, m1, between, w);
#pragma GCC unroll 5
    for (int round = 4; round < 9; ++round) {
      between(round - 1);
      const Vector k0 = in_register(keys_[round - 3][0]), k1 = in_register(keys_[round - 3][1]);
      GLASSWORKS_UNROLL
      for (int h = 0; h < halves; ++h) {
        const Vector p0 = Halves::multiply(w[0][h], m0), p1 = Halves::multiply(w[2][h], m1);
        w[0][h] = Halves::xor_of(Halves::high(p1), w[1][h], k0);
        w[2][h] = Halves::xor_of(Halves::high(p0), w[3][h], k1);
        w[1][h] = p1;
        w[3][h] = p0;
      }
    }
    const Vector k0 = in_register(keys_[6][0]), k1 = in_register(keys_[6][1]);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      words[2 * k] = last_word(&w[2][2 * k], &w[1][2 * k], m1, k0);
      words[2 * k + 1] = last_word(&w[0][2 * k], &w[3][2 * k], m0, k1);
    }
  }

 private:
  using Halves = typename Lanes<F>::Halves;
  using Vector = typename Halves::Vector;

  /// Rounds 2, 3 and 4 for both halves of the lanes of all cells.
  template <int cells, class Between>
  GLASSWORKS_HD void first_rounds(const Cell (&cell)[cells], Vector word3, Vector m0, Vector m1, const Between& between,
                                  Vector (&w)[4][2 * cells]) const {
    constexpr int halves = 2 * cells;
    const Vector round2 = in_register(round2_);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const Vector word2 = Halves::xor_of(word3, all(cell[k].word2));
      w[1][2 * k] = Halves::multiply(word2, m1);
      w[1][2 * k + 1] = Halves::multiply(Halves::high(word2), m1);
    }
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) w[0][h] = Halves::xor_of(Halves::high(w[1][h]), round2);
    between(0);
    const Vector round3 = in_register(round3_);
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) {
      w[3][h] = Halves::multiply(w[0][h], m0);
      w[0][h] = Halves::xor_of(w[1][h], all(cell[h / 2].word0));
      w[2][h] = Halves::xor_of(Halves::high(w[3][h]), round3);
    }
    between(1);
    const Vector k1 = in_register(keys_[0][1]);
    GLASSWORKS_UNROLL
    for (int h = 0; h < halves; ++h) {
      const Vector p0 = Halves::multiply(w[0][h], m0);
      w[1][h] = Halves::multiply(w[2][h], m1);
      w[0][h] = Halves::xor_of(Halves::high(w[1][h]), all(cell[h / 2].word1));
      w[2][h] = Halves::xor_of(Halves::high(p0), w[3][h], k1);
      w[3][h] = p0;
    }
    between(2);
  }
  /// A word of the last round: the high word of the product of `factor`, whose halves are put together in the order of
  /// the lanes before they were turned, and the word `other`.
  GLASSWORKS_HD static Bits<F> last_word(const Vector* factor, const Vector* other, Vector multiplier, Vector key) {
    const Vector high =
        Halves::high_of(Halves::multiply(factor[0], multiplier), Halves::multiply(factor[1], multiplier));
    Bits<F> word;
    word.v = __builtin_bit_cast(decltype(word.v), Halves::xor_of(high, Halves::low_of(other[0], other[1]), key));
    return word;
  }
  /// x, in a register where it is used more than once: left to itself the compiler loads it with every use.
  GLASSWORKS_HD static Vector in_register(const Bits<F>& x) {
    Vector v = vector(x);
#if defined(__x86_64__)
    asm("" : "+v"(v));
#endif
    return v;
  }
  GLASSWORKS_HD static Vector vector(Bits<F> x) { return __builtin_bit_cast(Vector, x.v); }
  GLASSWORKS_HD static Vector all(std::uint32_t x) { return vector(Bits<F>(x)); }

  Bits<F> multipliers_[2], round2_, round3_, keys_[7][2];
  std::uint32_t product_high_, cell_keys_[3];
};

}  // namespace glassworks::exact
