#pragma once

#include "kernels/cpu/lanes/lanes.hpp"

namespace glassworks::exact {

/// Rounds of Philox4x32 for lanes that are kept as even and odd ones in vectors of 64-bit elements: a product leaves
/// its low word in place and its high word one shift away. What is above the low word of an element does not matter.
///
/// Halves  of an instruction set: Vector; wide(x), x in all elements; multiply(a, b), products of the low words;
///         high(x), the high words in the place of the low ones; xor_of(a, b, c); merge(even, odd), all lanes
/// key     of the first of these rounds
/// w       counter words, then random words [word][vector]
template <class Halves, int rounds, int vectors>
GLASSWORKS_HD void philox_rounds(PhiloxKey key, typename Halves::Vector (&w)[4][vectors]) {
  const auto m0 = Halves::wide(philox_multiplier0), m1 = Halves::wide(philox_multiplier1);
#pragma GCC unroll 10
  for (int round = 0; round < rounds; ++round) {
    const auto k0 = Halves::wide(key.k0), k1 = Halves::wide(key.k1);
    for (int v = 0; v < vectors; ++v) {
      const auto p0 = Halves::multiply(w[0][v], m0), p1 = Halves::multiply(w[2][v], m1);
      w[0][v] = Halves::xor_of(Halves::high(p1), w[1][v], k0);
      w[2][v] = Halves::xor_of(Halves::high(p0), w[3][v], k1);
      w[1][v] = p1;
      w[3][v] = p0;
    }
    key.k0 += philox_key_step0;
    key.k1 += philox_key_step1;
  }
}

/// The nine rounds that follow start_philox. word2: of all lanes, PhiloxStart::word2_xor ^ (counter word 3).
template <class Halves, class U>
GLASSWORKS_SHARED void finish_philox(const PhiloxStart& s, typename Halves::Vector word2, U out[4]) {
  const PhiloxKey key{s.key.k0 + philox_key_step0, s.key.k1 + philox_key_step1};
  const typename Halves::Vector half[2] = {word2, Halves::high(word2)};
  typename Halves::Vector w[4][2];
  for (int h = 0; h < 2; ++h) {  // round 2: words 0, 1, 3 are still equal in all lanes
    const auto p1 = Halves::multiply(half[h], Halves::wide(philox_multiplier1));
    w[0][h] = Halves::xor_of(Halves::high(p1), Halves::wide(s.word1 ^ key.k0));
    w[1][h] = p1;
    w[2][h] = Halves::wide(s.product0_high ^ s.word3 ^ key.k1);
    w[3][h] = Halves::wide(s.product0_low);
  }
  philox_rounds<Halves, 8>({key.k0 + philox_key_step0, key.k1 + philox_key_step1}, w);
#pragma GCC unroll 4
  for (int word = 0; word < 4; ++word) out[word] = U(Halves::merge(w[word][0], w[word][1]));
}

}  // namespace glassworks::exact
