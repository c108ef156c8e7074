#pragma once

#include "kernels/core/scalar.hpp"

/// Elementary functions of the Markov chain, written in exactly defined operations only (scalar.hpp), so that every
/// backend gives the same bits. F is float or a vector of floats. Polynomials: Cephes (S. L. Moshier), single
/// precision.
namespace glassworks::exact {

/// -x.
template <class F>
GLASSWORKS_HD F negative(F x) {
  return flip_sign(x, Bits<F>(0x80000000U));
}

/// Powers-of-two scale and reduced argument of exp: exp(x) = scale * (1 + expm1_reduced).
template <class F>
struct ExpParts {
  F scale;
  F expm1_reduced;
};

/// x <= 0; values below -87 count as -87. Relative error of both parts below 2^-23.
template <class F>
GLASSWORKS_HD ExpParts<F> exp_parts(F x) {
  const F magic(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer, which stands in the low bits
  x = max(x, F(-87.0F));
  const F shifted = fma(x, F(1.44269504F), magic);
  const F k = sub(shifted, magic);
  F r = fma(k, F(-0.693359375F), x);
  r = fma(k, F(2.12194440e-4F), r);
  F p = fma(F(1.9875691500e-4F), r, F(1.3981999507e-3F));
  p = fma(p, r, F(8.3334519073e-3F));
  p = fma(p, r, F(4.1665795894e-2F));
  p = fma(p, r, F(1.6666665459e-1F));
  p = fma(p, r, F(5.0000001201e-1F));
  const Bits<F> exponent = shift_left<23>(as_uint(shifted)) + Bits<F>(0x3F800000U);
  return {as_float(exponent), fma(mul(p, r), r, r)};
}

/// exp(x) - 1 for x <= 0 without cancellation near 0.
template <class F>
GLASSWORKS_HD F expm1_negative(F x) {
  const ExpParts<F> e = exp_parts(x);
  return fma(e.scale, e.expm1_reduced, sub(e.scale, F(1.0F)));
}

/// exp(x) for x <= 0.
template <class F>
GLASSWORKS_HD F exp_negative(F x) {
  const ExpParts<F> e = exp_parts(x);
  return fma(e.scale, e.expm1_reduced, e.scale);
}

/// ln(t) where t = 1 + y rounded once and y is known better than t - 1. t in [2^-24, 1]. No cancellation as y -> 0.
template <class F>
GLASSWORKS_HD F log1p_negative(F t, F y) {
  const Bits<F> bits = as_uint(t);
  const Bits<F> e = shift_right_signed<23>(bits - Bits<F>(0x3F3504F3U));
  const F f = select_zero(e, y, sub(as_float(bits - shift_left<23>(e)), F(1.0F)));
  const F z = mul(f, f);
  F p = fma(F(7.0376836292e-2F), f, F(-1.1514610310e-1F));
  p = fma(p, f, F(1.1676998740e-1F));
  p = fma(p, f, F(-1.2420140846e-1F));
  p = fma(p, f, F(1.4249322787e-1F));
  p = fma(p, f, F(-1.6668057665e-1F));
  p = fma(p, f, F(2.0000714765e-1F));
  p = fma(p, f, F(-2.4999993993e-1F));
  p = fma(p, f, F(3.3333331174e-1F));
  const F fe = signed_to_float(e);
  F tail = fma(fe, F(-2.12194440e-4F), mul(mul(p, f), z));
  tail = fma(F(-0.5F), z, tail);
  return fma(fe, F(0.693359375F), add(f, tail));
}

/// Uniform number in (0, 1) from the high 23 bits of a word: (k + 1/2) 2^-23, exact.
template <class F>
GLASSWORKS_HD F uniform(Bits<F> word) {
  const Bits<F> one_to_two = shift_right<9>(word) | Bits<F>(0x3F800000U);
  return sub(as_float(one_to_two), F(0.999999940395355224609375F));
}

template <class F>
struct SinCos {
  F sin, cos;
};

/// Sine and cosine of r quarter turns, |r| <= 1/2. Absolute error below 1.6e-7; r = 0 is exact.
template <class F>
GLASSWORKS_HD SinCos<F> quarter_sincos(F r) {
  const F z = mul(r, r);
  F s = fma(F(-4.60483719e-3F), z, F(7.96814139e-2F));
  s = fma(s, z, F(-6.45963630e-1F));
  s = mul(r, fma(s, z, F(1.57079633F)));
  F c = fma(F(9.05604567e-4F), z, F(-2.08611184e-2F));
  c = fma(c, z, F(2.53669380e-1F));
  c = fma(c, z, F(-1.23370055F));
  return {s, fma(c, z, F(1.0F))};
}

/// Sine and cosine of an angle uniform on the circle: quadrant from the two high bits of `word`, the angle inside it
/// from the 23 bits below. Absolute error below 1.6e-7.
template <class F>
GLASSWORKS_HD SinCos<F> uniform_sincos(Bits<F> word) {
  const Bits<F> one_to_two = shift_right<9>(shift_left<2>(word)) | Bits<F>(0x3F800000U);
  const F r = sub(as_float(one_to_two), F(1.499999940395355224609375F));  // quarter turns, in (-1/2, 1/2)
  const auto [s, c] = quarter_sincos(r);
  return {flip_sign(select_bit30(word, s, c), word), flip_sign(select_bit30(word, c, s), word ^ shift_left<1>(word))};
}

}  // namespace glassworks::exact
