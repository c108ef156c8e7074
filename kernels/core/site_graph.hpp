#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glassworks { inline namespace core {

/// A bond of a graph, a < b.
struct GraphBond {
  std::int32_t a = 0, b = 0;

  auto operator<=>(const GraphBond&) const = default;
};

/// Where sites stand along one direction of a graph that has positions: plane x of `planes`, the phase of the smallest
/// wave vector is 2 pi x / planes.
struct GraphAxis {
  std::int32_t planes = 1;
  std::vector<std::int32_t> plane;  ///< [site]

  bool operator==(const GraphAxis&) const = default;
};

/// Sites 0 .. N-1 and undirected bonds between them, no bond twice and none from a site to itself. Immutable.
///
/// The numbers of the bonds are their places in ascending order of (a, b). Sites of one colour have no bonds among
/// them. The colours are part of the definition of a chain: a site gets the smallest colour that no neighbour with a
/// smaller number has, or the colour that its maker says.
class SiteGraph {
 public:
  /// A neighbour of a site and the bond that leads to it.
  struct Neighbour {
    std::int32_t site = 0, bond = 0;

    bool operator==(const Neighbour&) const = default;
  };
  static constexpr std::int64_t max_sites = std::int64_t{1} << 31, max_bonds = std::int64_t{1} << 30;

  SiteGraph() = default;
  /// bonds    in any order
  /// axes     of positions; empty: none
  /// colours  [site]; empty: by number as above
  /// Throws std::invalid_argument (problem (why). suggestion) for a site that is not there, a bond that leads from a
  /// site to itself or stands twice, no sites, too many of them, or neighbours of one colour.
  SiteGraph(std::int64_t sites, std::vector<GraphBond> bonds, std::vector<GraphAxis> axes = {},
            std::vector<std::int32_t> colours = {});

  [[nodiscard]] std::int64_t sites() const { return static_cast<std::int64_t>(begin_.size()) - 1; }
  [[nodiscard]] std::span<const GraphBond> bonds() const { return bonds_; }
  /// In ascending order of their sites.
  [[nodiscard]] std::span<const Neighbour> neighbours(std::int64_t site) const {
    const auto i = static_cast<std::size_t>(site);
    return {neighbours_.data() + begin_[i], neighbours_.data() + begin_[i + 1]};
  }
  [[nodiscard]] int degree(std::int64_t site) const { return static_cast<int>(neighbours(site).size()); }
  [[nodiscard]] int largest_degree() const;
  [[nodiscard]] int colours() const { return colours_; }
  [[nodiscard]] int colour(std::int64_t site) const { return colour_[static_cast<std::size_t>(site)]; }
  [[nodiscard]] const std::vector<GraphAxis>& axes() const { return axes_; }

  bool operator==(const SiteGraph& other) const = default;

 private:
  void number_neighbours();
  void colour_by_number();
  void check_colours() const;

  std::vector<GraphBond> bonds_;
  std::vector<std::int64_t> begin_ = {0};  ///< of the neighbours of a site [site], N + 1 entries
  std::vector<Neighbour> neighbours_;
  std::vector<std::int32_t> colour_;  ///< [site]
  std::int32_t colours_ = 0;
  std::vector<GraphAxis> axes_;
};

}}  // namespace glassworks::core
