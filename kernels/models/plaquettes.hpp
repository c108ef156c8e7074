#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/core/lattice.hpp"
#include "kernels/models/unit_vectors.hpp"

/// Chirality of the plaquettes i, i + a, i + a + b, i + b of two axes, of XY spins s = (cos theta, sin theta):
///
///     kappa = (1/(2 sqrt 2)) sum over the four bonds, around, of sgn(J) sin(theta_i - theta_j)
///
/// Its modulus is 1 in the ground state of a frustrated plaquette of equal |J|. A plaquette belongs to the site i; past
/// an open end there is none. Source: Kawamura & Tanemura, Phys. Rev. B 36, 7177 (1987).
namespace glassworks { inline namespace models {

/// Whether model M (for_model.hpp) has it.
template <class M>
constexpr bool has_chirality = std::is_same_v<M, UnitVectors<2>>;

/// The two axes of a plaquette, a < b.
struct PlaquettePlane {
  int a, b;
  [[nodiscard]] GLASSWORKS_HD constexpr bool holds(int axis) const { return axis == a || axis == b; }
};

/// Orientations of the plaquettes of a lattice: pairs of axes.
[[nodiscard]] GLASSWORKS_HD constexpr int plaquette_planes(int dim) { return dim * (dim - 1) / 2; }

/// Number mu in the order (x,y), (x,z), (x,w), (y,z), ...
[[nodiscard]] GLASSWORKS_HD constexpr PlaquettePlane plaquette_plane(int mu, int dim) {
  int a = 0;
  while (mu >= dim - 1 - a) mu -= dim - 1 - a++;
  return {a, a + 1 + mu};
}

/// sgn(J) s x t = - sgn(J) sin(theta_s - theta_t) of a bond, passed from s to t; 0 where J is.
GLASSWORKS_HD float bond_sine(float J, const exact::Vector<2>& s, const exact::Vector<2>& t) {
  const float cross = exact::fma(s.c[0], t.c[1], -exact::mul(s.c[1], t.c[0]));
  return J == 0.0F ? 0.0F : exact::flip_sign(cross, exact::as_uint(J));
}

/// A site i with its neighbours i + a and i + b.
struct PlaquetteCorners {
  std::uint32_t site, at_a, at_b;
};

/// - 2 sqrt(2) kappa of the plaquette of a site whose bonds along both axes there are. Order of the bonds: i to i + a,
/// to i + a + b, to i + b, to i.
///
/// spins  at(site), and coupling(site, bond) of the bonds that a site owns
template <class Spins>
GLASSWORKS_HD float plaquette_sine(const Spins& spins, const PlaquetteCorners& i, const PlaquettePlane& plane) {
  const std::uint32_t corner = i.at_a + i.at_b - i.site;  // steps along different axes do not depend on each other
  const auto along = [&](std::uint32_t owner, int bond, std::uint32_t from, std::uint32_t to) {
    return bond_sine(spins.coupling(owner, bond), spins.at(from), spins.at(to));
  };
  float sum = along(i.site, plane.a, i.site, i.at_a);
  sum = exact::add(sum, along(i.at_a, plane.b, i.at_a, corner));
  sum = exact::add(sum, along(i.at_b, plane.a, corner, i.at_b));
  return exact::add(sum, along(i.site, plane.b, i.at_b, i.site));
}

/// kappa^(a) kappa^(b) of two copies from their plaquette_sine, at most 2 in modulus.
GLASSWORKS_HD float chirality_product(float a, float b) { return exact::mul(exact::mul(0.125F, a), b); }

}}  // namespace glassworks::models
