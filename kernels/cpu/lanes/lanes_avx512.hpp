#pragma once

#include <immintrin.h>

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/lanes/philox_halves.hpp"

/// The exact operations for 16 replicas in AVX-512 registers. Only for the translation unit of that instruction set.
namespace glassworks::exact {

struct F512 {
  __m512 v;
  F512() = default;
  GLASSWORKS_HD F512(__m512 x) : v(x) {}
  GLASSWORKS_HD explicit F512(float x) : v(_mm512_set1_ps(x)) {}
};
struct U512 {
  __m512i v;
  U512() = default;
  GLASSWORKS_HD U512(__m512i x) : v(x) {}
  GLASSWORKS_HD explicit U512(std::uint32_t x) : v(_mm512_set1_epi32(static_cast<int>(x))) {}
};
template <>
struct BitsOf<F512> {
  using type = U512;
};

GLASSWORKS_HD F512 fma(F512 a, F512 b, F512 c) { return _mm512_fmadd_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F512 fnma(F512 a, F512 b, F512 c) { return _mm512_fnmadd_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F512 fms(F512 a, F512 b, F512 c) { return _mm512_fmsub_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F512 mul(F512 a, F512 b) { return _mm512_mul_ps(a.v, b.v); }
GLASSWORKS_HD F512 add(F512 a, F512 b) { return _mm512_add_ps(a.v, b.v); }
GLASSWORKS_HD F512 sub(F512 a, F512 b) { return _mm512_sub_ps(a.v, b.v); }
GLASSWORKS_HD F512 reciprocal(F512 x) { return _mm512_div_ps(_mm512_set1_ps(1.0F), x.v); }
GLASSWORKS_HD F512 sqrt(F512 x) { return _mm512_sqrt_ps(x.v); }
GLASSWORKS_HD F512 min(F512 a, F512 b) { return _mm512_min_ps(b.v, a.v); }  // a where equal or unordered
GLASSWORKS_HD F512 max(F512 a, F512 b) { return _mm512_max_ps(b.v, a.v); }
GLASSWORKS_HD U512 as_uint(F512 x) { return _mm512_castps_si512(x.v); }
GLASSWORKS_HD F512 as_float(U512 x) { return _mm512_castsi512_ps(x.v); }
GLASSWORKS_HD U512 operator+(U512 a, U512 b) { return _mm512_add_epi32(a.v, b.v); }
GLASSWORKS_HD U512 operator-(U512 a, U512 b) { return _mm512_sub_epi32(a.v, b.v); }
GLASSWORKS_HD U512 operator^(U512 a, U512 b) { return _mm512_xor_si512(a.v, b.v); }
GLASSWORKS_HD U512 operator|(U512 a, U512 b) { return _mm512_or_si512(a.v, b.v); }
template <int n>
GLASSWORKS_HD U512 shift_left(U512 a) {
  return _mm512_slli_epi32(a.v, n);
}
template <int n>
GLASSWORKS_HD U512 shift_right(U512 a) {
  return _mm512_srli_epi32(a.v, n);
}
template <int n>
GLASSWORKS_HD U512 shift_right_signed(U512 a) {
  return _mm512_srai_epi32(a.v, n);
}
GLASSWORKS_HD F512 signed_to_float(U512 i) { return _mm512_cvtepi32_ps(i.v); }
GLASSWORKS_HD U512 round_to_bits(F512 x) { return _mm512_cvtps_epi32(x.v); }
GLASSWORKS_HD F512 abs(F512 x) { return _mm512_abs_ps(x.v); }
/// Bitwise: sign bit from b, the rest from a.
GLASSWORKS_HD F512 copy_sign(F512 a, F512 b) {
  const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000U));
  return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(sign, _mm512_castps_si512(b.v), _mm512_castps_si512(a.v), 0xCA));
}
GLASSWORKS_HD F512 flip_sign(F512 x, U512 sign) {
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(0x80000000U));
  return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(_mm512_castps_si512(x.v), sign.v, mask, 0x78));
}
GLASSWORKS_HD F512 select_bit30(U512 which, F512 a, F512 b) {
  return _mm512_mask_blend_ps(_mm512_test_epi32_mask(which.v, _mm512_set1_epi32(0x40000000)), a.v, b.v);
}
GLASSWORKS_HD F512 select_less(F512 a, F512 b, F512 x, F512 y) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ), y.v, x.v);
}
GLASSWORKS_HD F512 select_zero(U512 i, F512 a, F512 b) {
  return _mm512_mask_blend_ps(_mm512_test_epi32_mask(i.v, i.v), a.v, b.v);
}

/// See lanes_avx2.hpp. Of pick, table has room for sixteen numbers.
GLASSWORKS_HD U512 shift_left_by(U512 a, U512 n) { return _mm512_sllv_epi32(a.v, n.v); }
GLASSWORKS_HD U512 shift_right_by(U512 a, int n) { return _mm512_srl_epi32(a.v, _mm_cvtsi32_si128(n)); }
template <int n>
GLASSWORKS_HD U512 low_bits(U512 a) {
  return _mm512_and_si512(a.v, _mm512_set1_epi32((1 << n) - 1));
}
GLASSWORKS_HD U512 max(U512 a, U512 b) { return _mm512_max_epi32(a.v, b.v); }
template <class Number>
GLASSWORKS_HD U512 pick(const Number* table, U512 i) {
  return _mm512_permutexvar_epi32(i.v, _mm512_loadu_si512(table));
}

