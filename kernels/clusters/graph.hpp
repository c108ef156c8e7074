#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace clusters {

using Site = std::uint32_t;
using BondIndex = std::uint64_t;

enum class GraphKind { hypercubic, triangular, honeycomb, bethe, edge_list };
enum class Numbering { standard, random };

/// What clusters live on: sites 0 .. N-1 and undirected bonds, at most one per index.
///
/// Lattices (hypercubic d = 1..4, triangular, honeycomb) are described by their extents alone:
///   site = x + extent[0] (y + extent[1] (z + extent[2] w)),
///   bond index = direction * stride + site, stride = N rounded up to a multiple of 32, so that the bonds of one
///   direction fill whole words of a BondSet. `direction` leads forward from `site`:
///     hypercubic  direction k: +1 along axis k
///     triangular  0: +x, 1: +y, 2: +x+y
///     honeycomb   brick wall: 0: +x, 1: +y where x + y is even; odd sites have no bond of direction 1.
///                 Periodic extents are even.
///   An index whose bond does not exist (honeycomb, open boundary) is never active. Periodic extents are at least 3.
///
/// Bethe lattices (finite Cayley trees of coordination z) and edge lists are explicit: for site i the bonds
/// offsets[i] .. offsets[i+1] - 1 lead to lower[bond] < i. Every bond stands at its larger site, in ascending order of
/// the smaller one.
class Graph {
 public:
  static constexpr int max_dim = 4;

  static constexpr std::uint64_t max_sites = std::uint64_t{1} << 31;

  /// Extents are 3 or more along periodic axes, 2 or more along open ones. Throws std::invalid_argument (problem (why).
  /// suggestion) for extents that cannot be, or more than max_sites sites.
  [[nodiscard]] static Graph hypercubic(std::vector<int> extents, Boundary boundary = Boundary::periodic);
  [[nodiscard]] static Graph triangular(int width, int height, Boundary boundary = Boundary::periodic);
  [[nodiscard]] static Graph honeycomb(int width, int height, Boundary boundary = Boundary::periodic);
  /// Cayley tree: a centre of z neighbours and `generations` shells; every inner site has z neighbours. `standard`
  /// numbers shell by shell from the centre, `random` permutes that by a seed (Komura 2016, IV). z is 2 to 1000,
  /// generations are 1 or more.
  [[nodiscard]] static Graph bethe(int z, int generations, Numbering numbering, std::uint64_t seed = 0);
  /// Any graph; loops and repeated edges are dropped. Throws std::invalid_argument for a site >= sites, or no sites.
  [[nodiscard]] static Graph from_edges(Site sites, const std::vector<std::pair<Site, Site>>& edges);

  [[nodiscard]] GraphKind kind() const { return kind_; }
  [[nodiscard]] Boundary boundary() const { return boundary_; }
  [[nodiscard]] Site sites() const { return sites_; }
  [[nodiscard]] bool is_lattice() const { return kind_ != GraphKind::bethe && kind_ != GraphKind::edge_list; }
  /// Bonds that exist.
  [[nodiscard]] BondIndex bonds() const { return bonds_; }
  /// Bond indices, existing or not: the length of a BondSet.
  [[nodiscard]] BondIndex bond_indices() const;

  /// Of a lattice.
  [[nodiscard]] int dim() const { return dim_; }
  [[nodiscard]] const std::array<int, max_dim>& extents() const { return extents_; }  ///< 1 along axes it lacks
  [[nodiscard]] int directions() const { return directions_; }
  [[nodiscard]] BondIndex stride() const { return (BondIndex{sites_} + 31) / 32 * 32; }
  [[nodiscard]] bool exists(Site site, int direction) const;
  /// Where that bond leads, whether it exists or not: coordinates beyond an end wrap around.
  [[nodiscard]] Site forward(Site site, int direction) const;

  /// Of an explicit graph.
  [[nodiscard]] const std::vector<BondIndex>& offsets() const { return offsets_; }  ///< [site], N + 1 entries
  [[nodiscard]] const std::vector<Site>& lower() const { return lower_; }           ///< [bond]

  /// Of a Bethe lattice.
  [[nodiscard]] int coordination() const { return coordination_; }
  [[nodiscard]] int generations() const { return generations_; }
  [[nodiscard]] Site centre() const { return centre_; }

  /// Calls visit(bond index, a, b) for every bond that exists.
  template <class Visit>
  void for_each_bond(Visit&& visit) const {
    if (is_lattice()) {
      for (int k = 0; k < directions_; ++k) {
        for (Site s = 0; s < sites_; ++s) {
          if (exists(s, k)) visit(static_cast<BondIndex>(k) * stride() + s, s, forward(s, k));
        }
      }
      return;
    }
    for (Site s = 0; s < sites_; ++s) {
      for (BondIndex b = offsets_[s]; b < offsets_[s + 1]; ++b) visit(b, s, lower_[b]);
    }
  }

  /// For people: "square 1024 x 1024, periodic", "honeycomb ...", "Bethe z = 3, 20 generations", "8 sites, 12 bonds".
  [[nodiscard]] std::string description() const;

 private:
  /// A lattice of `width` x `height` sites without its number of bonds.
  static Graph planar(GraphKind kind, const std::string& name, int directions, int width, int height,
                      Boundary boundary);

  GraphKind kind_ = GraphKind::edge_list;
  Boundary boundary_ = Boundary::periodic;
  Site sites_ = 0;
  BondIndex bonds_ = 0;
  int dim_ = 0, directions_ = 0;
  std::array<int, max_dim> extents_{1, 1, 1, 1};
  int coordination_ = 0, generations_ = 0;  ///< of a Bethe lattice
  Site centre_ = 0;
  Numbering numbering_ = Numbering::standard;
  std::vector<BondIndex> offsets_;
  std::vector<Site> lower_;
};

/// Which bonds of a graph are active: bit b % 32 of word b / 32.
class BondSet {
 public:
  BondSet() = default;
  explicit BondSet(BondIndex indices) : words_((indices + 31) / 32, 0U) {}
  explicit BondSet(const Graph& graph) : BondSet(graph.bond_indices()) {}

  [[nodiscard]] bool active(BondIndex b) const { return ((words_[b / 32] >> (b % 32)) & 1U) != 0U; }
  void activate(BondIndex b) { words_[b / 32] |= 1U << (b % 32); }
  void clear() { words_.assign(words_.size(), 0U); }
  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }
  [[nodiscard]] std::vector<std::uint32_t>& words() { return words_; }

 private:
  std::vector<std::uint32_t> words_;
};

}}  // namespace glassworks::clusters
