#include "kernels/rounds/copy_pairs.hpp"

#include "kernels/core/addresses.hpp"

namespace glassworks::inline rounds {
namespace {

template <int n>
void add_vector_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const float scale = system.scales.product.multiplier(), link = system.scales.quartic.multiplier();
  const auto spin = [](ClusterReplica& replica, std::int64_t i) {
    exact::Vector<n> s;
    for (int k = 0; k < n; ++k) s.c[k] = replica.spins()[k * replica.stride() + i];
    return s;
  };
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const auto u = spin(a, i), v = spin(b, i);
    std::int32_t product[n * n];
    for (int k = 0; k < n * n; ++k) product[k] = to_fixed_clamped(exact::mul(u.c[k / n], v.c[k % n]), scale);
    const Lattice::Coordinates c = lattice.coordinates(i);
    for (int axis = 0; axis < lattice.dim; ++axis) {
      std::int64_t* plane = sums.planes.data() + (axis * lattice.L + c[static_cast<std::size_t>(axis)]) * n * n;
      for (int k = 0; k < n * n; ++k) plane[k] += product[k];
      if (!lattice.has_bond(c, axis, +1)) continue;
      const std::int64_t j = lattice.neighbour(i, axis, +1);
      sums.link += to_fixed_wide(exact::mul(exact::dot(u, spin(a, j)), exact::dot(v, spin(b, j))), link);
    }
  }
}

void add_discrete_overlap(const ClusterSystem& system, const std::uint8_t* a, const std::uint8_t* b,
                          OverlapSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const int unequal = system.chain.model.kind == ModelKind::ising ? -1 : 0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const Lattice::Coordinates c = lattice.coordinates(i);
    for (int axis = 0; axis < lattice.dim; ++axis) {
      sums.planes[static_cast<std::size_t>(axis * lattice.L + c[static_cast<std::size_t>(axis)])] +=
          a[i] == b[i] ? 1 : unequal;
      if (!lattice.has_bond(c, axis, +1)) continue;
      const std::int64_t j = lattice.neighbour(i, axis, +1);
      sums.link += (a[i] == a[j] ? 1 : unequal) * (b[i] == b[j] ? 1 : unequal);
    }
  }
}

/// The site that stands at number `rank` among those that differ, counted from 0.
std::int64_t differing_site(std::int64_t sites, std::uint32_t rank, const std::uint8_t* a, const std::uint8_t* b) {
  for (std::int64_t i = 0; i < sites; ++i) {
    if (a[i] != b[i] && rank-- == 0) return i;
  }
  return 0;
}

}  // namespace

std::int64_t isoenergetic_move(const ClusterSystem& system, std::uint32_t word, std::uint8_t* a, std::uint8_t* b) {
  const Lattice& lattice = system.chain.lattice;
  std::uint32_t differing = 0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) differing += a[i] != b[i] ? 1U : 0U;
  if (differing == 0) return 0;
  const auto joined = [&](std::int64_t owner, int axis) {
    return system.disorder.couplings[static_cast<std::size_t>(owner * lattice.dim + axis)] != 0.0F;
  };
  // A swapped site still differs, so what has been reached is remembered apart.
  std::vector<bool> reached(static_cast<std::size_t>(lattice.sites()), false);
  std::vector<std::int64_t> stack{differing_site(lattice.sites(), uniform_below(word, differing), a, b)};
  reached[static_cast<std::size_t>(stack.front())] = true;
  std::int64_t swapped = 0;
  while (!stack.empty()) {
    const std::int64_t i = stack.back();
    stack.pop_back();
    std::swap(a[i], b[i]);
    ++swapped;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      for (const int direction : {+1, -1}) {
        const std::int64_t j = lattice.neighbour(i, axis, direction);
        if (a[j] == b[j] || reached[static_cast<std::size_t>(j)] || !joined(direction > 0 ? i : j, axis)) continue;
        reached[static_cast<std::size_t>(j)] = true;
        stack.push_back(j);
      }
    }
  }
  return swapped;
}

void add_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  switch (components_of(system.chain.model)) {
    case 2:
      return add_vector_overlap<2>(system, a, b, sums);
    case 3:
      return add_vector_overlap<3>(system, a, b, sums);
    case 4:
      return add_vector_overlap<4>(system, a, b, sums);
    default:
      return add_discrete_overlap(system, a.states(), b.states(), sums);
  }
}

}  // namespace glassworks::inline rounds
