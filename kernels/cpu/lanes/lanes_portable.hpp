#pragma once

#include <cstring>

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/lanes/philox_halves.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// The exact operations for 4 replicas in the vectors that every processor has: SSE2 on x86-64, NEON on ARM, whatever
/// the compiler makes of vectors of 16 bytes elsewhere. Where there is no fused multiply-add, it is made of operations
/// in double precision, to the same bits.
namespace glassworks::exact {

struct F128 {
  using Native = float __attribute__((vector_size(16)));
  Native v;
  F128() = default;
  GLASSWORKS_HD F128(Native x) : v(x) {}
  GLASSWORKS_HD explicit F128(float x) : v{x, x, x, x} {}
};
struct U128 {
  using Native = std::uint32_t __attribute__((vector_size(16)));
  Native v;
  U128() = default;
  GLASSWORKS_HD U128(Native x) : v(x) {}
  GLASSWORKS_HD explicit U128(std::uint32_t x) : v{x, x, x, x} {}
};
/// What a comparison gives, and what is shifted with its sign.
using I128 = std::int32_t __attribute__((vector_size(16)));
template <>
struct BitsOf<F128> {
  using type = U128;
};

GLASSWORKS_HD U128 as_uint(F128 x) { return reinterpret_cast<U128::Native>(x.v); }
GLASSWORKS_HD F128 as_float(U128 x) { return reinterpret_cast<F128::Native>(x.v); }
/// x where the mask is set, y elsewhere.
GLASSWORKS_HD F128 select(I128 mask, F128 x, F128 y) {
  const auto bits = reinterpret_cast<U128::Native>(mask);
  return as_float((as_uint(x).v & bits) | (as_uint(y).v & ~bits));
}
/// Lane by lane.
template <class Function>
GLASSWORKS_HD F128 each(const Function& function) {
  return F128::Native{function(0), function(1), function(2), function(3)};
}

#if defined(__SSE2__) && !defined(__FMA__)
// Inlined it makes five times the code, which takes three times as long to compile and runs 10 to 30 % faster.
#if defined(GLASSWORKS_SMALL_CODE)
#define GLASSWORKS_FUSED [[gnu::noinline]]
#else
#define GLASSWORKS_FUSED [[gnu::always_inline]]
#endif
/// a b + c in double precision: the product is exact, and the sum is rounded.
struct WideSum {
  __m128d low, high;
  GLASSWORKS_HD WideSum(__m128 a, __m128 b, __m128 c)
      : low(of(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c))), high(of(upper(a), upper(b), upper(c))) {}
  GLASSWORKS_HD __m128 rounded() const { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }

