#pragma once

#include "kernels/models/vectors.hpp"

/// The physics of one site, once for all backends. F is float (reference, CUDA) or a vector of floats, one lane per
/// replica. Notation: s unit spin, h local field [J], beta = 1/T [1/J].
namespace glassworks::exact {

/// a x b.
template <class F>
GLASSWORKS_HD Vector<3, F> cross(const Vector<3, F>& a, const Vector<3, F>& b) {
  return {{fms(a.c[1], b.c[2], mul(a.c[2], b.c[1])), fms(a.c[2], b.c[0], mul(a.c[0], b.c[2])),
           fms(a.c[0], b.c[1], mul(a.c[1], b.c[0]))}};
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
GLASSWORKS_HD Vector<3, F> heat_bath(const Vector<3, F>& h, const HeatBathTemperature<F>& t, Bits<F> polar,
                                     Bits<F> azimuth) {
  const F z = max(abs(h.c[2]), F(1.0e-15F));  // h = 0 counts as a tiny field along z: still a unit vector
  const F norm = sqrt(fma(h.c[0], h.c[0], fma(h.c[1], h.c[1], mul(z, z))));
  const F pole = add(norm, z);                  // length of the reflection vector along z
  const F scale = reciprocal(mul(norm, pole));  // 1 / (|h| (|h| + |h_z|))
  const F minus_inverse_x = mul(mul(scale, pole), t.minus_inverse_beta);

  const F w = uniform<F>(polar);
  const F e = expm1_negative(mul(t.minus_two_beta, norm));
  const F one_minus_c = min(mul(log1p_negative(fma(w, e, F(1.0F)), mul(w, e)), minus_inverse_x), F(2.0F));
  const F sine = sqrt(mul(one_minus_c, sub(F(2.0F), one_minus_c)));
  const SinCos<F> phi = uniform_sincos<F>(azimuth);

  const F reflect_z = copy_sign(pole, h.c[2]);
  const Vector<3, F> v{{mul(sine, phi.cos), mul(sine, phi.sin), flip_sign(sub(one_minus_c, F(1.0F)), as_uint(h.c[2]))}};
  const F d = mul(dot(v, Vector<3, F>{{h.c[0], h.c[1], reflect_z}}), scale);
  return {{fnma(d, h.c[0], v.c[0]), fnma(d, h.c[1], v.c[1]), fnma(d, reflect_z, v.c[2])}};
}

/// Chirality along an axis: kappa = s_{i+a} . (s_i x s_{i-a}), in [-1, 1].
template <class F>
GLASSWORKS_HD F chirality(const Vector<3, F>& forward, const Vector<3, F>& here, const Vector<3, F>& backward) {
  return dot(forward, cross(here, backward));
}

}  // namespace glassworks::exact
