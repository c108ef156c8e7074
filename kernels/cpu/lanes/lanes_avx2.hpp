#pragma once

#include <immintrin.h>

#include <bit>

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/lanes/philox_halves.hpp"

/// The exact operations for 8 replicas in AVX2 registers with FMA. Only for the translation unit of that set.
namespace glassworks::exact {

struct F256 {
  __m256 v;
  F256() = default;
  GLASSWORKS_HD F256(__m256 x) : v(x) {}
  GLASSWORKS_HD explicit F256(float x) : v(_mm256_set1_ps(x)) {}
};
struct U256 {
  __m256i v;
  U256() = default;
  GLASSWORKS_HD U256(__m256i x) : v(x) {}
  GLASSWORKS_HD explicit U256(std::uint32_t x) : v(_mm256_set1_epi32(static_cast<int>(x))) {}
};
template <>
struct BitsOf<F256> {
  using type = U256;
};

GLASSWORKS_HD F256 fma(F256 a, F256 b, F256 c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F256 fnma(F256 a, F256 b, F256 c) { return _mm256_fnmadd_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F256 fms(F256 a, F256 b, F256 c) { return _mm256_fmsub_ps(a.v, b.v, c.v); }
GLASSWORKS_HD F256 mul(F256 a, F256 b) { return _mm256_mul_ps(a.v, b.v); }
GLASSWORKS_HD F256 add(F256 a, F256 b) { return _mm256_add_ps(a.v, b.v); }
GLASSWORKS_HD F256 sub(F256 a, F256 b) { return _mm256_sub_ps(a.v, b.v); }
GLASSWORKS_HD F256 reciprocal(F256 x) { return _mm256_div_ps(_mm256_set1_ps(1.0F), x.v); }
GLASSWORKS_HD F256 sqrt(F256 x) { return _mm256_sqrt_ps(x.v); }
GLASSWORKS_HD F256 min(F256 a, F256 b) { return _mm256_min_ps(b.v, a.v); }  // a where equal or unordered
GLASSWORKS_HD F256 max(F256 a, F256 b) { return _mm256_max_ps(b.v, a.v); }
GLASSWORKS_HD U256 as_uint(F256 x) { return _mm256_castps_si256(x.v); }
GLASSWORKS_HD F256 as_float(U256 x) { return _mm256_castsi256_ps(x.v); }
GLASSWORKS_HD U256 operator+(U256 a, U256 b) { return _mm256_add_epi32(a.v, b.v); }
GLASSWORKS_HD U256 operator-(U256 a, U256 b) { return _mm256_sub_epi32(a.v, b.v); }
GLASSWORKS_HD U256 operator^(U256 a, U256 b) { return _mm256_xor_si256(a.v, b.v); }
GLASSWORKS_HD U256 operator|(U256 a, U256 b) { return _mm256_or_si256(a.v, b.v); }
template <int n>
GLASSWORKS_HD U256 shift_left(U256 a) {
  return _mm256_slli_epi32(a.v, n);
}
template <int n>
GLASSWORKS_HD U256 shift_right(U256 a) {
  return _mm256_srli_epi32(a.v, n);
}
template <int n>
GLASSWORKS_HD U256 shift_right_signed(U256 a) {
  return _mm256_srai_epi32(a.v, n);
}
GLASSWORKS_HD F256 signed_to_float(U256 i) { return _mm256_cvtepi32_ps(i.v); }
GLASSWORKS_HD U256 round_to_bits(F256 x) { return _mm256_cvtps_epi32(x.v); }
GLASSWORKS_HD __m256 sign_mask() { return _mm256_set1_ps(-0.0F); }
GLASSWORKS_HD F256 abs(F256 x) { return _mm256_andnot_ps(sign_mask(), x.v); }
GLASSWORKS_HD F256 copy_sign(F256 a, F256 b) {
  return _mm256_or_ps(_mm256_andnot_ps(sign_mask(), a.v), _mm256_and_ps(sign_mask(), b.v));
}
GLASSWORKS_HD F256 flip_sign(F256 x, U256 sign) {
  return _mm256_xor_ps(x.v, _mm256_and_ps(sign_mask(), _mm256_castsi256_ps(sign.v)));
}
GLASSWORKS_HD F256 select_bit30(U256 which, F256 a, F256 b) {
  return _mm256_blendv_ps(a.v, b.v, _mm256_castsi256_ps(_mm256_slli_epi32(which.v, 1)));
}
GLASSWORKS_HD F256 select_less(F256 a, F256 b, F256 x, F256 y) {
  return _mm256_blendv_ps(y.v, x.v, _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ));
}
GLASSWORKS_HD F256 select_zero(U256 i, F256 a, F256 b) {
  return _mm256_blendv_ps(b.v, a.v, _mm256_castsi256_ps(_mm256_cmpeq_epi32(i.v, _mm256_setzero_si256())));
}

/// For neighbours that are counted (CountedWeights). Shifts by 32 bits and more leave 0; max of numbers below 2^31;
/// the bits of table[i], i <= 8.
GLASSWORKS_HD U256 shift_left_by(U256 a, U256 n) { return _mm256_sllv_epi32(a.v, n.v); }
GLASSWORKS_HD U256 shift_right_by(U256 a, int n) { return _mm256_srl_epi32(a.v, _mm_cvtsi32_si128(n)); }
template <int n>
GLASSWORKS_HD U256 low_bits(U256 a) {
  return _mm256_and_si256(a.v, _mm256_set1_epi32((1 << n) - 1));
}
GLASSWORKS_HD U256 max(U256 a, U256 b) { return _mm256_max_epi32(a.v, b.v); }
template <class Number>
GLASSWORKS_HD U256 pick(const Number* table, U256 i) {
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table));
  const __m256i is_last = _mm256_cmpeq_epi32(i.v, _mm256_set1_epi32(8));
  const __m256i last = _mm256_set1_epi32(std::bit_cast<std::int32_t>(table[8]));
  return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(all, i.v), last, is_last);
}

