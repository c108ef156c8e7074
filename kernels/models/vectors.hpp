#pragma once

#include "kernels/core/math.hpp"
#include "kernels/core/random.hpp"

/// Vectors of n components and what O(n) spins do with them, once for all models and backends. F is float (reference,
/// CUDA) or a vector of floats, one lane per replica. Notation: s unit spin, h local field [J].
namespace glassworks::exact {

template <int n, class F = float>
struct Vector {
  F c[n];
};

/// a . b = a_0 b_0 + (a_1 b_1 + (... + a_{n-1} b_{n-1})), fused from the inside out.
template <int n, class F>
GLASSWORKS_HD F dot(const Vector<n, F>& a, const Vector<n, F>& b) {
  F sum = mul(a.c[n - 1], b.c[n - 1]);
  GLASSWORKS_UNROLL
  for (int k = n - 2; k >= 0; --k) sum = fma(a.c[k], b.c[k], sum);
  return sum;
}

/// J s: the first bond of a local field without a site field.
template <int n, class F>
GLASSWORKS_HD Vector<n, F> first_bond(F J, const Vector<n, F>& s) {
  Vector<n, F> h;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) h.c[k] = mul(J, s.c[k]);
  return h;
}

/// h + J s: one more bond of the local field h_i = H_i + sum_j J_ij s_j.
///
/// Order of the bonds, part of the definition of the chain: x+, x-, y+, y-, z+, z-, w+, w-; the sum starts from H_i
/// where there are site fields.
template <int n, class F>
GLASSWORKS_HD Vector<n, F> add_bond(const Vector<n, F>& h, F J, const Vector<n, F>& s) {
  Vector<n, F> sum;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) sum.c[k] = fma(J, s.c[k], h.c[k]);
  return sum;
}

/// h^2 + 1e-30: the guard keeps every quotient finite at h = 0 and changes nothing for |h| > 1e-11.
template <int n, class F>
GLASSWORKS_HD F guarded_square(const Vector<n, F>& h) {
  F square(1.0e-30F);
  GLASSWORKS_UNROLL
  for (int k = n - 1; k >= 0; --k) square = fma(h.c[k], h.c[k], square);
  return square;
}

/// The last part of an over-relaxation: projection = s.h, inverse_square = 1/h^2. For callers that overlap sites.
template <int n, class F>
GLASSWORKS_HD Vector<n, F> reflect_about_field(const Vector<n, F>& s, const Vector<n, F>& h, F projection,
                                               F inverse_square) {
  const F factor = mul(add(projection, projection), inverse_square);
  Vector<n, F> t;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) t.c[k] = fms(factor, h.c[k], s.c[k]);
  return t;
}

/// Over-relaxation: reflects s about its local field, s' = 2 (s.h) h / h^2 - s. Conserves s.h and |s|.
///
/// h = 0 gives -s. Error: below 5e-7 per component. Energy over many sweeps: see over_relax_conserving.
/// Source: Brown & Woch, PRL 58, 2394 (1987); Campos et al., PRL 97, 217204 (2006).
template <int n, class F>
GLASSWORKS_HD Vector<n, F> over_relax(const Vector<n, F>& s, const Vector<n, F>& h) {
  return reflect_about_field(s, h, dot(s, h), reciprocal(guarded_square(h)));
}

/// Over-relaxation for protocols without a heat bath: the same reflection in double precision, rounded at the end.
///
/// Rounding errors of the float version have a bias of order 1e-12 per sweep, which a heat bath wipes out but pure
/// over-relaxation adds up: 10^6 sweeps shift the energy by 2e-6 of its value. Here no shift is seen (less than 3e-7).
template <int n, class F>
GLASSWORKS_HD Vector<n, F> over_relax_conserving(const Vector<n, F>& s, const Vector<n, F>& h) {
  using W = Wide<F>;
  Vector<n, W> S, H;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) {
    S.c[k] = widen(s.c[k]);
    H.c[k] = widen(h.c[k]);
  }
  const W projection = dot(S, H);
  W square(1.0e-30);
  GLASSWORKS_UNROLL
  for (int k = n - 1; k >= 0; --k) square = fma(H.c[k], H.c[k], square);
  const W factor = divide(add(projection, projection), square);
  Vector<n, F> t;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) t.c[k] = narrow(fms(factor, H.c[k], S.c[k]));
  return t;
}

