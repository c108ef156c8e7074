#pragma once

#include "kernels/models/vectors.hpp"

/// Uniaxial anisotropy: the energy -D (n.s)^2 of a site with the axis n.
namespace glassworks::exact {

/// D (n.s)^2, minus the energy.
template <int n>
[[nodiscard]] GLASSWORKS_HD float anisotropy_term(float D, const Vector<n>& axis, const Vector<n>& s) {
  const float along = dot(axis, s);
  return mul(D, mul(along, along));
}

/// Whether a move of one spin is accepted that is reversible in its local field alone: with probability
/// min(1, exp(beta (after - before))), of the terms D (n.s)^2. Then it is reversible with the anisotropy too: where
/// pi(s) K(s, s') = pi(s') K(s', s), pi(s) w(s) K(s, s') min(1, w(s')/w(s)) = pi(s) K(s, s') min(w(s), w(s')) has this
/// symmetry as well.
[[nodiscard]] GLASSWORKS_HD bool anisotropy_accepts(float beta, float before, float after, std::uint32_t word) {
  const float exponent = mul(beta, sub(after, before));
  if (exponent >= 0.0F) return true;
  return uniform<float>(word) < exp_negative(max(exponent, -87.0F));
}

}  // namespace glassworks::exact
