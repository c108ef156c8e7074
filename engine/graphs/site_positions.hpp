#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Positions of the sites of a graph from a file.
struct GivenPositions {
  std::vector<std::array<double, 3>> at;  ///< [site][x, y, z]
  std::string digest;                     ///< XXH3-128 of the text
};

/// Positions of sites: one line `i x y z` for each site, in any order, with comments as those of graphs; numbered from
/// 0 if a line has the number 0, from 1 otherwise. Throws InputError with file and line.
[[nodiscard]] GivenPositions read_positions_file(const std::filesystem::path& file, std::int64_t sites);

/// The planes on which sites stand along each of the axes x, y, z on which their coordinates differ: plane
/// (x mod p) planes/p for the period p, so that the phase of the smallest wave vector is 2 pi x/p. All axes have planes
/// of one distance, the largest that all coordinates are multiples of. Where an axis would have more than most_planes,
/// the longest has that many, and coordinates are rounded to the nearest plane: k x has an error of at most
/// pi/most_planes.
///
/// periods  of these axes; empty or 0: what equally spaced coordinates span, and one distance more
/// Throws InputError where all sites stand at one place, where a period is missing or does not fit, or where there are
/// not as many periods as axes.
[[nodiscard]] std::vector<GraphAxis> axes_of_positions(const std::filesystem::path& file,
                                                       const GivenPositions& positions,
                                                       const std::vector<double>& periods);

constexpr int most_planes = 1024;

}}  // namespace glassworks::engine