/// Not exact operations, for decisions with a margin: a b + c and c - a b however rounded; the smaller of |a| and b >=
/// 0.
GLASSWORKS_HD F512 multiply_add(F512 a, F512 b, F512 c) { return fma(a, b, c); }
GLASSWORKS_HD F512 subtract_product(F512 a, F512 b, F512 c) { return fnma(a, b, c); }
GLASSWORKS_HD F512 least_size(F512 a, F512 b) { return _mm512_range_ps(a.v, b.v, 0x0A); }

/// Sixteen doubles, for the operations that need them.
struct D512 {
  __m512d low, high;
  D512() = default;
  GLASSWORKS_HD D512(__m512d a, __m512d b) : low(a), high(b) {}
  GLASSWORKS_HD explicit D512(double x) : low(_mm512_set1_pd(x)), high(low) {}
};
template <>
struct WideOf<F512> {
  using type = D512;
};
GLASSWORKS_HD D512 widen(F512 x) {
  return {_mm512_cvtps_pd(_mm512_castps512_ps256(x.v)), _mm512_cvtps_pd(_mm512_extractf32x8_ps(x.v, 1))};
}
GLASSWORKS_HD F512 narrow(D512 x) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(x.low)), _mm512_cvtpd_ps(x.high), 1);
}
GLASSWORKS_HD D512 fma(D512 a, D512 b, D512 c) {
  return {_mm512_fmadd_pd(a.low, b.low, c.low), _mm512_fmadd_pd(a.high, b.high, c.high)};
}
GLASSWORKS_HD D512 fms(D512 a, D512 b, D512 c) {
  return {_mm512_fmsub_pd(a.low, b.low, c.low), _mm512_fmsub_pd(a.high, b.high, c.high)};
}
GLASSWORKS_HD D512 mul(D512 a, D512 b) { return {_mm512_mul_pd(a.low, b.low), _mm512_mul_pd(a.high, b.high)}; }
GLASSWORKS_HD D512 add(D512 a, D512 b) { return {_mm512_add_pd(a.low, b.low), _mm512_add_pd(a.high, b.high)}; }
GLASSWORKS_HD D512 divide(D512 a, D512 b) { return {_mm512_div_pd(a.low, b.low), _mm512_div_pd(a.high, b.high)}; }

/// See philox_rounds.
struct HalvesAvx512 {
  using Vector = __m512i;
  GLASSWORKS_HD static Vector wide(std::uint32_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  GLASSWORKS_HD static Vector multiply(Vector a, Vector b) { return _mm512_mul_epu32(a, b); }
  GLASSWORKS_HD static Vector high(Vector x) { return _mm512_srli_epi64(x, 32); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b, Vector c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
  GLASSWORKS_HD static Vector merge(Vector even, Vector odd) {
    return _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32));
  }
  GLASSWORKS_HD static Vector high_of(Vector even, Vector odd) {
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(even), _mm512_castsi512_ps(odd), 0xDD));
  }
  GLASSWORKS_HD static Vector low_of(Vector even, Vector odd) {
    return _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(even), _mm512_castsi512_ps(odd), 0x88));
  }
};

template <>
struct Lanes<F512> {
  static constexpr int width = 16;
  GLASSWORKS_HD static F512 load(const float* p) { return _mm512_load_ps(p); }
  GLASSWORKS_HD static void store(float* p, F512 x) { _mm512_store_ps(p, x.v); }
  GLASSWORKS_HD static U512 load(const std::uint32_t* p) { return _mm512_loadu_si512(p); }
  GLASSWORKS_HD static void add_to(std::int32_t* sum, U512 x) {
    _mm512_store_si512(sum, _mm512_add_epi32(_mm512_load_si512(sum), x.v));
  }
  GLASSWORKS_HD static void store(std::uint32_t* p, U512 x) { _mm512_store_si512(p, x.v); }
  GLASSWORKS_HD static void store(std::int32_t* sum, U512 x) { _mm512_store_si512(sum, x.v); }
  GLASSWORKS_HD static void add_wide(std::int64_t* sum, U512 x) {
    const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(x.v));
    const __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(x.v, 1));
    _mm512_store_si512(sum, _mm512_add_epi64(_mm512_load_si512(sum), low));
    _mm512_store_si512(sum + 8, _mm512_add_epi64(_mm512_load_si512(sum + 8), high));
  }

  /// Bit i: bit 31 of lane i; whether lane i of a is below that of b.
  GLASSWORKS_HD static std::uint32_t signs(U512 x) { return _mm512_movepi32_mask(x.v); }
  GLASSWORKS_HD static std::uint32_t below(U512 a, U512 b) { return _mm512_cmplt_epu32_mask(a.v, b.v); }

  using Halves = HalvesAvx512;
  /// Words as floats, and the end of their range.
  static constexpr float words_end = 4294967296.0F;
  GLASSWORKS_HD static F512 word_to_float(U512 word) { return _mm512_cvtepu32_ps(word.v); }
  GLASSWORKS_HD static bool any_at_most(F512 a, F512 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_NGT_UQ) != 0; }
  /// The second and the third of four lanes in the place of each other.
  GLASSWORKS_HD static U512 turned(U512 x) { return _mm512_shuffle_epi32(x.v, _MM_PERM_DBCA); }

  /// Ten Philox rounds; words 0 to 2 of the counter are the same in all lanes.
  GLASSWORKS_HD static void philox(PhiloxStart s, U512 word3, U512 out[4]) {
    finish_philox<HalvesAvx512>(s, (word3 ^ U512(s.word2_xor)).v, out);
  }
};

}  // namespace glassworks::exact
