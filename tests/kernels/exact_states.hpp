#pragma once

#include "tests/kernels/support.hpp"

namespace glassworks::test {

/// Couplings on a random spanning tree of the lattice, all others 0. Without loops the bonds of an equilibrium state
/// are independent: cos of a bond has the density ~ exp(beta J cos), whatever the other bonds do.
struct Tree {
  struct Bond {
    std::int64_t parent, child;
    double J;
  };
  std::vector<Bond> bonds;  ///< every parent is the root or an earlier child
  std::int64_t root = 0;
  Disorder disorder;
};

inline Tree random_tree(const Lattice& lattice, std::uint32_t seed) {
  Source source(seed);
  Tree tree;
  tree.disorder.couplings.assign(static_cast<std::size_t>(lattice.bonds()), 0.0F);
  std::vector<bool> reached(static_cast<std::size_t>(lattice.sites()), false);
  std::vector<std::int64_t> sites{tree.root};
  reached[0] = true;
  while (sites.size() < reached.size()) {
    const std::int64_t parent = sites[static_cast<std::size_t>(source.below(static_cast<int>(sites.size())))];
    const int axis = source.below(lattice.dim), direction = source.below(2) == 0 ? -1 : 1;
    const std::int64_t child = lattice.neighbour(parent, axis, direction);
    if (reached[static_cast<std::size_t>(child)]) continue;
    reached[static_cast<std::size_t>(child)] = true;
    sites.push_back(child);
    const auto J = static_cast<float>(source.normal());
    tree.disorder.couplings[static_cast<std::size_t>((direction > 0 ? parent : child) * lattice.dim + axis)] = J;
    tree.bonds.push_back({parent, child, J});
  }
  tree.disorder.energy_scale = choose_energy_scale(lattice, tree.disorder.couplings, {});
  return tree;
}

/// e = -(1/N) sum_b J (coth(beta J) - 1/(beta J)), exact for every tree.
inline double exact_energy(const Tree& tree, double beta) {
  double sum = 0.0;
  for (const Tree::Bond& b : tree.bonds) sum -= b.J * langevin(beta * b.J);
  return sum / static_cast<double>(tree.bonds.size() + 1);
}

/// A spin with density ~ exp(x s.axis), by inversion in double.
inline Vector3d exact_spin(const Vector3d& axis, double x, Source& source) {
  const double c = std::clamp(cosine_quantile(x, source.uniform()), -1.0, 1.0);
  Vector3d e1 = cross(axis, std::abs(axis.x) < 0.6 ? Vector3d{1, 0, 0} : Vector3d{0, 1, 0});
  e1 = (1.0 / length(e1)) * e1;
  const Vector3d e2 = cross(axis, e1);
  const double phi = 2.0 * std::numbers::pi * source.uniform(), sine = std::sqrt(1.0 - c * c);
  return c * axis + (sine * std::cos(phi)) * e1 + (sine * std::sin(phi)) * e2;
}

/// An independent sample of the Gibbs distribution of every replica at the temperature of its slot.
inline ChainState exact_state(const Chain& chain, const Tree& tree, Source& source) {
  ChainState state = initial_state(chain, 0);
  for (int r = 0; r < chain.replicas(); ++r) {
    const double beta = chain.beta[state.slot[static_cast<std::size_t>(r)]];
    set_spin(chain, state, r, tree.root, random_direction(source));
    for (const Tree::Bond& b : tree.bonds) {
      set_spin(chain, state, r, b.child, exact_spin(spin_at(chain, state, r, b.parent), beta * b.J, source));
    }
  }
  return state;
}

/// For each slot and bond the distribution function of its cosine at the temperature of the slot: independent numbers,
/// uniform in (0, 1), if and only if the state has the joint Gibbs distribution of the ladder.
inline void add_bond_probabilities(const Chain& chain, const Tree& tree, const ChainState& state,
                                   std::vector<double>& u) {
  for (int r = 0; r < chain.replicas(); ++r) {
    const double beta = chain.beta[state.slot[static_cast<std::size_t>(r)]];
    for (const Tree::Bond& b : tree.bonds) {
      const double c = dot(spin_at(chain, state, r, b.parent), spin_at(chain, state, r, b.child));
      u.push_back(cosine_distribution(beta * b.J, std::clamp(c, -1.0, 1.0)));
    }
  }
}

}  // namespace glassworks::test
