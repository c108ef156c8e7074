#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/core/host_device.hpp"

/// The operations that the formulas are written in, for plain float. Every one is defined exactly by IEEE 754, so the
/// vector types of the fast backends (same names) and the GPU give the same bits. No other operation may be used.
namespace glassworks::exact {

GLASSWORKS_HD std::uint32_t as_uint(float x) {
  std::uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
GLASSWORKS_HD float as_float(std::uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}

#if defined(__CUDA_ARCH__)
GLASSWORKS_HD float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
GLASSWORKS_HD float mul(float a, float b) { return __fmul_rn(a, b); }
GLASSWORKS_HD float add(float a, float b) { return __fadd_rn(a, b); }
GLASSWORKS_HD float sub(float a, float b) { return __fsub_rn(a, b); }
/// The fast paths of correctly rounded 1/x and sqrt(x): an approximation and one Newton step in fused multiply-adds,
/// without the branch for subnormal numbers. Equal to __frcp_rn and __fsqrt_rn for every float of the stated ranges,
/// which a test on the device goes through one by one. 1/x: 2^-126 <= x <= 2^125. sqrt: x = 0 or 2^-100 <= x < 2^128.
GLASSWORKS_HD float reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return __fmaf_rn(r, __fmaf_rn(-x, r, 1.0F), r);
}
GLASSWORKS_HD float sqrt(float x) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fmaxf(x, 0x1p-100F)));
  const float y = __fmul_rn(x, r);
  return __fmaf_rn(__fmaf_rn(-y, y, x), __fmul_rn(0.5F, r), y);
}
GLASSWORKS_HD std::int32_t round_to_int(float x) { return __float2int_rn(x); }
#else
/// a b + c, rounded once.
GLASSWORKS_HD float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
GLASSWORKS_HD float mul(float a, float b) { return a * b; }
GLASSWORKS_HD float add(float a, float b) { return a + b; }
GLASSWORKS_HD float sub(float a, float b) { return a - b; }
/// 1/x, correctly rounded; x normal and 1/x normal.
GLASSWORKS_HD float reciprocal(float x) { return 1.0F / x; }
GLASSWORKS_HD float sqrt(float x) { return __builtin_sqrtf(x); }
/// Nearest integer, ties to even; |x| < 2^31.
GLASSWORKS_HD std::int32_t round_to_int(float x) { return static_cast<std::int32_t>(std::lrintf(x)); }
#endif

/// -a b + c and a b - c, rounded once.
GLASSWORKS_HD float fnma(float a, float b, float c) { return fma(-a, b, c); }
GLASSWORKS_HD float fms(float a, float b, float c) { return fma(a, b, -c); }
GLASSWORKS_HD float min(float a, float b) { return b < a ? b : a; }
GLASSWORKS_HD float max(float a, float b) { return a < b ? b : a; }
GLASSWORKS_HD float abs(float x) { return as_float(as_uint(x) & 0x7FFFFFFFU); }
/// |x| with the sign bit of `sign`; x with its sign flipped where bit 31 of `sign` is set.
GLASSWORKS_HD float copy_sign(float x, float sign) {
  return as_float((as_uint(x) & 0x7FFFFFFFU) | (as_uint(sign) & 0x80000000U));
}
GLASSWORKS_HD float flip_sign(float x, std::uint32_t sign) { return as_float(as_uint(x) ^ (sign & 0x80000000U)); }
/// a where bit 30 of `which` is clear, b where it is set.
GLASSWORKS_HD float select_bit30(std::uint32_t which, float a, float b) { return (which & 0x40000000U) != 0U ? b : a; }
GLASSWORKS_HD std::uint32_t round_to_bits(float x) { return static_cast<std::uint32_t>(round_to_int(x)); }
/// x where a < b, y elsewhere.
GLASSWORKS_HD float select_less(float a, float b, float x, float y) { return a < b ? x : y; }
/// a where i = 0, b elsewhere.
GLASSWORKS_HD float select_zero(std::uint32_t i, float a, float b) { return i == 0U ? a : b; }

template <int n>
GLASSWORKS_HD std::uint32_t shift_left(std::uint32_t a) {
  return a << n;
}
template <int n>
GLASSWORKS_HD std::uint32_t shift_right(std::uint32_t a) {
  return a >> n;
}
/// Shift that keeps the sign (two's complement).
template <int n>
GLASSWORKS_HD std::uint32_t shift_right_signed(std::uint32_t a) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> n);
}
/// The word read as a signed integer, as a float.
GLASSWORKS_HD float signed_to_float(std::uint32_t i) { return static_cast<float>(static_cast<std::int32_t>(i)); }

/// Double precision, for the few places that need it; the same operations, exactly rounded. WideOf<float> = double.
#if defined(__CUDA_ARCH__)
GLASSWORKS_HD double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
GLASSWORKS_HD double mul(double a, double b) { return __dmul_rn(a, b); }
GLASSWORKS_HD double add(double a, double b) { return __dadd_rn(a, b); }
GLASSWORKS_HD double divide(double a, double b) { return __ddiv_rn(a, b); }
GLASSWORKS_HD float narrow(double x) { return __double2float_rn(x); }
#else
GLASSWORKS_HD double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
GLASSWORKS_HD double mul(double a, double b) { return a * b; }
GLASSWORKS_HD double add(double a, double b) { return a + b; }
GLASSWORKS_HD double divide(double a, double b) { return a / b; }
GLASSWORKS_HD float narrow(double x) { return static_cast<float>(x); }
#endif
GLASSWORKS_HD double fms(double a, double b, double c) { return fma(a, b, -c); }
GLASSWORKS_HD double widen(float x) { return x; }

template <class F>
struct WideOf;
template <>
struct WideOf<float> {
  using type = double;
};
template <class F>
using Wide = typename WideOf<F>::type;

/// The unsigned integer type beside a number type: Bits<float> = uint32_t.
template <class F>
struct BitsOf;
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <class F>
using Bits = typename BitsOf<F>::type;

}  // namespace glassworks::exact
