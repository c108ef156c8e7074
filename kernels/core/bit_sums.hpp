#pragma once

#include "kernels/core/host_device.hpp"

/// Bit-sliced numbers of many lanes: bit k of the number of a lane is stored in that lane's bit of word k.
namespace glassworks { inline namespace core {

/// Sums of bits in each lane. V: a word, or a vector of words, with & | ^ ~; Wide may offer the majority of three and
/// their parity.
template <class V, class Wide>
struct BitSums {
  GLASSWORKS_HD static V majority(const V& a, const V& b, const V& c) {
    if constexpr (requires { Wide::majority(a, b, c); }) {
      return Wide::majority(a, b, c);
    } else {
      return (a & b) | (c & (a ^ b));
    }
  }
  GLASSWORKS_HD static V parity(const V& a, const V& b, const V& c) {
    if constexpr (requires { Wide::parity(a, b, c); }) {
      return Wide::parity(a, b, c);
    } else {
      return a ^ b ^ c;
    }
  }
  /// a + b + c = 2 carry + sum in each lane.
  struct Pair {
    V sum, carry;
  };
  GLASSWORKS_HD static Pair add(const V& a, const V& b, const V& c) { return {parity(a, b, c), majority(a, b, c)}; }
  GLASSWORKS_HD static Pair add(const V& a, const V& b) { return {a ^ b, a & b}; }

  /// A number of `bits` bits in each lane.
  template <int bits>
  struct Number {
    V bit[bits] = {};

    /// Adds 1 in the lanes of x; carries beyond the last bit are lost.
    GLASSWORKS_HD void add(V x) {
      for (int k = 0; k < bits; ++k) {
        const V carry = bit[k] & x;
        bit[k] ^= x;
        x = carry;
      }
    }
    /// Adds a number that is not longer; carries beyond the last bit are lost.
    template <int other>
    GLASSWORKS_HD void add(const Number<other>& x) {
      V carry{};
      for (int k = 0; k < bits; ++k) {
        const Pair p = k < other ? BitSums::add(bit[k], x.bit[k < other ? k : 0], carry) : BitSums::add(bit[k], carry);
        bit[k] = p.sum;
        carry = p.carry;
      }
    }
  };

  /// How many of x are 1 in each lane.
  GLASSWORKS_HD static Number<2> count(const V (&x)[2]) {
    const Pair p = add(x[0], x[1]);
    return {{p.sum, p.carry}};
  }
  GLASSWORKS_HD static Number<3> count(const V (&x)[4]) {
    const Pair p = add(x[0], x[1], x[2]), q = add(p.sum, x[3]), r = add(p.carry, q.carry);
    return {{q.sum, r.sum, r.carry}};
  }
  GLASSWORKS_HD static Number<3> count(const V (&x)[6]) {
    const Pair p = add(x[0], x[1], x[2]), q = add(x[3], x[4], x[5]), r = add(p.sum, q.sum);
    const Pair t = add(p.carry, q.carry, r.carry);
    return {{r.sum, t.sum, t.carry}};
  }
  GLASSWORKS_HD static Number<4> count(const V (&x)[8]) {
    const Pair p = add(x[0], x[1], x[2]), q = add(x[3], x[4], x[5]), r = add(x[6], x[7]);
    const Pair low = add(p.sum, q.sum, r.sum), t = add(p.carry, q.carry, r.carry), middle = add(t.sum, low.carry);
    const Pair high = add(t.carry, middle.carry);
    return {{low.sum, middle.sum, high.sum, high.carry}};
  }
  /// a + b, with a bit more.
  template <int bits>
  GLASSWORKS_HD static Number<bits + 1> total(const Number<bits>& a, const Number<bits>& b) {
    Number<bits + 1> sum;
    V carry{};
    for (int k = 0; k < bits; ++k) {
      const Pair p = k == 0 ? add(a.bit[k], b.bit[k]) : add(a.bit[k], b.bit[k], carry);
      sum.bit[k] = p.sum;
      carry = p.carry;
    }
    sum.bit[bits] = carry;
    return sum;
  }
  /// 2 twice + once.
  template <int bits>
  GLASSWORKS_HD static Number<bits + 1> weighted(const Number<bits>& twice, const Number<bits>& once) {
    Number<bits + 1> m;
    m.bit[0] = once.bit[0];
    V carry{};
    for (int k = 1; k <= bits; ++k) {
      const Pair p = k < bits ? add(twice.bit[k - 1], once.bit[k], carry) : add(twice.bit[k - 1], carry);
      m.bit[k] = p.sum;
      carry = p.carry;  // 0 in the end: m is at most 2 z
    }
    return m;
  }

