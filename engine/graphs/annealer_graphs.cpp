#include "engine/graphs/annealer_graphs.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace glassworks { inline namespace engine {
namespace {

constexpr int tracks = 12;
/// Where the segments of vertical and horizontal qubits begin, by k.
constexpr std::array<int, tracks> vertical_starts = {2, 2, 2, 2, 10, 10, 10, 10, 6, 6, 6, 6};
constexpr std::array<int, tracks> horizontal_starts = {6, 6, 6, 6, 2, 2, 2, 2, 10, 10, 10, 10};

/// The first and the last two tracks of each orientation cross nothing that is whole.
bool in_fabric(int m, int w, int k) { return (w > 0 || k >= 2) && (w < m - 1 || k < tracks - 2); }

}  // namespace

std::int64_t chimera_sites(int m) { return std::int64_t{8} * m * m; }
std::int64_t chimera_bonds(int m) { return std::int64_t{16} * m * m + std::int64_t{8} * m * (m - 1); }

SiteGraph chimera_graph(int m) {
  const auto number = [m](int i, int j, int u, int k) { return 8 * (m * i + j) + 4 * u + k; };
  std::vector<GraphBond> bonds;
  std::vector<std::int32_t> colours(static_cast<std::size_t>(chimera_sites(m)));
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < 4; ++k) {
        for (int other = 0; other < 4; ++other) bonds.push_back({number(i, j, 0, k), number(i, j, 1, other)});
        if (i + 1 < m) bonds.push_back({number(i, j, 0, k), number(i + 1, j, 0, k)});
        if (j + 1 < m) bonds.push_back({number(i, j, 1, k), number(i, j + 1, 1, k)});
        for (int u = 0; u < 2; ++u) colours[static_cast<std::size_t>(number(i, j, u, k))] = (u + i + j) % 2;
      }
    }
  }
  return {chimera_sites(m), std::move(bonds), {}, std::move(colours)};
}

std::int64_t pegasus_sites(int m) { return std::int64_t{8} * (m - 1) * (3 * m - 1); }
/// Along tracks, between the two of a pair, and 12 for each crossing of a row and a column of whole cells.
std::int64_t pegasus_bonds(int m) {
  const std::int64_t lines = 2 * (std::int64_t{tracks} * m - 4);
  return lines * (m - 2) + lines / 2 * (m - 1) + std::int64_t{144} * (m - 1) * (m - 1);
}

std::vector<std::int32_t> pegasus_numbers(int m) {
  std::vector<std::int32_t> numbers;
  std::int32_t number = 0;
  for (int u = 0; u < 2; ++u) {
    for (int w = 0; w < m; ++w) {
      for (int k = 0; k < tracks; ++k) {
        for (int z = 0; z < m - 1; ++z, ++number) {
          if (in_fabric(m, w, k)) numbers.push_back(number);
        }
      }
    }
  }
  return numbers;
}

SiteGraph pegasus_graph(int m) {
  const std::vector<std::int32_t> numbers = pegasus_numbers(m);
  std::vector<std::int32_t> site_of(static_cast<std::size_t>(2 * tracks * m * (m - 1)), -1);
  std::vector<std::int32_t> colours;
  for (std::size_t site = 0; site < numbers.size(); ++site) {
    site_of[static_cast<std::size_t>(numbers[site])] = static_cast<std::int32_t>(site);
    const int z = numbers[site] % (m - 1), track = numbers[site] / (m - 1), u = track / (tracks * m);
    colours.push_back(2 * u + (track % tracks + z) % 2);
  }
  const auto site = [&](int u, int w, int k, int z) {
    return site_of[static_cast<std::size_t>(((m * u + w) * tracks + k) * (m - 1) + z)];
  };
  std::vector<GraphBond> bonds;
  for (int w = 0; w < m; ++w) {
    for (int k = 0; k < tracks; ++k) {
      if (!in_fabric(m, w, k)) continue;
      for (int z = 0; z < m - 1; ++z) {
        for (int u = 0; u < 2; ++u) {
          if (z + 1 < m - 1) bonds.push_back({site(u, w, k, z), site(u, w, k, z + 1)});
          if (k % 2 == 0) bonds.push_back({site(u, w, k, z), site(u, w, k + 1, z)});
        }
        for (int across = 0; across < tracks; ++across) {
          const auto index = static_cast<std::size_t>(k), other = static_cast<std::size_t>(across);
          const int row = z + (across < vertical_starts[index] ? 1 : 0);
          const int column = w - (k < horizontal_starts[other] ? 1 : 0);
          if (column < 0 || column >= m - 1) continue;
          bonds.push_back({site(0, w, k, z), site(1, row, across, column)});
        }
      }
    }
  }
  return {static_cast<std::int64_t>(numbers.size()), std::move(bonds), {}, std::move(colours)};
}

}}  // namespace glassworks::engine
