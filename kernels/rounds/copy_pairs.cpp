#include "kernels/rounds/copy_pairs.hpp"

#include <utility>

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
    if constexpr (has_products<M>) {
      system.bonds.for_owned_terms(i, [&](std::span<const std::int32_t> sites, std::int64_t) {
        const auto of = [&](const auto& spins) { return [&](std::int64_t j) { return spins.load(j); }; };
        const float x = M::product(model, u, product_of_others<M>(sites, i, of(spins_a)));
        const float y = M::product(model, v, product_of_others<M>(sites, i, of(spins_b)));
        sums.link += to_fixed_wide(exact::mul(x, y), link);
      });
    }
  }
}

}  // namespace

std::vector<std::size_t> replicas_at(const Chain& chain, const std::vector<std::uint16_t>& slot_of) {
  std::vector<std::size_t> at(slot_of.size());
  for (std::size_t r = 0; r < slot_of.size(); ++r) at[chain.place_of(r, slot_of[r])] = r;
  return at;
}

std::int64_t isoenergetic_move(const ClusterSystem& system, std::uint32_t word, std::uint8_t* a, std::uint8_t* b) {
  return isoenergetic_move(
      system, word, [&](std::int64_t i) { return a[i] != b[i]; }, [&](std::int64_t i) { std::swap(a[i], b[i]); });
}

void add_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums) {
  for_any_model(system.chain.model, [&](auto m) { add_overlap_of<decltype(m)>(system, a, b, sums); });
}

}}  // namespace glassworks::rounds
