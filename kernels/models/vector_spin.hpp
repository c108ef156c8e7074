#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"
#include "kernels/models/formulas.hpp"

/// Vectors of n = 2, 3 or 4 components (models on and phi4), for host and device.
namespace glassworks::exact {

template <int n>
struct VectorN {
  float c[n];
};

/// a . b = a_0 b_0 + (a_1 b_1 + (... + a_{n-1} b_{n-1})), fused from the inside out.
template <int n>
GLASSWORKS_HD float dot(const VectorN<n>& a, const VectorN<n>& b) {
  float sum = mul(a.c[n - 1], b.c[n - 1]);
  for (int k = n - 2; k >= 0; --k) sum = fma(a.c[k], b.c[k], sum);
  return sum;
}

/// Local field: J s of the first bond, then h + J s, in the order x+, x-, y+, y-, z+, z-, w+, w-.
template <int n>
GLASSWORKS_HD VectorN<n> first_bond(float J, const VectorN<n>& s) {
  VectorN<n> h;
  for (int k = 0; k < n; ++k) h.c[k] = mul(J, s.c[k]);
  return h;
}
template <int n>
GLASSWORKS_HD VectorN<n> add_bond(const VectorN<n>& h, float J, const VectorN<n>& s) {
  VectorN<n> sum;
  for (int k = 0; k < n; ++k) sum.c[k] = fma(J, s.c[k], h.c[k]);
  return sum;
}

/// Reflection across the hyperplane normal to the unit vector r: s' = s - 2 (r.s) r, projection = r.s.
template <int n>
GLASSWORKS_HD VectorN<n> reflect(const VectorN<n>& s, const VectorN<n>& r, float projection) {
  const float twice = add(projection, projection);
  VectorN<n> t;
  for (int k = 0; k < n; ++k) t.c[k] = fnma(twice, r.c[k], s.c[k]);
  return t;
}

/// Over-relaxation: reflects s about its local field, s' = 2 (s.h) h / h^2 - s. Conserves s.h and |s|; h = 0 gives -s.
/// Of three components the bits are those of heisenberg. Error: below 5e-7 per component.
/// Source: Brown & Woch, PRL 58, 2394 (1987).
template <int n>
GLASSWORKS_HD VectorN<n> over_relax(const VectorN<n>& s, const VectorN<n>& h) {
  float square = 1.0e-30F;
  for (int k = n - 1; k >= 0; --k) square = fma(h.c[k], h.c[k], square);
  const float projection = dot(s, h);
  const float factor = mul(add(projection, projection), reciprocal(square));
  VectorN<n> t;
  for (int k = 0; k < n; ++k) t.c[k] = fms(factor, h.c[k], s.c[k]);
  return t;
}

/// s / |s| to first order: s (3 - s^2) / 2, for |s| within 1e-3 of 1.
template <int n>
GLASSWORKS_HD VectorN<n> renormalize(const VectorN<n>& s) {
  const float correction = fma(dot(s, s), -0.5F, 0.5F);
  VectorN<n> t;
  for (int k = 0; k < n; ++k) t.c[k] = fma(s.c[k], correction, s.c[k]);
  return t;
}

/// Unit vector uniform on the sphere. n = 2: angle from word 0; n = 3: random_spin of words 0, 1; n = 4:
/// (sqrt(w) (cos a, sin a), sqrt(1 - w) (cos b, sin b)), w from word 0, the angles a, b from words 1, 2.
template <int n>
GLASSWORKS_HD VectorN<n> random_direction(const RandomBlock& block) {
  static_assert(n >= 2 && n <= 4);
  if constexpr (n == 2) {
    const SinCos<float> a = uniform_sincos<float>(block.word[0]);
    return {{a.cos, a.sin}};
  } else if constexpr (n == 3) {
    const Vector3<float> s = random_spin<float>(block.word[0], block.word[1]);
    return {{s.x, s.y, s.z}};
  } else {
    const float w = uniform<float>(block.word[0]);
    const float u = sqrt(w), v = sqrt(sub(1.0F, w));
    const SinCos<float> a = uniform_sincos<float>(block.word[1]), b = uniform_sincos<float>(block.word[2]);
    return {{mul(u, a.cos), mul(u, a.sin), mul(v, b.cos), mul(v, b.sin)}};
  }
}

}  // namespace glassworks::exact
