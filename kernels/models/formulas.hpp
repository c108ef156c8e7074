#pragma once

#include "kernels/core/math.hpp"

/// The physics of one site, once for all backends. F is float (reference, CUDA) or a vector of floats, one lane per
/// replica. Notation: s unit spin, h local field [J], beta = 1/T [1/J].
namespace glassworks::exact {

template <class F>
struct Vector3 {
  F x, y, z;
};

/// a . b, evaluated as a_x b_x + (a_y b_y + a_z b_z) with fused multiply-adds.
template <class F>
GLASSWORKS_HD F dot(const Vector3<F>& a, const Vector3<F>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, mul(a.z, b.z)));
}

/// a x b.
template <class F>
GLASSWORKS_HD Vector3<F> cross(const Vector3<F>& a, const Vector3<F>& b) {
  return {fms(a.y, b.z, mul(a.z, b.y)), fms(a.z, b.x, mul(a.x, b.z)), fms(a.x, b.y, mul(a.y, b.x))};
}

/// J s: the first bond of a local field without a site field.
template <class F>
GLASSWORKS_HD Vector3<F> first_bond(F J, const Vector3<F>& s) {
  return {mul(J, s.x), mul(J, s.y), mul(J, s.z)};
}

/// h + J s: one more bond of the local field h_i = H_i + sum_j J_ij s_j.
///
/// Order of the bonds, part of the definition of the chain: x+, x-, y+, y-, z+, z-, w+, w-; the sum starts from H_i
/// where there are site fields.
template <class F>
GLASSWORKS_HD Vector3<F> add_bond(const Vector3<F>& h, F J, const Vector3<F>& s) {
  return {fma(J, s.x, h.x), fma(J, s.y, h.y), fma(J, s.z, h.z)};
}

/// h^2 + 1e-30: the guard keeps every quotient finite at h = 0 and changes nothing for |h| > 1e-11.
template <class F>
GLASSWORKS_HD F guarded_square(const Vector3<F>& h) {
  return fma(h.x, h.x, fma(h.y, h.y, fma(h.z, h.z, F(1.0e-30F))));
}

/// The last part of an over-relaxation: projection = s.h, inverse_square = 1/h^2. For callers that overlap sites.
template <class F>
GLASSWORKS_HD Vector3<F> reflect(const Vector3<F>& s, const Vector3<F>& h, F projection, F inverse_square) {
  const F factor = mul(add(projection, projection), inverse_square);
  return {fms(factor, h.x, s.x), fms(factor, h.y, s.y), fms(factor, h.z, s.z)};
}

/// Over-relaxation: reflects s about its local field, s' = 2 (s.h) h / h^2 - s. Conserves s.h.
///
/// h = 0 gives -s. Error: below 5e-7 per component. Energy over many sweeps: see over_relax_conserving.
/// Source: Brown & Woch, PRL 58, 2394 (1987); Campos et al., PRL 97, 217204 (2006).
template <class F>
GLASSWORKS_HD Vector3<F> over_relax(const Vector3<F>& s, const Vector3<F>& h) {
  return reflect(s, h, dot(s, h), reciprocal(guarded_square(h)));
}

/// Over-relaxation for protocols without a heat bath: the same reflection in double precision, rounded at the end.
///
/// Rounding errors of the float version have a bias of order 1e-12 per sweep, which a heat bath wipes out but pure
/// over-relaxation adds up: 10^6 sweeps shift the energy by 2e-6 of its value. Here no shift is seen (less than 3e-7).
template <class F>
GLASSWORKS_HD Vector3<F> over_relax_conserving(const Vector3<F>& s, const Vector3<F>& h) {
  using W = Wide<F>;
  const Vector3<W> S{widen(s.x), widen(s.y), widen(s.z)}, H{widen(h.x), widen(h.y), widen(h.z)};
  const W projection = dot(S, H);
  const W square = fma(H.x, H.x, fma(H.y, H.y, fma(H.z, H.z, W(1.0e-30))));
  const W factor = divide(add(projection, projection), square);
  return {narrow(fms(factor, H.x, S.x)), narrow(fms(factor, H.y, S.y)), narrow(fms(factor, H.z, S.z))};
}

