#include "kernels/clusters/winding.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace glassworks { inline namespace clusters {

WindingFinder::WindingFinder(const Graph& graph) : dim_(graph.dim()) {
  const bool planar = graph.kind() != GraphKind::hypercubic;
  for (int k = 0; k < graph.directions(); ++k) {
    // The axes that direction k leads along: one, or both for the diagonal of the triangular lattice.
    const int first = planar && k == 2 ? 0 : k, last = planar && k == 2 ? 1 : k;
    for (int axis = first; axis <= last; ++axis) {
      Site layer = 1;
      for (int a = 0; a < axis; ++a) layer *= static_cast<Site>(graph.extents()[static_cast<std::size_t>(a)]);
      const auto extent = static_cast<Site>(graph.extents()[static_cast<std::size_t>(axis)]);
      // All sites with the largest coordinate along the axis.
      for (Site block = (extent - 1) * layer; block < graph.sites(); block += extent * layer) {
        for (Site s = block; s < block + layer; ++s) {
          if (!graph.exists(s, k)) continue;
          Crossing c{static_cast<BondIndex>(k) * graph.stride() + s, s, graph.forward(s, k), {}};
          c.step[static_cast<std::size_t>(axis)] = 1;
          if (first != last) {
            const auto width = static_cast<Site>(graph.extents()[0]), height = static_cast<Site>(graph.extents()[1]);
            const bool right = s % width + 1 == width, up = s / width + 1 == height;
            if (axis == 1 && right) continue;  // the corner stands with axis 0
            c.step = {static_cast<std::int8_t>(right ? 1 : 0), static_cast<std::int8_t>(up ? 1 : 0), 0, 0};
          }
          crossings_.push_back(c);
        }
      }
    }
  }
}

void WindingFinder::cut(BondSet& bonds) {
  active_.clear();
  for (const Crossing& c : crossings_) {
    if (!bonds.active(c.bond)) continue;
    active_.push_back(c);
    bonds.words()[c.bond / 32] &= ~(1U << (c.bond % 32));
  }
}

Winding WindingFinder::find(std::span<const Site> labels) {
  std::vector<Site> ends;
  ends.reserve(2 * active_.size());
  for (const Crossing& c : active_) {
    ends.push_back(labels[c.from]);
    ends.push_back(labels[c.to]);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  nodes_.clear();
  for (const Site label : ends) nodes_.push_back({label, static_cast<std::uint32_t>(nodes_.size()), {}, {}, 0U});
  const auto node_of = [&](Site label) {
    return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), label) - ends.begin());
  };
  for (const Crossing& c : active_) join(node_of(labels[c.from]), node_of(labels[c.to]), c);

  Winding result;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& root = nodes_[find_root(i)];
    if (root.label != nodes_[i].label) {
      result.merged.emplace_back(nodes_[i].label, root.label);
      continue;
    }
    result.any = result.any || !root.windings.empty();
    result.all = result.all || root.axes == (1U << dim_) - 1U;
    result.full = result.full || root.windings.size() == static_cast<std::size_t>(dim_);
  }
  return result;
}

std::uint32_t WindingFinder::find_root(std::uint32_t node) {
  path_.clear();
  while (nodes_[node].parent != node) {
    path_.push_back(node);
    node = nodes_[node].parent;
  }
  // From the root down every displacement becomes the sum of those above it.
  for (std::size_t k = path_.size(); k-- > 0;) {
    Node& below = nodes_[path_[k]];
    if (below.parent == node) continue;
    const Node& above = nodes_[below.parent];
    for (std::size_t a = 0; a < below.displacement.size(); ++a) below.displacement[a] += above.displacement[a];
    below.parent = node;
  }
  return node;
}

void WindingFinder::join(std::uint32_t a, std::uint32_t b, const Crossing& crossing) {
  const std::uint32_t root_a = find_root(a), root_b = find_root(b);
  // With x(a) = position of a's copy of the lattice relative to its root: x(a) + step and x(b) are one place.
  Vector gap{};
  for (std::size_t k = 0; k < gap.size(); ++k) {
    gap[k] = (a == root_a ? 0 : nodes_[a].displacement[k]) + crossing.step[k] -
             (b == root_b ? 0 : nodes_[b].displacement[k]);
  }
  if (root_a == root_b) {
    add_winding(nodes_[root_a], gap);
    return;
  }
  // Nodes ascend with their labels: the smaller one becomes the root.
  const std::uint32_t root = std::min(root_a, root_b), child = std::max(root_a, root_b);
  if (child == root_a) {
    for (std::int64_t& g : gap) g = -g;
  }
  nodes_[child].parent = root;
  nodes_[child].displacement = gap;
  for (const Vector& winding : nodes_[child].windings) add_winding(nodes_[root], winding);
  nodes_[root].axes |= nodes_[child].axes;
  nodes_[child].windings.clear();
}

/// Elimination in whole numbers: what is left of a winding after those of the root is independent of them, or 0.
void WindingFinder::add_winding(Node& root, Vector winding) {
  for (std::size_t k = 0; k < winding.size(); ++k) root.axes |= winding[k] != 0 ? 1U << k : 0U;
  for (const Vector& known : root.windings) {
    const auto pivot = static_cast<std::size_t>(
        std::find_if(known.begin(), known.end(), [](std::int64_t w) { return w != 0; }) - known.begin());
    const std::int64_t factor = winding[pivot];
    for (std::size_t k = 0; k < winding.size(); ++k) winding[k] = winding[k] * known[pivot] - factor * known[k];
    std::int64_t divisor = 0;
    for (const std::int64_t w : winding) divisor = std::gcd(divisor, w);
    for (std::int64_t& w : winding) w /= std::max<std::int64_t>(divisor, 1);
  }
  if (std::any_of(winding.begin(), winding.end(), [](std::int64_t w) { return w != 0; })) {
    root.windings.push_back(winding);
  }
}

}}  // namespace glassworks::clusters