/// Not exact operations, for decisions with a margin: a b + c and c - a b however rounded; the smaller of |a| and b >=
/// 0.
GLASSWORKS_HD F256 multiply_add(F256 a, F256 b, F256 c) { return fma(a, b, c); }
GLASSWORKS_HD F256 subtract_product(F256 a, F256 b, F256 c) { return fnma(a, b, c); }
GLASSWORKS_HD F256 least_size(F256 a, F256 b) { return min(abs(a), b); }

/// Eight doubles, for the operations that need them.
struct D256 {
  __m256d low, high;
  D256() = default;
  GLASSWORKS_HD D256(__m256d a, __m256d b) : low(a), high(b) {}
  GLASSWORKS_HD explicit D256(double x) : low(_mm256_set1_pd(x)), high(low) {}
};
template <>
struct WideOf<F256> {
  using type = D256;
};
GLASSWORKS_HD D256 widen(F256 x) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(x.v)), _mm256_cvtps_pd(_mm256_extractf128_ps(x.v, 1))};
}
GLASSWORKS_HD F256 narrow(D256 x) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(x.low)), _mm256_cvtpd_ps(x.high), 1);
}
GLASSWORKS_HD D256 fma(D256 a, D256 b, D256 c) {
  return {_mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high)};
}
GLASSWORKS_HD D256 fms(D256 a, D256 b, D256 c) {
  return {_mm256_fmsub_pd(a.low, b.low, c.low), _mm256_fmsub_pd(a.high, b.high, c.high)};
}
GLASSWORKS_HD D256 mul(D256 a, D256 b) { return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)}; }
GLASSWORKS_HD D256 add(D256 a, D256 b) { return {_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)}; }
GLASSWORKS_HD D256 divide(D256 a, D256 b) { return {_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)}; }

/// See philox_rounds.
struct HalvesAvx2 {
  using Vector = __m256i;
  GLASSWORKS_HD static Vector wide(std::uint32_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
  GLASSWORKS_HD static Vector multiply(Vector a, Vector b) { return _mm256_mul_epu32(a, b); }
  GLASSWORKS_HD static Vector high(Vector x) { return _mm256_srli_epi64(x, 32); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b) { return _mm256_xor_si256(a, b); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b, Vector c) { return xor_of(a, xor_of(b, c)); }
  GLASSWORKS_HD static Vector merge(Vector even, Vector odd) {
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
  }
  GLASSWORKS_HD static Vector high_of(Vector even, Vector odd) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(even), _mm256_castsi256_ps(odd), 0xDD));
  }
  GLASSWORKS_HD static Vector low_of(Vector even, Vector odd) {
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(even), _mm256_castsi256_ps(odd), 0x88));
  }
};

template <>
struct Lanes<F256> {
  static constexpr int width = 8;
  GLASSWORKS_HD static F256 load(const float* p) { return _mm256_load_ps(p); }
  GLASSWORKS_HD static void store(float* p, F256 x) { _mm256_store_ps(p, x.v); }
  GLASSWORKS_HD static U256 load(const std::uint32_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  GLASSWORKS_HD static void add_to(std::int32_t* sum, U256 x) {
    auto* p = reinterpret_cast<__m256i*>(sum);
    _mm256_store_si256(p, _mm256_add_epi32(_mm256_load_si256(p), x.v));
  }
  GLASSWORKS_HD static void store(std::uint32_t* p, U256 x) { store(reinterpret_cast<std::int32_t*>(p), x); }
  GLASSWORKS_HD static void store(std::int32_t* sum, U256 x) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(sum), x.v);
  }
  GLASSWORKS_HD static void add_wide(std::int64_t* sum, U256 x) {
    auto* p = reinterpret_cast<__m256i*>(sum);
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(x.v));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x.v, 1));
    _mm256_store_si256(p, _mm256_add_epi64(_mm256_load_si256(p), low));
    _mm256_store_si256(p + 1, _mm256_add_epi64(_mm256_load_si256(p + 1), high));
  }

  /// Bit i: bit 31 of lane i; whether lane i of a is below that of b.
  GLASSWORKS_HD static std::uint32_t signs(U256 x) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(x.v)));
  }
  GLASSWORKS_HD static std::uint32_t below(U256 a, U256 b) {
    const __m256i top = _mm256_set1_epi32(static_cast<int>(0x80000000U));
    return signs(_mm256_cmpgt_epi32(_mm256_xor_si256(b.v, top), _mm256_xor_si256(a.v, top)));
  }

  using Halves = HalvesAvx2;
  /// The higher 31 bits of words as floats, and the end of their range.
  static constexpr float words_end = 2147483648.0F;
  GLASSWORKS_HD static F256 word_to_float(U256 word) { return signed_to_float(shift_right<1>(word)); }
  GLASSWORKS_HD static bool any_at_most(F256 a, F256 b) {
    return _mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_NGT_UQ)) != 0;
  }
  /// The second and the third of four lanes in the place of each other.
  GLASSWORKS_HD static U256 turned(U256 x) { return _mm256_shuffle_epi32(x.v, _MM_SHUFFLE(3, 1, 2, 0)); }

  /// Ten Philox rounds; words 0 to 2 of the counter are the same in all lanes.
  GLASSWORKS_HD static void philox(PhiloxStart s, U256 word3, U256 out[4]) {
    finish_philox<HalvesAvx2>(s, (word3 ^ U256(s.word2_xor)).v, out);
  }
};

}  // namespace glassworks::exact