  GLASSWORKS_HD static __m128d upper(__m128 x) { return _mm_cvtps_pd(_mm_movehl_ps(x, x)); }
  GLASSWORKS_HD static __m128d of(__m128d a, __m128d b, __m128d c) { return _mm_add_pd(_mm_mul_pd(a, b), c); }
  /// What the sum lost when it was rounded (two-sum, Knuth).
  GLASSWORKS_HD static __m128d lost(__m128d a, __m128d b, __m128d c, __m128d sum) {
    const __m128d product = _mm_mul_pd(a, b), from_c = _mm_sub_pd(sum, product);
    return _mm_add_pd(_mm_sub_pd(product, _mm_sub_pd(sum, from_c)), _mm_sub_pd(c, from_c));
  }
};
/// For the sums that `fused` does not decide. Called from so many places that it would be a third of the code if it
/// were inlined. A sum that lost nothing is rounded once, whatever it is; the others are left to the library.
[[gnu::noinline, gnu::cold]] inline F128::Native fma_in_doubt(F128::Native a, F128::Native b, F128::Native c) {
  const WideSum sum(a, b, c);
  const __m128d low = WideSum::lost(_mm_cvtps_pd(a), _mm_cvtps_pd(b), _mm_cvtps_pd(c), sum.low);
  const __m128d high = WideSum::lost(WideSum::upper(a), WideSum::upper(b), WideSum::upper(c), sum.high);
  const __m128d none = _mm_setzero_pd();
  if ((_mm_movemask_pd(_mm_cmpeq_pd(low, none)) & _mm_movemask_pd(_mm_cmpeq_pd(high, none))) == 3) {
    return sum.rounded();
  }
  return each([&](int i) { return __builtin_fmaf(a[i], b[i], c[i]); }).v;
}
/// The product is exact in double precision, and the sum is rounded twice: to 53 bits and to 24. That differs from one
/// rounding only where the first ends halfway between two floats, or where the float is subnormal.
GLASSWORKS_FUSED inline F128::Native fused(F128::Native a, F128::Native b, F128::Native c) {
  const WideSum wide(a, b, c);
  const __m128 sum = wide.rounded();
  const __m128i lower_bits =
      _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(wide.low), _mm_castpd_ps(wide.high), _MM_SHUFFLE(2, 0, 2, 0)));
  constexpr int below_float = 0x1FFFFFFF, halfway = 0x10000000, sign_off = 0x7FFFFFFF, smallest_normal = 0x00800000;
  const __m128i is_halfway =
      _mm_cmpeq_epi32(_mm_and_si128(lower_bits, _mm_set1_epi32(below_float)), _mm_set1_epi32(halfway));
  const __m128i is_small = _mm_cmplt_epi32(_mm_and_si128(_mm_castps_si128(sum), _mm_set1_epi32(sign_off)),
                                           _mm_set1_epi32(smallest_normal + 1));
  if (__builtin_expect(_mm_movemask_epi8(_mm_or_si128(is_halfway, is_small)) != 0, 0)) {
    return fma_in_doubt(a, b, c);
  }
  return F128::Native(sum);
}
GLASSWORKS_HD F128 fma(F128 a, F128 b, F128 c) { return fused(a.v, b.v, c.v); }
#else
GLASSWORKS_HD F128 fma(F128 a, F128 b, F128 c) {
  return each([&](int i) { return __builtin_fmaf(a.v[i], b.v[i], c.v[i]); });
}
#endif
GLASSWORKS_HD F128 mul(F128 a, F128 b) { return a.v * b.v; }
GLASSWORKS_HD F128 add(F128 a, F128 b) { return a.v + b.v; }
GLASSWORKS_HD F128 sub(F128 a, F128 b) { return a.v - b.v; }
GLASSWORKS_HD F128 fnma(F128 a, F128 b, F128 c) { return fma(-a.v, b, c); }
GLASSWORKS_HD F128 fms(F128 a, F128 b, F128 c) { return fma(a, b, -c.v); }
GLASSWORKS_HD F128 reciprocal(F128 x) { return F128(1.0F).v / x.v; }
#if defined(__SSE2__)
GLASSWORKS_HD F128 sqrt(F128 x) { return F128::Native(_mm_sqrt_ps(x.v)); }
GLASSWORKS_HD U128 round_to_bits(F128 x) { return reinterpret_cast<U128::Native>(_mm_cvtps_epi32(x.v)); }
#else
GLASSWORKS_HD F128 sqrt(F128 x) {
  return each([&](int i) { return __builtin_sqrtf(x.v[i]); });
}
GLASSWORKS_HD U128 round_to_bits(F128 x) {
  return U128::Native{round_to_bits(x.v[0]), round_to_bits(x.v[1]), round_to_bits(x.v[2]), round_to_bits(x.v[3])};
}
#endif
GLASSWORKS_HD F128 min(F128 a, F128 b) { return select(b.v < a.v, b, a); }
GLASSWORKS_HD F128 max(F128 a, F128 b) { return select(a.v < b.v, b, a); }
GLASSWORKS_HD U128 operator+(U128 a, U128 b) { return a.v + b.v; }
GLASSWORKS_HD U128 operator-(U128 a, U128 b) { return a.v - b.v; }
GLASSWORKS_HD U128 operator^(U128 a, U128 b) { return a.v ^ b.v; }
GLASSWORKS_HD U128 operator|(U128 a, U128 b) { return a.v | b.v; }
template <int n>
GLASSWORKS_HD U128 shift_left(U128 a) {
  return a.v << n;
}
template <int n>
GLASSWORKS_HD U128 shift_right(U128 a) {
  return a.v >> n;
}
template <int n>
GLASSWORKS_HD U128 shift_right_signed(U128 a) {
  return reinterpret_cast<U128::Native>(reinterpret_cast<I128>(a.v) >> n);
}
GLASSWORKS_HD F128 signed_to_float(U128 i) {
  return __builtin_convertvector(reinterpret_cast<I128>(i.v), F128::Native);
}
GLASSWORKS_HD F128 abs(F128 x) { return as_float(as_uint(x).v & U128(0x7FFFFFFFU).v); }
GLASSWORKS_HD F128 copy_sign(F128 a, F128 b) {
  return as_float((as_uint(a).v & U128(0x7FFFFFFFU).v) | (as_uint(b).v & U128(0x80000000U).v));
}
GLASSWORKS_HD F128 flip_sign(F128 x, U128 sign) { return as_float(as_uint(x).v ^ (sign.v & U128(0x80000000U).v)); }
GLASSWORKS_HD F128 select_bit30(U128 which, F128 a, F128 b) {
  return select(reinterpret_cast<I128>(which.v << 1) >> 31, b, a);
}
GLASSWORKS_HD F128 select_less(F128 a, F128 b, F128 x, F128 y) { return select(a.v < b.v, x, y); }
GLASSWORKS_HD F128 select_zero(U128 i, F128 a, F128 b) { return select(reinterpret_cast<I128>(i.v) == 0, a, b); }