/// What a heat bath needs of its temperature: -2 beta and -1/beta.
template <class F>
struct HeatBathTemperature {
  F minus_two_beta, minus_inverse_beta;
};

/// Heat bath: a new spin from P(s') ~ exp(beta h.s').
///
/// With x = beta |h| and w uniform in (0,1): 1 - c = -ln(1 + w (exp(-2x) - 1)) / x, sin^2 = (1-c)(1+c); the azimuth is
/// uniform; the vector is carried from the z axis onto h by a Householder reflection (one reciprocal, no frame).
/// Exact limit c = 1 - 2w at x -> 0, no cancellation in 1 - c at large x.
///
/// polar, azimuth   random words
/// returns          unit vector, error below 4 ulp per component
/// Source: Lee & Young, PRB 76, 024405 (2007).
template <class F>
GLASSWORKS_HD Vector3<F> heat_bath(const Vector3<F>& h, const HeatBathTemperature<F>& t, Bits<F> polar,
                                   Bits<F> azimuth) {
  const F z = max(abs(h.z), F(1.0e-15F));  // h = 0 counts as a tiny field along z: still a unit vector
  const F norm = sqrt(fma(h.x, h.x, fma(h.y, h.y, mul(z, z))));
  const F pole = add(norm, z);                  // length of the reflection vector along z
  const F scale = reciprocal(mul(norm, pole));  // 1 / (|h| (|h| + |h_z|))
  const F minus_inverse_x = mul(mul(scale, pole), t.minus_inverse_beta);

  const F w = uniform<F>(polar);
  const F e = expm1_negative(mul(t.minus_two_beta, norm));
  const F one_minus_c = min(mul(log1p_negative(fma(w, e, F(1.0F)), mul(w, e)), minus_inverse_x), F(2.0F));
  const F sine = sqrt(mul(one_minus_c, sub(F(2.0F), one_minus_c)));
  const SinCos<F> phi = uniform_sincos<F>(azimuth);

  const F reflect_z = copy_sign(pole, h.z);
  const Vector3<F> v{mul(sine, phi.cos), mul(sine, phi.sin), flip_sign(sub(one_minus_c, F(1.0F)), as_uint(h.z))};
  const F d = mul(dot(v, Vector3<F>{h.x, h.y, reflect_z}), scale);
  return {fnma(d, h.x, v.x), fnma(d, h.y, v.y), fnma(d, reflect_z, v.z)};
}

/// Spin uniform on the sphere from two random words: c = 2w - 1.
template <class F>
GLASSWORKS_HD Vector3<F> random_spin(Bits<F> polar, Bits<F> azimuth) {
  const F w = uniform<F>(polar);
  const F sine = sqrt(mul(F(4.0F), mul(w, sub(F(1.0F), w))));
  const SinCos<F> phi = uniform_sincos<F>(azimuth);
  return {mul(sine, phi.cos), mul(sine, phi.sin), fma(F(2.0F), w, F(-1.0F))};
}

/// s / |s| to first order: s (3 - s^2) / 2, for |s| within 1e-3 of 1.
template <class F>
GLASSWORKS_HD Vector3<F> renormalize(const Vector3<F>& s) {
  const F correction = fma(dot(s, s), F(-0.5F), F(0.5F));
  return {fma(s.x, correction, s.x), fma(s.y, correction, s.y), fma(s.z, correction, s.z)};
}

/// Chirality along an axis: kappa = s_{i+a} . (s_i x s_{i-a}), in [-1, 1].
template <class F>
GLASSWORKS_HD F chirality(const Vector3<F>& forward, const Vector3<F>& here, const Vector3<F>& backward) {
  return dot(forward, cross(here, backward));
}

}  // namespace glassworks::exact
