#pragma once

#include "kernels/core/fixed_point.hpp"
#include "kernels/models/unit_vectors.hpp"

/// Chirality of a triangle of sites a, b, c that are neighbours, of XY and Heisenberg spins:
///
///     kappa = (2/(3 sqrt 3)) sum over the three bonds, around, of - sgn(J_ij) s_i x s_j
///
/// which in an antiferromagnet is (2/(3 sqrt 3)) (s_a x s_b + s_b x s_c + s_c x s_a). XY spins have its component
/// perpendicular to their plane; its modulus is at most 1, which the ground states of a frustrated triangle of equal
/// |J| have. Going around the other way changes its sign, which no square and no overlap of two copies sees. The
/// overlap of Heisenberg spins is that of the scalar chirality s_a . (s_b x s_c), which rotations leave as it is.
/// Source: Miyashita & Shiba, J. Phys. Soc. Jpn. 53, 1145 (1984); Kawamura, J. Phys.: Condens. Matter 10, 4707 (1998).
namespace glassworks { inline namespace models {

/// Whether model M (for_model.hpp) has it.
template <class M>
constexpr bool has_triangle_chirality = std::is_same_v<M, UnitVectors<2>> || std::is_same_v<M, UnitVectors<3>>;

/// s x t; of XY spins its component perpendicular to their plane.
GLASSWORKS_HD exact::Vector<1> cross(const exact::Vector<2>& s, const exact::Vector<2>& t) {
  return {{exact::fma(s.c[0], t.c[1], -exact::mul(s.c[1], t.c[0]))}};
}
GLASSWORKS_HD exact::Vector<3> cross(const exact::Vector<3>& s, const exact::Vector<3>& t) {
  return {{exact::fma(s.c[1], t.c[2], -exact::mul(s.c[2], t.c[1])),
           exact::fma(s.c[2], t.c[0], -exact::mul(s.c[0], t.c[2])),
           exact::fma(s.c[0], t.c[1], -exact::mul(s.c[1], t.c[0]))}};
}

/// Scale of kappa^2.
constexpr FixedScale triangle_scale{24};

/// Corners a < b < c, and the couplings of a-b, b-c and c-a, none of which is 0.
struct Triangle {
  std::int32_t site[3];
  float J[3];
};

/// A triangle as its terms see it: with the spins of its corners.
template <int n>
struct TriangleSpins {
  exact::Vector<n> s[3];
  float J[3];
};

/// load(i): the spin of site i.
template <int n, class Load>
[[nodiscard]] GLASSWORKS_HD TriangleSpins<n> spins_of_triangle(const Triangle& t, const Load& load) {
  return {{load(t.site[0]), load(t.site[1]), load(t.site[2])}, {t.J[0], t.J[1], t.J[2]}};
}

/// - (3 sqrt 3/2) kappa.
template <int n>
GLASSWORKS_HD auto triangle_cross(const TriangleSpins<n>& t) {
  auto sum = cross(t.s[0], t.s[1]);
  constexpr int components = sizeof(sum.c) / sizeof(float);
  for (int bond = 0; bond < 3; ++bond) {
    const auto of_bond = cross(t.s[bond], t.s[(bond + 1) % 3]);
    for (int k = 0; k < components; ++k) {
      const float term = exact::flip_sign(of_bond.c[k], exact::as_uint(t.J[bond]));
      sum.c[k] = bond == 0 ? term : exact::add(sum.c[k], term);
    }
  }
  return sum;
}

/// kappa^2.
template <int n>
GLASSWORKS_HD float triangle_square(const TriangleSpins<n>& t) {
  const auto sum = triangle_cross(t);
  return exact::mul(4.0F / 27.0F, exact::dot(sum, sum));
}

/// What the overlap of two copies is formed of: kappa of XY spins, the scalar chirality of Heisenberg spins.
GLASSWORKS_HD float triangle_chirality_of(const TriangleSpins<2>& t) {
  return exact::mul(-0.384900179F, triangle_cross(t).c[0]);
}
GLASSWORKS_HD float triangle_chirality_of(const TriangleSpins<3>& t) {
  return exact::dot(t.s[0], cross(t.s[1], t.s[2]));
}

}}  // namespace glassworks::models