/// Not exact operations, for decisions with a margin: a b + c and c - a b however rounded; the smaller of |a| and b >=
/// 0.
GLASSWORKS_HD F128 multiply_add(F128 a, F128 b, F128 c) { return a.v * b.v + c.v; }
GLASSWORKS_HD F128 subtract_product(F128 a, F128 b, F128 c) { return c.v - a.v * b.v; }
GLASSWORKS_HD F128 least_size(F128 a, F128 b) { return min(abs(a), b); }

/// Four doubles, for the operations that need them.
struct D128 {
  using Native = double __attribute__((vector_size(16)));
  Native low, high;
  D128() = default;
  GLASSWORKS_HD D128(Native a, Native b) : low(a), high(b) {}
  GLASSWORKS_HD explicit D128(double x) : low{x, x}, high{x, x} {}
};
template <>
struct WideOf<F128> {
  using type = D128;
};
GLASSWORKS_HD D128 widen(F128 x) { return {D128::Native{x.v[0], x.v[1]}, D128::Native{x.v[2], x.v[3]}}; }
GLASSWORKS_HD F128 narrow(D128 x) {
  return F128::Native{static_cast<float>(x.low[0]), static_cast<float>(x.low[1]), static_cast<float>(x.high[0]),
                      static_cast<float>(x.high[1])};
}
GLASSWORKS_HD D128::Native fma(D128::Native a, D128::Native b, D128::Native c) {
  return D128::Native{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
GLASSWORKS_HD D128 fma(D128 a, D128 b, D128 c) { return {fma(a.low, b.low, c.low), fma(a.high, b.high, c.high)}; }
GLASSWORKS_HD D128 fms(D128 a, D128 b, D128 c) { return {fma(a.low, b.low, -c.low), fma(a.high, b.high, -c.high)}; }
GLASSWORKS_HD D128 mul(D128 a, D128 b) { return {a.low * b.low, a.high * b.high}; }
GLASSWORKS_HD D128 add(D128 a, D128 b) { return {a.low + b.low, a.high + b.high}; }
GLASSWORKS_HD D128 divide(D128 a, D128 b) { return {a.low / b.low, a.high / b.high}; }

#if defined(__SSE2__)
/// See philox_rounds.
struct HalvesSse2 {
  using Vector = __m128i;
  GLASSWORKS_HD static Vector wide(std::uint32_t x) { return _mm_set1_epi64x(static_cast<long long>(x)); }
  GLASSWORKS_HD static Vector multiply(Vector a, Vector b) { return _mm_mul_epu32(a, b); }
  GLASSWORKS_HD static Vector high(Vector x) { return _mm_srli_epi64(x, 32); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b) { return _mm_xor_si128(a, b); }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b, Vector c) { return xor_of(a, xor_of(b, c)); }
  GLASSWORKS_HD static U128::Native merge(Vector even, Vector odd) {
    const Vector words = _mm_or_si128(_mm_and_si128(even, wide(0xFFFFFFFFU)), _mm_slli_epi64(odd, 32));
    return reinterpret_cast<U128::Native>(words);
  }
  GLASSWORKS_HD static Vector high_of(Vector even, Vector odd) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(even), _mm_castsi128_ps(odd), 0xDD));
  }
  GLASSWORKS_HD static Vector low_of(Vector even, Vector odd) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(even), _mm_castsi128_ps(odd), 0x88));
  }
};
using Halves128 = HalvesSse2;
#else
/// See philox_rounds.
struct HalvesOfVectors {
  using Vector = std::uint64_t __attribute__((vector_size(16)));
  GLASSWORKS_HD static Vector multiply(Vector a, Vector b) { return (a & 0xFFFFFFFFU) * (b & 0xFFFFFFFFU); }
  GLASSWORKS_HD static Vector high(Vector x) { return x >> 32; }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b) { return a ^ b; }
  GLASSWORKS_HD static Vector xor_of(Vector a, Vector b, Vector c) { return a ^ (b ^ c); }
  GLASSWORKS_HD static Vector high_of(Vector even, Vector odd) {
    return words(even[0] >> 32, even[1] >> 32, odd[0] >> 32, odd[1] >> 32);
  }
  GLASSWORKS_HD static Vector low_of(Vector even, Vector odd) { return words(even[0], even[1], odd[0], odd[1]); }

 private:
  GLASSWORKS_HD static Vector words(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    const auto word = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    return reinterpret_cast<Vector>(U128::Native{word(a), word(b), word(c), word(d)});
  }
};
using Halves128 = HalvesOfVectors;
#endif

