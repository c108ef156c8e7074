#pragma once

#include <immintrin.h>

#include <cstdint>

#include "kernels/cpu/lanes/lanes_avx512.hpp"

namespace glassworks { inline namespace cpu {

/// WidePortable for AVX-512. Only for the translation unit of that instruction set.
struct WideAvx512 {
  static constexpr int vector_words = 16;  ///< words of 32 bits in a vector
  static constexpr int shortest_row = 32;  ///< below it sites are over-relaxed one by one
  using Float = exact::F512;

  static void philox(PhiloxKey key, std::uint32_t first, const std::uint32_t rest[3], std::uint32_t out[4][16]) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    philox_of(key, _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(first))), rest, out);
  }
  static void philox(PhiloxKey key, const std::uint32_t index[16], const std::uint32_t rest[3],
                     std::uint32_t out[4][16]) {
    philox_of(key, _mm512_loadu_si512(index), rest, out);
  }
  static void copy_with(const float* from, int lane, float x, float* to) {
    const auto own = static_cast<__mmask16>(lane < 16 ? 1U << lane : 0U);
    _mm512_storeu_ps(to, _mm512_mask_mov_ps(_mm512_loadu_ps(from), own, _mm512_set1_ps(x)));
  }
  // Another thread may be changing the elements in between: masked loads skip them.
  static void every_second(const float* from, int count, float* to) {
    if (count <= 4) {
      const __m256 x = _mm256_maskz_loadu_ps(0x55, from);
      return _mm_storeu_ps(to, _mm_shuffle_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1), 0x88));
    }
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512 low = _mm512_maskz_loadu_ps(0x5555, from);
    if (count <= 8) return _mm256_storeu_ps(to, _mm512_castps512_ps256(_mm512_permutexvar_ps(even, low)));
    const __m512 high = _mm512_maskz_loadu_ps(0x5555, from + 16);
    _mm512_storeu_ps(to, _mm512_permutex2var_ps(low, even, high));
  }
  static void every_second(const std::uint8_t* from, int count, std::uint32_t* to) {
    if (count <= 4) {
      const __m128i words = _mm_maskz_loadu_epi8(0x55, from);
      return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_cvtepu16_epi32(words));
    }
    _mm512_storeu_si512(to, _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi8(0x55555555, from)));
  }
  static void every_second_of_two(const float* a, const float* b, float* to) {
    const __m256 x = _mm256_maskz_loadu_ps(0x55, a), y = _mm256_maskz_loadu_ps(0x55, b);
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    _mm256_storeu_ps(to, _mm256_permutex2var_ps(x, even, y));
  }
  static void every_second_of_two(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* to) {
    every_second(a, 4, to);
    every_second(b, 4, to + 4);
  }
  static void put_every_second(const float* from, int count, float* to) {
    const __m512 x = _mm512_loadu_ps(from);
    const std::uint32_t places = _bzhi_u32(0x55555555, static_cast<unsigned>(2 * count));
    const __m512i low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>(places), _mm512_permutexvar_ps(low, x));
    if (count <= 8) return;
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    _mm512_mask_storeu_ps(to + 16, static_cast<__mmask16>(places >> 16), _mm512_permutexvar_ps(high, x));
  }
  static void put_every_second(const std::uint32_t* from, int count, std::uint8_t* to) {
    const std::uint32_t places = _bzhi_u32(0x55555555, static_cast<unsigned>(2 * count));
    _mm256_mask_storeu_epi8(to, places, _mm512_cvtepi32_epi16(_mm512_loadu_si512(from)));
  }
  /// Each element of 32 bits turned to the right. V: a vector of them
  template <class V>
  static V turn(V x, V by) {
    if constexpr (sizeof(V) == 64) {
      return reinterpret_cast<V>(_mm512_rorv_epi32(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(by)));
    } else if constexpr (sizeof(V) == 32) {
      return reinterpret_cast<V>(_mm256_rorv_epi32(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(by)));
    } else {
      return reinterpret_cast<V>(_mm_rorv_epi32(reinterpret_cast<__m128i>(x), reinterpret_cast<__m128i>(by)));
    }
  }
  /// V{from[0] four times, from[1] four times, ...}. A vector put together in memory would wait for its parts.
  template <class V>
  static V each_four_times(const std::uint32_t* from) {
    const __m512i place = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    if constexpr (sizeof(V) == 64) {
      const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
      return reinterpret_cast<V>(_mm512_permutexvar_epi32(place, _mm512_castsi128_si512(words)));
    } else if constexpr (sizeof(V) == 32) {
      const __m128i words = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
      return reinterpret_cast<V>(
          _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(words), _mm512_castsi512_si256(place)));
    } else {
      return reinterpret_cast<V>(_mm_set1_epi32(static_cast<int>(*from)));
    }
  }
  /// Bits that two or three of three words have.
  template <class V>
  static V majority(V a, V b, V c) {
    return ternary<0xE8>(a, b, c);
  }
  /// a ^ b ^ c.
  template <class V>
  static V parity(V a, V b, V c) {
    return ternary<0x96>(a, b, c);
  }
  /// The function of three bits whose values the table has.
  template <int table, class V>
  static V ternary(V a, V b, V c) {
    if constexpr (sizeof(V) == 64) {
      return reinterpret_cast<V>(_mm512_ternarylogic_epi32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b),
                                                           reinterpret_cast<__m512i>(c), table));
    } else if constexpr (sizeof(V) == 32) {
      return reinterpret_cast<V>(_mm256_ternarylogic_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b),
                                                           reinterpret_cast<__m256i>(c), table));
    } else {
      return reinterpret_cast<V>(_mm_ternarylogic_epi32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b),
                                                        reinterpret_cast<__m128i>(c), table));
    }
  }
  /// Puts value[i] into a list where number[i] >= least; the list has room for 16. returns how many. V: sixteen words
  template <class V>
  static int append_where_at_least(const std::uint32_t* number, std::uint32_t least, const V& value,
                                   std::uint32_t* list) {
    const __mmask16 there =
        _mm512_cmpge_epu32_mask(_mm512_loadu_si512(number), _mm512_set1_epi32(static_cast<int>(least)));
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32(there, reinterpret_cast<__m512i>(value)));
    return __builtin_popcount(there);
  }
  static std::uint32_t below(const std::uint32_t word[16], std::uint32_t threshold) {
    return _mm512_cmplt_epu32_mask(_mm512_loadu_si512(word), _mm512_set1_epi32(static_cast<int>(threshold)));
  }
  static std::uint32_t flags(const std::uint32_t flag[16]) {
    const __m512i f = _mm512_loadu_si512(flag);
    return _mm512_test_epi32_mask(f, f);
  }
  static std::uint64_t equal(const std::uint8_t* a, const std::uint8_t* b) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
  }
  static void flip(std::uint8_t* state, std::uint64_t bits) {
    const __m512i ones = _mm512_maskz_set1_epi8(bits, 1);
    _mm512_storeu_si512(state, _mm512_xor_si512(_mm512_loadu_si512(state), ones));
  }
  static std::uint64_t gather(std::uint64_t value, std::uint64_t mask) { return _pext_u64(value, mask); }
  static std::uint64_t scatter(std::uint64_t value, std::uint64_t mask) { return _pdep_u64(value, mask); }
  static void to_bytes(std::uint64_t bits, int count, std::uint8_t* byte) {
    const std::uint64_t kept = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    _mm512_mask_storeu_epi8(byte, kept, _mm512_maskz_set1_epi8(bits, 1));
  }
  static std::uint64_t to_bits(const std::uint8_t* byte) {
    return _mm512_test_epi8_mask(_mm512_loadu_si512(byte), _mm512_set1_epi8(1));
  }

 private:
  static void philox_of(PhiloxKey key, __m512i index, const std::uint32_t rest[3], std::uint32_t out[4][16]) {
    using Halves = exact::HalvesAvx512;
    __m512i w[4][2] = {{index, Halves::high(index)}};
    for (int word = 1; word < 4; ++word) w[word][0] = w[word][1] = Halves::wide(rest[word - 1]);
    exact::philox_rounds<Halves, 10>(key, w);
    for (int word = 0; word < 4; ++word) _mm512_storeu_si512(out[word], Halves::merge(w[word][0], w[word][1]));
  }
};

}}  // namespace glassworks::cpu
