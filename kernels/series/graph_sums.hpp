#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rounds/bond_view.hpp"

/// Sums over the sites and bonds of a graph, whose numbers say nothing about where they are.
namespace glassworks { inline namespace series {

/// Sums of numbers of the sites over the planes of equal coordinate [Lattice::plane].
template <class T>
[[nodiscard]] std::vector<std::int64_t> graph_planes(const Lattice& lattice, const SiteGraph& graph,
                                                     const std::vector<T>& of_site) {
  std::vector<std::int64_t> sums(static_cast<std::size_t>(lattice.planes()), 0);
  const BondView view(lattice, &graph);
  for (std::size_t i = 0; i < of_site.size(); ++i) {
    view.for_planes(static_cast<std::int64_t>(i),
                    [&](int, int, int plane) { sums[static_cast<std::size_t>(plane)] += of_site[i]; });
  }
  return sums;
}

/// Sum of product(i, j) over the bonds, in their order.
template <class Product>
[[nodiscard]] std::int64_t graph_links(const SiteGraph& graph, const Product& product) {
  std::int64_t sum = 0;
  for (const GraphBond& bond : graph.bonds()) {
    sum += product(static_cast<std::size_t>(bond.a), static_cast<std::size_t>(bond.b));
  }
  return sum;
}

/// Sum over the terms of more than two sites of the products of numbers of their sites.
[[nodiscard]] inline std::int64_t graph_products(const SiteGraph& graph, const std::vector<std::int64_t>& of_site) {
  std::int64_t sum = 0;
  for (std::int32_t term = 0; term < static_cast<std::int32_t>(graph.terms().size()); ++term) {
    std::int64_t product = 1;
    for (const std::int32_t site : graph.terms()[term]) product *= of_site[static_cast<std::size_t>(site)];
    sum += product;
  }
  return sum;
}

}}  // namespace glassworks::series