template <>
struct Lanes<F128> {
  static constexpr int width = 4;
  GLASSWORKS_HD static F128 load(const float* p) { return load_as<F128>(p); }
  GLASSWORKS_HD static void store(float* p, F128 x) { std::memcpy(p, &x.v, sizeof x.v); }
  GLASSWORKS_HD static U128 load(const std::uint32_t* p) { return load_as<U128>(p); }
  GLASSWORKS_HD static void add_to(std::int32_t* sum, U128 x) {
    store(sum, load(reinterpret_cast<const std::uint32_t*>(sum)) + x);
  }
  GLASSWORKS_HD static void store(std::uint32_t* p, U128 x) { std::memcpy(p, &x.v, sizeof x.v); }
  GLASSWORKS_HD static void store(std::int32_t* sum, U128 x) { std::memcpy(sum, &x.v, sizeof x.v); }
  GLASSWORKS_HD static void add_wide(std::int64_t* sum, U128 x) {
    for (int i = 0; i < width; ++i) sum[i] += static_cast<std::int32_t>(x.v[i]);
  }

  /// Bit i: bit 31 of lane i; whether lane i of a is below that of b.
  GLASSWORKS_HD static std::uint32_t signs(U128 x) {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_ps(as_float(x).v));
#else
    std::uint32_t bits = 0;
    for (int i = 0; i < width; ++i) bits |= x.v[i] >> 31 << i;
    return bits;
#endif
  }
  GLASSWORKS_HD static std::uint32_t below(U128 a, U128 b) { return signs(reinterpret_cast<U128::Native>(a.v < b.v)); }

  /// The higher 31 bits of words as floats, and the end of their range.
  static constexpr float words_end = 2147483648.0F;
  GLASSWORKS_HD static F128 word_to_float(U128 word) { return signed_to_float(shift_right<1>(word)); }
  GLASSWORKS_HD static bool any_at_most(F128 a, F128 b) {
    return signs(reinterpret_cast<U128::Native>(~(a.v > b.v))) != 0;
  }
  using Halves = Halves128;
  /// The second and the third of four lanes in the place of each other.
  GLASSWORKS_HD static U128 turned(U128 x) { return U128::Native{x.v[0], x.v[2], x.v[1], x.v[3]}; }

#if defined(__SSE2__)
  /// Ten Philox rounds; words 0 to 2 of the counter are the same in all lanes.
  GLASSWORKS_HD static void philox(PhiloxStart s, U128 word3, U128 out[4]) {
    finish_philox<HalvesSse2>(s, reinterpret_cast<__m128i>(word3.v ^ U128(s.word2_xor).v), out);
  }
#else
  GLASSWORKS_HD static void philox(PhiloxStart s, U128 word3, U128 out[4]) {
    for (int i = 0; i < width; ++i) {
      std::uint32_t words[4];
      Lanes<float>::philox(s, word3.v[i], words);
      for (int k = 0; k < 4; ++k) out[k].v[i] = words[k];
    }
  }
#endif

 private:
  template <class T, class Number>
  GLASSWORKS_HD static T load_as(const Number* p) {
    T x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
};

}  // namespace glassworks::exact
