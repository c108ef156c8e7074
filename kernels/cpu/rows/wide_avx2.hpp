#pragma once

#include <immintrin.h>

#include <cstdint>

#include "kernels/cpu/lanes/lanes_avx2.hpp"

namespace glassworks { inline namespace cpu {

/// WidePortable for AVX2. Only for the translation unit of that instruction set.
struct WideAvx2 {
  static constexpr int vector_words = 8;   ///< words of 32 bits in a vector
  static constexpr int shortest_row = 64;  ///< below it sites are over-relaxed one by one
  using Float = exact::F256;

  static void philox(PhiloxKey key, std::uint32_t first, const std::uint32_t rest[3], std::uint32_t out[4][16]) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i low = _mm256_add_epi32(lanes, _mm256_set1_epi32(static_cast<int>(first)));
    philox_of(key, low, _mm256_add_epi32(low, _mm256_set1_epi32(8)), rest, out);
  }
  static void philox(PhiloxKey key, const std::uint32_t index[16], const std::uint32_t rest[3],
                     std::uint32_t out[4][16]) {
    philox_of(key, load(index), load(index + 8), rest, out);
  }
  static void copy_with(const float* from, int lane, float x, float* to) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int half = 0; half < 2; ++half) {
      const __m256i own = _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(lane - 8 * half));
      const __m256 copy = _mm256_loadu_ps(from + 8 * half);
      _mm256_storeu_ps(to + 8 * half, _mm256_blendv_ps(copy, _mm256_set1_ps(x), _mm256_castsi256_ps(own)));
    }
  }
  static void every_second(const float* from, int count, float* to) {
    if (count <= 4) {
      return _mm_storeu_ps(to, _mm_shuffle_ps(_mm_loadu_ps(from), _mm_loadu_ps(from + 4), 0x88));
    }
    for (int half = 0; half < (count <= 8 ? 1 : 2); ++half) {
      const __m256 low = _mm256_loadu_ps(from + 16 * half), high = _mm256_loadu_ps(from + 16 * half + 8);
      const __m256d pairs = _mm256_castps_pd(_mm256_shuffle_ps(low, high, 0x88));
      _mm256_storeu_ps(to + 8 * half, _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0xD8)));
    }
  }
  static void every_second_of_two(const float* a, const float* b, float* to) {
    const __m256d pairs = _mm256_castps_pd(_mm256_shuffle_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b), 0x88));
    _mm256_storeu_ps(to, _mm256_castpd_ps(_mm256_permute4x64_pd(pairs, 0xD8)));
  }
  static void every_second(const std::uint8_t* from, int count, std::uint32_t* to) {
    if (count <= 4) {
      const __m128i words =
          _mm_and_si128(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)), _mm_set1_epi16(0xFF));
      return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_cvtepu16_epi32(words));
    }
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i words = _mm256_and_si256(bytes, _mm256_set1_epi16(0xFF));
    auto* const out = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(out, _mm256_cvtepu16_epi32(_mm256_castsi256_si128(words)));
    if (count > 8) _mm256_storeu_si256(out + 1, _mm256_cvtepu16_epi32(_mm256_extracti128_si256(words, 1)));
  }
  static void every_second_of_two(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* to) {
    every_second(a, 4, to);
    every_second(b, 4, to + 4);
  }
  /// One by one: stores with masks take longer on many processors.
  static void put_every_second(const float* from, int count, float* to) {
    for (int i = 0; i < count; ++i) to[2 * i] = from[i];
  }
  static void put_every_second(const std::uint32_t* from, int count, std::uint8_t* to) {
    for (int i = 0; i < count; ++i) to[2 * i] = static_cast<std::uint8_t>(from[i]);
  }
  static std::uint32_t below(const std::uint32_t word[16], std::uint32_t threshold) {
    const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000U));
    const __m256i limit = _mm256_set1_epi32(static_cast<int>(threshold ^ 0x80000000U));
    std::uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
      const __m256i w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(word + 8 * half));
      const __m256i less = _mm256_cmpgt_epi32(limit, _mm256_xor_si256(w, sign));
      bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(less))) << (8 * half);
    }
    return bits;
  }
  static std::uint32_t flags(const std::uint32_t flag[16]) {
    std::uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
      const __m256i f = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flag + 8 * half));
      bits |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(f))) << (8 * half);
    }
    return bits;
  }
  static std::uint64_t equal(const std::uint8_t* a, const std::uint8_t* b) {
    std::uint64_t bits = 0;
    for (int half = 0; half < 2; ++half) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + 32 * half));
      const __m256i y = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + 32 * half));
      const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y)));
      bits |= static_cast<std::uint64_t>(mask) << (32 * half);
    }
    return bits;
  }
  static void flip(std::uint8_t* state, std::uint64_t bits) {
    const __m256i byte_of = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3,
                                             3, 3, 3, 3, 3, 3, 3);
    const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    for (int half = 0; half < 2; ++half) {
      const __m256i word = _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(bits >> (32 * half))));
      const __m256i picked = _mm256_and_si256(_mm256_shuffle_epi8(word, byte_of), bit_of);
      const __m256i ones = _mm256_and_si256(_mm256_cmpeq_epi8(picked, bit_of), _mm256_set1_epi8(1));
      auto* p = reinterpret_cast<__m256i*>(state + 32 * half);
      _mm256_storeu_si256(p, _mm256_xor_si256(_mm256_loadu_si256(p), ones));
    }
  }
  static std::uint64_t gather(std::uint64_t value, std::uint64_t mask) { return _pext_u64(value, mask); }
  static std::uint64_t scatter(std::uint64_t value, std::uint64_t mask) { return _pdep_u64(value, mask); }
  static void to_bytes(std::uint64_t bits, int count, std::uint8_t* byte) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      const std::uint64_t eight = _pdep_u64(bits >> i, 0x0101010101010101ULL);
      __builtin_memcpy(byte + i, &eight, 8);
    }
    for (; i < count; ++i) byte[i] = static_cast<std::uint8_t>((bits >> i) & 1U);
  }
  static std::uint64_t to_bits(const std::uint8_t* byte) {
    std::uint64_t bits = 0;
    for (int half = 0; half < 2; ++half) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(byte + 32 * half));
      const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(x, 7)));
      bits |= static_cast<std::uint64_t>(mask) << (32 * half);
    }
    return bits;
  }
  /// See WideAvx512.
  template <class V>
  static V each_four_times(const std::uint32_t* from) {
    if constexpr (sizeof(V) == 32) {
      const __m128i words = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
      return reinterpret_cast<V>(
          _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(words), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)));
    } else {
      return reinterpret_cast<V>(_mm_set1_epi32(static_cast<int>(*from)));
    }
  }

 private:
  static __m256i load(const std::uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static void philox_of(PhiloxKey key, __m256i low, __m256i high, const std::uint32_t rest[3],
                        std::uint32_t out[4][16]) {
    using Halves = exact::HalvesAvx2;
    // Even and odd lanes of the first eight, then of the last eight.
    __m256i w[4][4] = {{low, Halves::high(low), high, Halves::high(high)}};
    for (int word = 1; word < 4; ++word) {
      for (__m256i& v : w[word]) v = Halves::wide(rest[word - 1]);
    }
    exact::philox_rounds<Halves, 10>(key, w);
    for (int word = 0; word < 4; ++word) {
      for (int half = 0; half < 2; ++half) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out[word] + 8 * half),
                            Halves::merge(w[word][2 * half], w[word][2 * half + 1]));
      }
    }
  }
};

}}  // namespace glassworks::cpu