  /// Of T conditions of which each implies the next, e hold: the bits of e + 2^bits - 1 - T.
  template <int bits, int T>
  GLASSWORKS_HD static Number<bits> complement(const V (&holds)[T]) {
    static_assert(T < 1 << bits);
    constexpr int least = (1 << bits) - 1 - T;
    Number<bits> e;
    for (int k = 0; k < bits; ++k) {
      if ((least >> k & 1) != 0) e.bit[k] = ~e.bit[k];
      for (int n = 1; n <= T; ++n) {
        if (((least + n) >> k & 1) != ((least + n - 1) >> k & 1)) e.bit[k] ^= holds[T - n];
      }
    }
    return e;
  }
  /// Lanes in which m + e >= T, where c is the complement of e: whether m + c + 1 has a carry.
  template <int bits>
  GLASSWORKS_HD static V reaches(const Number<bits>& m, const Number<bits>& c) {
    V carry = m.bit[0] | c.bit[0];
    for (int k = 1; k < bits; ++k) carry = majority(m.bit[k], c.bit[k], carry);
    return carry;
  }

  /// m of z = 4, 6 or 8 conditions x hold, and e of z/2 conditions, each of which implies the next: returns the lanes
  /// in which m + e >= z/2, with fewer operations than `reaches`. words: from half_words
  template <int z>
  static constexpr int half_word_count = z == 4 ? 2 : 3;
  template <int z>
  GLASSWORKS_HD static void half_words(const V (&holds)[z / 2], V (&words)[half_word_count<z>]) {
    words[0] = holds[0];
    if constexpr (z == 4) {
      words[1] = holds[1];
    } else if constexpr (z == 6) {  // the first two are the bits of e + 1 for e < 3
      words[0] = ~holds[2] | holds[1];
      words[1] = holds[2];
      words[2] = holds[0];
    } else {  // the last two are the bits of e for e < 4
      words[1] = holds[2];
      words[2] = (holds[3] & ~holds[2]) | holds[1];
    }
  }
  GLASSWORKS_HD static V reaches_half(const V (&x)[4], const V (&words)[2]) {
    return majority(x[0], x[1], x[2]) | majority(x[0] | x[1] | x[2], x[3], words[1]) | words[0];
  }
  GLASSWORKS_HD static V reaches_half(const V (&x)[6], const V (&words)[3]) {  // m + e + 1 >= 4 is a carry
    const auto p = add(x[0], x[1], x[2]), q = add(x[3], x[4], x[5]);
    const V carry = majority(p.sum, q.sum, words[0]);
    const V two = majority(p.carry, q.carry, carry);
    return two | ((p.carry | q.carry | carry) & words[1]) | words[2];
  }
  GLASSWORKS_HD static V reaches_half(const V (&x)[8], const V (&words)[3]) {
    const auto p = add(x[0], x[1], x[2]), q = add(x[3], x[4], x[5]), r = add(x[6], x[7], words[2]);
    const V carry = majority(p.sum, q.sum, r.sum);
    return majority(p.carry, q.carry, r.carry) | majority(p.carry | q.carry | r.carry, carry, words[1]) | words[0];
  }
};

}}  // namespace glassworks::core
