#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/clusters/graph.hpp"
#include "kernels/core/random.hpp"

/// Sets of active bonds that are hard to label, on any graph, for the tests of all labelling methods.
namespace glassworks::test {

/// Every bond active with probability p; a function of the seed and the bond.
inline BondSet random_bonds(const Graph& graph, double p, std::uint32_t seed) {
  BondSet set(graph);
  const auto threshold = static_cast<std::uint64_t>(p * 0x1p32);
  graph.for_each_bond([&](BondIndex b, Site, Site) {
    const RandomBlock random =
        random_block(PhiloxKey{seed, 0x7E57U}, Stream::percolation, 0, 0, 0, static_cast<std::uint32_t>(b));
    if (random.word[0] < threshold) set.activate(b);
  });
  return set;
}

inline BondSet full_bonds(const Graph& graph) {
  BondSet set(graph);
  graph.for_each_bond([&](BondIndex b, Site, Site) { set.activate(b); });
  return set;
}

/// Threshold of bond percolation; of an edge list the inverse of its mean degree.
inline double critical_p(const Graph& graph) {
  static constexpr double hypercubic[] = {0.99, 0.5, 0.2488126, 0.1601314};
  switch (graph.kind()) {
    case GraphKind::hypercubic:
      return hypercubic[graph.dim() - 1];
    case GraphKind::triangular:
      return 0.347296355333861;
    case GraphKind::honeycomb:
      return 0.652703644666139;
    case GraphKind::bethe:
      return 1.0 / (graph.coordination() - 1);
    case GraphKind::edge_list:
      break;
  }
  return std::min(1.0, 0.5 * graph.sites() / static_cast<double>(std::max<BondIndex>(graph.bonds(), 1)));
}

/// The bonds of a spanning forest of an explicit graph: deep (first in, last out) or shallow, from the largest site on.
inline BondSet spanning_forest(const Graph& graph, bool deep) {
  std::vector<std::vector<std::pair<Site, BondIndex>>> neighbours(graph.sites());
  graph.for_each_bond([&](BondIndex b, Site i, Site j) {
    neighbours[i].emplace_back(j, b);
    neighbours[j].emplace_back(i, b);
  });
  BondSet set(graph);
  std::vector<bool> seen(graph.sites(), false);
  for (Site start = graph.sites(); start-- > 0;) {
    if (seen[start]) continue;
    seen[start] = true;
    std::vector<std::pair<Site, std::size_t>> open{{start, 0}};  // site, neighbours tried
    for (std::size_t front = 0; deep ? !open.empty() : front < open.size();) {
      auto& [site, tried] = deep ? open.back() : open[front];
      if (tried == neighbours[site].size()) {
        if (deep) open.pop_back();
        front += deep ? 0 : 1;
        continue;
      }
      const auto [next, bond] = neighbours[site][tried++];
      if (seen[next]) continue;
      seen[next] = true;
      set.activate(bond);
      open.emplace_back(next, 0);
    }
  }
  return set;
}

/// Activates the bond from `site` in `direction` if it exists and does not wrap around.
inline void activate_inside(const Graph& graph, BondSet& set, Site site, int direction) {
  if (graph.exists(site, direction) && graph.forward(site, direction) > site) {
    set.activate(static_cast<BondIndex>(direction) * graph.stride() + site);
  }
}

/// Lattices: every plane of the first two axes is one path that winds inwards (on the honeycomb a path of pairs of
/// sites), and the planes are joined in turn in the corner and in the middle. Explicit graphs: a deep spanning forest.
inline BondSet spiral_bonds(const Graph& graph) {
  if (!graph.is_lattice()) return spanning_forest(graph, true);
  BondSet set(graph);
  const int pair = graph.kind() == GraphKind::honeycomb ? 2 : 1;  // a step up needs a choice of two sites there
  const int width = graph.extents()[0] / pair, height = graph.extents()[1];
  const Site row = static_cast<Site>(graph.extents()[0]), plane = row * static_cast<Site>(height);
  static constexpr int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
  for (Site base = 0; base < graph.sites(); base += plane) {
    std::vector<bool> seen(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), false);
    const auto free = [&](int x, int y) {
      return x >= 0 && y >= 0 && x < width && y < height && !seen[static_cast<std::size_t>(y * width + x)];
    };
    const auto site = [&](int x, int y) { return base + static_cast<Site>(x * pair) + row * static_cast<Site>(y); };
    int x = 0, y = 0, heading = 0;
    for (;;) {
      seen[static_cast<std::size_t>(y * width + x)] = true;
      if (pair == 2) activate_inside(graph, set, site(x, y), 0);
      if (!free(x + dx[heading], y + dy[heading])) heading = (heading + 1) % 4;
      const int to_x = x + dx[heading], to_y = y + dy[heading];
      if (!free(to_x, to_y)) break;
      const Site from = std::min(site(x, y), site(to_x, to_y));
      const Site last = from + static_cast<Site>(pair - 1);  // the one of the pair that has the neighbour at +x
      if (y == to_y) activate_inside(graph, set, last, 0);
      if (y != to_y) activate_inside(graph, set, from, 1);
      if (y != to_y && pair == 2) activate_inside(graph, set, last, 1);
      x = to_x;
      y = to_y;
    }
    for (int k = 2; graph.kind() == GraphKind::hypercubic && k < graph.dim(); ++k) {
      activate_inside(graph, set, base / plane % 2 == 0 ? site(x, y) : base, k);
    }
  }
  return set;
}