/// Reflection across the hyperplane normal to the unit vector r: s' = s - 2 (r.s) r, projection = r.s.
template <int n, class F>
GLASSWORKS_HD Vector<n, F> reflect(const Vector<n, F>& s, const Vector<n, F>& r, F projection) {
  const F twice = add(projection, projection);
  Vector<n, F> t;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) t.c[k] = fnma(twice, r.c[k], s.c[k]);
  return t;
}

/// s / |s| to first order: s (3 - s^2) / 2, for |s| within 1e-3 of 1.
template <int n, class F>
GLASSWORKS_HD Vector<n, F> renormalize(const Vector<n, F>& s) {
  const F correction = fma(dot(s, s), F(-0.5F), F(0.5F));
  Vector<n, F> t;
  GLASSWORKS_UNROLL
  for (int k = 0; k < n; ++k) t.c[k] = fma(s.c[k], correction, s.c[k]);
  return t;
}

/// Spin uniform on the sphere from two random words: c = 2w - 1.
template <class F>
GLASSWORKS_HD Vector<3, F> random_spin(Bits<F> polar, Bits<F> azimuth) {
  const F w = uniform<F>(polar);
  const F sine = sqrt(mul(F(4.0F), mul(w, sub(F(1.0F), w))));
  const SinCos<F> phi = uniform_sincos<F>(azimuth);
  return {{mul(sine, phi.cos), mul(sine, phi.sin), fma(F(2.0F), w, F(-1.0F))}};
}

/// Unit vector uniform on the sphere. n = 2: angle from word 0; n = 3: random_spin of words 0, 1; n = 4:
/// (sqrt(w) (cos a, sin a), sqrt(1 - w) (cos b, sin b)), w from word 0, the angles a, b from words 1, 2. n > 4: normal
/// numbers sqrt(-2 ln u) (cos a, sin a) (Box & Muller), divided by their norm; pair k of them takes u and a from words
/// 2k and 2k + 1 of this block and of the one that Philox makes of it with the key 0.
template <int n>
GLASSWORKS_HD Vector<n> random_direction(const RandomBlock& block) {
  static_assert(n >= 2 && n <= 8);
  if constexpr (n == 2) {
    const SinCos<float> a = uniform_sincos<float>(block.word[0]);
    return {{a.cos, a.sin}};
  } else if constexpr (n == 3) {
    return random_spin<float>(block.word[0], block.word[1]);
  } else if constexpr (n > 4) {
    RandomBlock more = block;
    philox4x32_10(more.word, PhiloxKey{});
    Vector<n> v;
    for (int k = 0; k < n; k += 2) {
      const std::uint32_t* const word = k < 4 ? block.word + k : more.word + k - 4;
      const float u = uniform<float>(word[0]), r = sqrt(mul(-2.0F, log1p_negative(u, sub(u, 1.0F))));
      const SinCos<float> a = uniform_sincos<float>(word[1]);
      v.c[k] = mul(r, a.cos);
      if (k + 1 < n) v.c[k + 1] = mul(r, a.sin);
    }
    const float inverse = reciprocal(sqrt(guarded_square(v)));
    for (float& c : v.c) c = mul(c, inverse);
    return renormalize(v);
  } else {
    const float w = uniform<float>(block.word[0]);
    const float u = sqrt(w), v = sqrt(sub(1.0F, w));
    const SinCos<float> a = uniform_sincos<float>(block.word[1]), b = uniform_sincos<float>(block.word[2]);
    return {{mul(u, a.cos), mul(u, a.sin), mul(v, b.cos), mul(v, b.sin)}};
  }
}

}  // namespace glassworks::exact
