#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/cpu/lanes/lanes_portable.hpp"

namespace glassworks { inline namespace cpu {

/// Sixteen random blocks, sixteen comparisons, 64 bytes at a time: what the loops of cluster updates need of a vector
/// unit. This one is plain code.
struct WidePortable {
  static constexpr int vector_words = 4;  ///< words of 32 bits in a vector
  static constexpr int shortest_row = 0;  ///< below it sites are over-relaxed one by one
  /// Lanes of floats that the formulas are computed in.
  using Float = exact::F128;

  /// Blocks with counter words first + lane, word1, word2, word3: out[word][lane].
  static void philox(PhiloxKey key, std::uint32_t first, const std::uint32_t rest[3], std::uint32_t out[4][16]) {
    std::uint32_t index[16];
    for (std::uint32_t lane = 0; lane < 16; ++lane) index[lane] = first + lane;
    philox(key, index, rest, out);
  }
  /// The same for any counter words 0.
  static void philox(PhiloxKey key, const std::uint32_t index[16], const std::uint32_t rest[3],
                     std::uint32_t out[4][16]) {
#if defined(__SSE2__)
    for (int lane = 0; lane < 16; lane += 4) philox_of_four(key, index + lane, rest, lane, out);
#else
    for (int lane = 0; lane < 16; ++lane) {
      std::uint32_t c[4] = {index[lane], rest[0], rest[1], rest[2]};
      philox4x32_10(c, key);
      for (int w = 0; w < 4; ++w) out[w][lane] = c[w];
    }
#endif
  }
  /// to[i] = from[i], i = 0 .. 15, except to[lane] = x; lane >= 16: no exception. The specializations avoid a scalar
  /// store before a vector load, which would stall (store forwarding).
  static void copy_with(const float* from, int lane, float x, float* to) {
    for (int i = 0; i < 16; ++i) to[i] = from[i];
    if (lane < 16) to[lane] = x;
  }
  /// to[i] = from[2 i], i < count and perhaps up to 15.
  static void every_second(const float* from, int count, float* to) {
    for (int i = 0; i < count; ++i) to[i] = from[2 * i];
  }
  static void every_second(const std::uint8_t* from, int count, std::uint32_t* to) {
    for (int i = 0; i < count; ++i) to[i] = from[2 * i];
  }
  /// to[i] = a[2 i], to[i + 4] = b[2 i], i = 0 .. 3.
  template <class T, class Number>
  static void every_second_of_two(const T* a, const T* b, Number* to) {
    every_second(a, 4, to);
    every_second(b, 4, to + 4);
  }
  /// to[2 i] = from[i], i < count.
  static void put_every_second(const float* from, int count, float* to) {
    for (int i = 0; i < count; ++i) to[2 * i] = from[i];
  }
  static void put_every_second(const std::uint32_t* from, int count, std::uint8_t* to) {
    for (int i = 0; i < count; ++i) to[2 * i] = static_cast<std::uint8_t>(from[i]);
  }
  /// Bit i: word[i] < threshold.
#if defined(__SSE2__)
  /// Each element of 32 bits turned to the right: the halves of its product with a power of two. V: four of them
  template <class V>
  static V turn(V x, V by) {
    const __m128i left = _mm_sub_epi32(_mm_setzero_si128(), reinterpret_cast<__m128i>(by));
    const __m128i exponent = _mm_srli_epi32(_mm_slli_epi32(left, 27), 4);  // of left mod 32, as that of a float
    const __m128i power = _mm_cvttps_epi32(_mm_castsi128_ps(_mm_add_epi32(exponent, _mm_set1_epi32(0x3F800000))));
    const auto value = reinterpret_cast<__m128i>(x);
    const __m128i even = _mm_mul_epu32(value, power);
    const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(value, 32), _mm_srli_epi64(power, 32));
    const __m128i low = _mm_or_si128(even, _mm_srli_epi64(even, 32)), high = _mm_or_si128(odd, _mm_slli_epi64(odd, 32));
    const __m128i high_elements = _mm_set1_epi64x(static_cast<long long>(0xFFFFFFFF00000000ULL));
    return reinterpret_cast<V>(_mm_or_si128(_mm_andnot_si128(high_elements, low), _mm_and_si128(high_elements, high)));
  }
#endif
  static std::uint32_t below(const std::uint32_t word[16], std::uint32_t threshold) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 16; ++i) bits |= (word[i] < threshold ? 1U : 0U) << i;
    return bits;
  }
  /// Bit i: flag[i] != 0; flags are 0 or ~0.
  static std::uint32_t flags(const std::uint32_t flag[16]) {
    std::uint32_t bits = 0;
    for (int i = 0; i < 16; ++i) bits |= (flag[i] & 1U) << i;
    return bits;
  }
  /// Bit i: a[i] = b[i], i = 0 .. 63; values below 128.
  static std::uint64_t equal(const std::uint8_t* a, const std::uint8_t* b) {
    constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7FULL;
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) {
      std::uint64_t x, y;
      std::memcpy(&x, a + i, 8);
      std::memcpy(&y, b + i, 8);
      bits |= pack(~((x ^ y) + low_bits) >> 7) << i;
    }
    return bits;
  }
  /// state[i] ^= bit i.
  static void flip(std::uint8_t* state, std::uint64_t bits) {
    for (int i = 0; i < 64; ++i) state[i] = static_cast<std::uint8_t>(state[i] ^ ((bits >> i) & 1U));
  }
  /// The bits of `value` at the places of the mask, packed; and the low bits of `value` put at the places of the mask.
  static std::uint64_t gather(std::uint64_t value, std::uint64_t mask) {
    std::uint64_t bits = 0;
    for (int n = 0; mask != 0; mask &= mask - 1, ++n) bits |= ((value >> __builtin_ctzll(mask)) & 1U) << n;
    return bits;
  }
  static std::uint64_t scatter(std::uint64_t value, std::uint64_t mask) {
    std::uint64_t bits = 0;
    for (; mask != 0; mask &= mask - 1, value >>= 1) bits |= (value & 1U) << __builtin_ctzll(mask);
    return bits;
  }
  /// byte[i] = bit i for i < count; and bit i = byte[i] & 1, i = 0 .. 63.
  static void to_bytes(std::uint64_t bits, int count, std::uint8_t* byte) {
    for (int i = 0; i < count; ++i) byte[i] = static_cast<std::uint8_t>((bits >> i) & 1U);
  }
  static std::uint64_t to_bits(const std::uint8_t* byte) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) {
      std::uint64_t x;
      std::memcpy(&x, byte + i, 8);
      bits |= pack(x) << i;
    }
    return bits;
  }

 private:
#if defined(__SSE2__)
  static void philox_of_four(PhiloxKey key, const std::uint32_t* index, const std::uint32_t rest[3], int lane,
                             std::uint32_t out[4][16]) {
    using Halves = exact::HalvesSse2;
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(index));
    __m128i w[4][2] = {{first, Halves::high(first)}};
    for (int word = 1; word < 4; ++word) w[word][0] = w[word][1] = Halves::wide(rest[word - 1]);
    exact::philox_rounds<Halves, 10>(key, w);
    for (int word = 0; word < 4; ++word) {
      const auto words = Halves::merge(w[word][0], w[word][1]);
      std::memcpy(out[word] + lane, &words, sizeof words);
    }
  }
#endif
  /// The lowest bits of eight bytes as one byte; little-endian, like the loads above.
  static std::uint64_t pack(std::uint64_t x) { return ((x & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56; }
};

}}  // namespace glassworks::cpu
