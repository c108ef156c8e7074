#pragma once

#include <vector>

#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/local_observables.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace rounds {

/// Adds the sums of the local observables of a replica of model M on a graph, of a share of its bonds or sites.
///
/// spins  as LocalSpins: at(i), and product(i, j) of vectors
/// local  [place in the selection]
template <class M, class Spins>
void add_graph_locals(const ClusterSystem& system, const Share& share, const Spins& spins,
                      std::vector<std::int64_t>& local) {
  const SiteGraph& graph = *system.disorder.graph;
  for_local_observables_of<M>(system.chain.local, [&](auto o, int which) {
    using O = decltype(o);
    std::int64_t& sum = local[static_cast<std::size_t>(which)];
    const auto add = [&](float term) { sum += to_fixed_wide(term, local_scale.multiplier()); };
    if constexpr (O::on_graphs == GraphTerms::of_bonds) {
      const auto [begin, end] = share.range(static_cast<std::int64_t>(graph.bonds().size()));
      for (std::int64_t b = begin; b < end; ++b) {
        const GraphBond& bond = graph.bonds()[static_cast<std::size_t>(b)];
        add(O::bond_term(spins, static_cast<std::uint32_t>(bond.a), static_cast<std::uint32_t>(bond.b)));
      }
    } else if constexpr (O::on_graphs == GraphTerms::of_sites) {
      const auto [begin, end] = share.range(graph.sites());
      for (std::int64_t i = begin; i < end; ++i) add(O::site_term(spins, static_cast<std::uint32_t>(i)));
    }
  });
}

}}  // namespace glassworks::rounds
