#include "kernels/rounds/copy_pairs.hpp"

#include "kernels/core/addresses.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"

namespace glassworks { inline namespace rounds {
namespace {

template <class M>
SiteArray<typename M::Site> sites_of(ClusterReplica& replica) {
  return {replica.states(), replica.spins(), replica.stride()};
}

/// n x n products of the components of two vectors in fixed point; of numbers and densities x of the pair.
template <class M>
struct PairTerms {
  static constexpr int columns = M::components * M::components;
  std::int32_t term[columns];

  PairTerms(const SpinModel& model, const typename M::Site& u, const typename M::Site& v, float scale) {
    if constexpr (measures_vectors<M>) {
      constexpr int n = M::components;
      const auto s = spin_of<M>(model, u), t = spin_of<M>(model, v);
      for (int k = 0; k < columns; ++k) term[k] = to_fixed_clamped(exact::mul(s.c[k / n], t.c[k % n]), scale);
    } else {
      term[0] = static_cast<std::int32_t>(M::product(model, u, v));
    }
  }
};

template <class M>
void add_overlap_of(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const SpinModel& model = system.chain.model;
  const float scale = system.scales.product.multiplier(), link = system.scales.quartic.multiplier();
  const auto spins_a = sites_of<M>(a), spins_b = sites_of<M>(b);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const auto u = spins_a.load(i), v = spins_b.load(i);
    const PairTerms<M> terms(model, u, v, scale);
    system.bonds.for_planes(i, [&](int, int, int number) {
      std::int64_t* const plane = sums.planes.data() + number * terms.columns;
      for (int k = 0; k < terms.columns; ++k) plane[k] += terms.term[k];
    });
    system.bonds.for_owned(i, [&](std::int64_t j, std::int64_t) {
      const float x = M::product(model, u, spins_a.load(j)), y = M::product(model, v, spins_b.load(j));
      sums.link += to_fixed_wide(exact::mul(x, y), link);
    });
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
    system.bonds.for_neighbours(i, [&](std::int64_t j, std::int64_t place) {
      if (a[j] == b[j] || reached[static_cast<std::size_t>(j)]) return;
      if (system.disorder.couplings[static_cast<std::size_t>(place)] == 0.0F) return;
      reached[static_cast<std::size_t>(j)] = true;
      stack.push_back(j);
    });
  }
  return swapped;
}

void add_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  for_any_model(system.chain.model, [&](auto m) { add_overlap_of<decltype(m)>(system, a, b, sums); });
}

}}  // namespace glassworks::rounds
