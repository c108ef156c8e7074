#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace cuda {

/// Two numbers that are loaded together: of a link the neighbour and the bond, of a bond its sites a < b.
struct alignas(8) GraphPair {
  std::uint32_t first, second;
};

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

  [[nodiscard]] GLASSWORKS_HD std::uint32_t plane(int axis, std::uint32_t site, std::uint32_t sites) const {
    return planes == nullptr ? 0 : planes[static_cast<std::uint32_t>(axis) * std::uint64_t{sites} + site];
  }
};

}}  // namespace glassworks::cuda
