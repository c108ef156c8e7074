#pragma once

#include <cstdint>
#include <span>

#include "kernels/core/lattice.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace rounds {

/// The bonds, neighbours and planes of the sites of a lattice or a graph, for sums over all sites. Refers to both;
/// owns nothing.
class BondView {
 public:
  /// graph: of LatticeKind::graph, else null
  BondView(const Lattice& lattice, const SiteGraph* graph) : lattice_(lattice), graph_(graph) {}

  /// visit(j, place) for every bond that site i owns: the neighbour, and the place of J in Disorder::couplings. Of a
  /// graph the sites with the smaller numbers own the bonds.
  template <class Visit>
  void for_owned(std::int64_t i, Visit&& visit) const {
    if (graph_ != nullptr) {
      for (const SiteGraph::Neighbour& n : graph_->neighbours(i)) {
        if (n.site > i) visit(std::int64_t{n.site}, std::int64_t{n.bond});
      }
      return;
    }
    const Lattice::Coordinates c = lattice_.coordinates(i);
    for (int bond = 0; bond < lattice_.owned(); ++bond) {
      if (lattice_.has_bond(c, bond, +1)) visit(lattice_.neighbour(c, bond, +1), i * lattice_.owned() + bond);
    }
  }
  /// visit(j, place) for every neighbour of site i; of a lattice past open ends too, where J = 0.
  template <class Visit>
  void for_neighbours(std::int64_t i, Visit&& visit) const {
    if (graph_ != nullptr) {
      for (const SiteGraph::Neighbour& n : graph_->neighbours(i)) visit(std::int64_t{n.site}, std::int64_t{n.bond});
      return;
    }
    const Lattice::Coordinates c = lattice_.coordinates(i);
    for (int bond = 0; bond < lattice_.owned(); ++bond) {
      const std::int64_t backward = lattice_.neighbour(c, bond, -1);
      visit(lattice_.neighbour(c, bond, +1), i * lattice_.owned() + bond);
      visit(backward, backward * lattice_.owned() + bond);
    }
  }
  /// visit(sites, place) for every term of more than two spins that site i is in: all its sites, ascending, of which
  /// the first one owns it, and the place of J.
  template <class Visit>
  void for_terms(std::int64_t i, Visit&& visit) const {
    if (graph_ == nullptr) return;
    for (const std::int32_t term : graph_->terms_of(i)) visit(graph_->terms()[term], graph_->place_of_term(term));
  }
  template <class Visit>
  void for_owned_terms(std::int64_t i, Visit&& visit) const {
    for_terms(i, [&](std::span<const std::int32_t> sites, std::int64_t place) {
      if (sites.front() == i) visit(sites, place);
    });
  }
  /// visit(place, k) for every coupling at site i: of k sites, i among them.
  template <class Visit>
  void for_couplings(std::int64_t i, Visit&& visit) const {
    for_neighbours(i, [&](std::int64_t, std::int64_t place) { visit(place, 2); });
    for_terms(i, [&](std::span<const std::int32_t> sites, std::int64_t place) {
      visit(place, static_cast<int>(sites.size()));
    });
  }
  /// visit(axis, x, plane) for every axis: the place of site i along it, and Lattice::plane of that.
  template <class Visit>
  void for_planes(std::int64_t i, Visit&& visit) const {
    if (graph_ != nullptr) {
      const auto& axes = graph_->axes();
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const int x = a < axes.size() ? axes[a].plane[static_cast<std::size_t>(i)] : 0;
        visit(axis, x, lattice_.plane(axis, x));
      }
      return;
    }
    const Lattice::Coordinates c = lattice_.coordinates(i);
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      const int x = c[static_cast<std::size_t>(axis)];
      visit(axis, x, lattice_.plane(axis, x));
    }
  }

 private:
  const Lattice& lattice_;
  const SiteGraph* graph_;
};

/// The product of the spins of a term without that of site i, as a state of M. spin(j): the state of a site.
template <class M, class Spin>
[[nodiscard]] typename M::Site product_of_others(std::span<const std::int32_t> sites, std::int64_t i,
                                                 const Spin& spin) {
  typename M::Site product = M::one;
  for (const std::int32_t j : sites) {
    if (j != i) product = M::times(product, spin(std::int64_t{j}));
  }
  return product;
}

}}  // namespace glassworks::rounds
