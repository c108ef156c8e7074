#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace cuda {

/// Two numbers that are loaded together: of a link the neighbour and the bond, of a bond its sites a < b.
struct alignas(8) GraphPair {
  std::uint32_t first, second;
};

/// Marks the last of the sites of a term in a list of them.
constexpr std::uint32_t last_of_term = 1U << 31;

/// What kernels see of a graph. The place of a site is its number in the order by colour, in each colour by degree
/// downward, so that the sites of a colour follow each other and neighbouring threads have equal work.
struct DeviceGraph {
  const std::uint32_t* order;   ///< site [place]
  const std::uint32_t* place;   ///< [site]
  const std::uint32_t* begin;   ///< first link of a site [place], N + 1 entries
  const GraphPair* links;       ///< neighbour and bond, of each site in ascending order
  const GraphPair* bonds;       ///< [bond]
  const std::uint32_t* first;   ///< first place of a colour [colour], N from the last one of this graph on
  const std::uint32_t* planes;  ///< of a site along each axis [axis][site]; null: all are 0
  std::uint32_t bond_count;     ///< of two sites

  // Of terms of more than two sites; null where there are none.
  std::uint32_t term_count;
  const std::uint32_t* term_begin;  ///< first of the sites of a term in term_sites [term], term_count + 1 entries
  const std::uint32_t* term_sites;
  const std::uint32_t* site_begin;  ///< first word of a site in site_terms [place], N + 1 entries
  /// Of each site, for all its terms in ascending order: the number of the coupling, then the other sites, the last one
  /// with last_of_term.
  const std::uint32_t* site_terms;

  [[nodiscard]] GLASSWORKS_HD std::uint32_t plane(int axis, std::uint32_t site, std::uint32_t sites) const {
    return planes == nullptr ? 0 : planes[static_cast<std::uint32_t>(axis) * std::uint64_t{sites} + site];
  }
};

}}  // namespace glassworks::cuda