/// Lattices: teeth along axis 1 that are joined at their far ends only (honeycomb: teeth along axis 0), planes joined
/// at their last site. Explicit graphs: a shallow spanning forest.
inline BondSet comb_bonds(const Graph& graph) {
  if (!graph.is_lattice()) return spanning_forest(graph, false);
  BondSet set(graph);
  const auto width = static_cast<Site>(graph.extents()[0]), plane = width * static_cast<Site>(graph.extents()[1]);
  const bool along_x = graph.kind() == GraphKind::honeycomb || graph.dim() == 1;
  for (Site s = 0; s < graph.sites(); ++s) {
    const Site x = s % width, in_plane = s % plane;
    if (along_x) {
      activate_inside(graph, set, s, 0);
      if (graph.dim() > 1 && x + 2 >= width) activate_inside(graph, set, s, 1);
      continue;
    }
    if (in_plane + width < plane) activate_inside(graph, set, s, 1);
    if (in_plane + width >= plane) activate_inside(graph, set, s, 0);
    for (int k = 2; graph.kind() == GraphKind::hypercubic && k < graph.dim(); ++k) {
      if (in_plane + 1 == plane) activate_inside(graph, set, s, k);
    }
  }
  return set;
}

struct BondPattern {
  std::string name;
  BondSet bonds;
};

/// All patterns. On a connected lattice full, spiral and comb are one component, empty is N of them.
inline std::vector<BondPattern> bond_patterns(const Graph& graph, std::uint32_t seed) {
  const double p = critical_p(graph);
  std::vector<BondPattern> patterns;
  patterns.push_back({"empty", BondSet(graph)});
  patterns.push_back({"full", full_bonds(graph)});
  patterns.push_back({"sparse", random_bonds(graph, 0.5 * p, seed)});
  patterns.push_back({"critical", random_bonds(graph, p, seed + 1)});
  patterns.push_back({"dense", random_bonds(graph, std::min(1.0, 1.4 * p), seed + 2)});
  patterns.push_back({"nearly full", random_bonds(graph, 0.99, seed + 3)});
  patterns.push_back({"spiral", spiral_bonds(graph)});
  patterns.push_back({"comb", comb_bonds(graph)});
  return patterns;
}

}  // namespace glassworks::test
