#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace clusters {

/// How the clusters of a periodic lattice lie on the torus. A closed path that leads w_k times around axis k has the
/// winding (w_1, ..., w_d); those of one cluster span a lattice of some rank.
struct Winding {
  bool any = false;   ///< a cluster has a winding that is not 0: it wraps along at least one axis
  bool all = false;   ///< one cluster has, for every axis k, a winding with w_k != 0
  bool full = false;  ///< one cluster has d independent windings
  /// Clusters of the lattice cut open that belong to a larger one: (label, smallest label of that one).
  std::vector<std::pair<Site, Site>> merged;
};

/// Finds the windings from the labels of the lattice cut open, by union-find with displacements over the active bonds
/// that cross its boundary: O(L^(d-1)) of them, so that any Labeller does the rest.
class WindingFinder {
 public:
  /// For a periodic lattice.
  explicit WindingFinder(const Graph& graph);

  /// Clears the active bonds that cross the boundary, and keeps them for `find`.
  void cut(BondSet& bonds);

  /// labels: of the bonds that are left.
  [[nodiscard]] Winding find(std::span<const Site> labels);

 private:
  using Vector = std::array<std::int64_t, Graph::max_dim>;

  struct Crossing {
    BondIndex bond;
    Site from, to;
    std::array<std::int8_t, Graph::max_dim> step;  ///< times around each axis, 0 or 1
  };
  /// A cluster of the cut lattice.
  struct Node {
    Site label;
    std::uint32_t parent;
    Vector displacement;           ///< to the parent, in units of the lattice extents
    std::vector<Vector> windings;  ///< of a root: independent ones
    std::uint32_t axes;            ///< of a root: bit k where a winding has w_k != 0
  };

  /// Root of a node; afterwards its displacement is the one to the root.
  std::uint32_t find_root(std::uint32_t node);
  void join(std::uint32_t a, std::uint32_t b, const Crossing& crossing);
  static void add_winding(Node& root, Vector winding);

  int dim_;
  std::vector<Crossing> crossings_;  ///< all that the lattice has
  std::vector<Crossing> active_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
};

}}  // namespace glassworks::clusters
