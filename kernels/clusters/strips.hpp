#pragma once

#include <cstdint>
#include <vector>

namespace glassworks { inline namespace clusters {

/// Rows first_row .. first_row + rows - 1 of a square lattice. Its sites have numbers of their own, x + width (y -
/// first_row), which fit into 31 bits.
struct Strip {
  std::uint64_t first_row = 0;
  std::uint32_t rows = 0;
  int device = 0;  ///< place in the list of devices
};

/// Fewer than this many sites in a strip.
constexpr std::uint64_t sites_of_strip_below = std::uint64_t{1} << 31;

/// Cuts a lattice of width x height sites into strips of nearly equal even heights, equally many for each device;
/// neighbours share a device where they can. wanted: number of strips, 0: as few as the bound allows. Throws
/// std::runtime_error (problem (why). suggestion) if there are no such strips.
[[nodiscard]] std::vector<Strip> plan_strips(std::uint64_t width, std::uint64_t height, int devices, int wanted = 0);

}}  // namespace glassworks::clusters
