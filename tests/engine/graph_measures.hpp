#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "engine/graphs/graph_recipe.hpp"

namespace glassworks {

inline bool are_neighbours(const SiteGraph& graph, std::int64_t a, std::int64_t b) {
  return std::ranges::any_of(graph.neighbours(a), [b](const auto& n) { return n.site == b; });
}

/// Length of the shortest closed path through bonds; 0 of a forest.
inline int girth(const SiteGraph& graph) {
  int shortest = std::numeric_limits<int>::max();
  for (std::int64_t start = 0; start < graph.sites(); ++start) {
    std::vector<int> steps(static_cast<std::size_t>(graph.sites()), -1), from(steps.size(), -1),
        queue{static_cast<int>(start)};
    steps[static_cast<std::size_t>(start)] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const auto site = static_cast<std::size_t>(queue[head]);
      for (const auto& neighbour : graph.neighbours(queue[head])) {
        const auto to = static_cast<std::size_t>(neighbour.site);
        if (steps[to] < 0) {
          steps[to] = steps[site] + 1;
          from[to] = static_cast<int>(site);
          queue.push_back(neighbour.site);
        } else if (from[site] != neighbour.site) {
          shortest = std::min(shortest, steps[site] + steps[to] + 1);
        }
      }
    }
  }
  return shortest == std::numeric_limits<int>::max() ? 0 : shortest;
}

inline std::int64_t triangles(const SiteGraph& graph) {
  std::int64_t count = 0;
  for (const GraphBond& bond : graph.bonds()) {
    for (const auto& n : graph.neighbours(bond.b))
      count += n.site > bond.b && are_neighbours(graph, bond.a, n.site) ? 1 : 0;
  }
  return count;
}

/// Closed paths of four different sites.
inline std::int64_t squares(const SiteGraph& graph) {
  std::map<std::pair<int, int>, int> common;
  for (std::int64_t site = 0; site < graph.sites(); ++site) {
    for (const auto& a : graph.neighbours(site)) {
      for (const auto& b : graph.neighbours(site)) {
        if (a.site < b.site) ++common[{a.site, b.site}];
      }
    }
  }
  std::int64_t twice = 0;
  for (const auto& [pair, n] : common) twice += n * (n - 1) / 2;
  return twice / 2;
}

inline bool is_connected(const SiteGraph& graph) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.sites()));
  std::vector<std::int64_t> stack{0};
  seen[0] = true;
  std::int64_t count = 0;
  while (!stack.empty()) {
    const std::int64_t site = stack.back();
    stack.pop_back();
    ++count;
    for (const auto& n : graph.neighbours(site)) {
      if (seen[static_cast<std::size_t>(n.site)]) continue;
      seen[static_cast<std::size_t>(n.site)] = true;
      stack.push_back(n.site);
    }
  }
  return count == graph.sites();
}

inline bool colours_are_proper(const SiteGraph& graph) {
  return std::ranges::all_of(graph.bonds(), [&](const GraphBond& b) { return graph.colour(b.a) != graph.colour(b.b); });
}

/// A number that changes with any bond or weight: FNV-1a.
inline std::uint64_t fingerprint(const MadeGraphSample& sample) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::uint64_t x) { hash = (hash ^ x) * 0x100000001b3U; };
  for (const GraphBond& bond : sample.graph.bonds()) {
    add(static_cast<std::uint64_t>(bond.a));
    add(static_cast<std::uint64_t>(bond.b));
  }
  for (const double w : sample.weights) add(std::bit_cast<std::uint64_t>(w));
  return hash;
}

}  // namespace glassworks
