#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace core {

/// The neighbours, colours and random addresses of all sites of a lattice or a graph, for loops that visit one site
/// after the other.
class LatticeTable {
 public:
  /// A neighbour, and the place of the coupling with it among those of a realization (Disorder::couplings).
  struct Link {
    std::int32_t site = 0, place = 0;
    bool owned = false;  ///< of a graph by the site with the smaller number
  };

  /// graph: of LatticeKind::graph, which it outlives
  explicit LatticeTable(const Lattice& lattice, const SiteGraph* graph = nullptr)
      : of_colour_(static_cast<std::size_t>(graph ? graph->colours() : lattice.colours())) {
    const std::int64_t sites = lattice.sites();
    begin_.reserve(static_cast<std::size_t>(sites) + 1);
    links_.reserve(static_cast<std::size_t>(2 * lattice.bond_places()));
    address_.reserve(static_cast<std::size_t>(sites));
    colour_.reserve(static_cast<std::size_t>(sites));
    for (std::int64_t i = 0; i < sites; ++i) {
      begin_.push_back(links_.size());
      if (graph) {
        for (const SiteGraph::Neighbour& n : graph->neighbours(i)) links_.push_back({n.site, n.bond, n.site > i});
        address_.push_back({static_cast<std::uint32_t>(i), 0});
        colour_.push_back(graph->colour(i));
      } else {
        add_site(lattice, i);
      }
      of_colour_[static_cast<std::size_t>(colour_.back())].push_back(static_cast<std::int32_t>(i));
    }
    begin_.push_back(links_.size());
  }

  /// All neighbours. Of a lattice forward and backward of each bond in turn, past open ends too (J = 0 there).
  [[nodiscard]] std::span<const Link> links(std::int64_t site) const {
    const auto i = static_cast<std::size_t>(site);
    return {links_.data() + begin_[i], links_.data() + begin_[i + 1]};
  }
  /// Along +v_b and -v_b of a lattice.
  [[nodiscard]] std::int64_t forward(std::int64_t site, int bond) const { return link(site, 2 * bond).site; }
  [[nodiscard]] std::int64_t backward(std::int64_t site, int bond) const { return link(site, 2 * bond + 1).site; }
  [[nodiscard]] const HeatBathAddress& address(std::int64_t site) const {
    return address_[static_cast<std::size_t>(site)];
  }
  [[nodiscard]] int colours() const { return static_cast<int>(of_colour_.size()); }
  [[nodiscard]] int colour(std::int64_t site) const { return colour_[static_cast<std::size_t>(site)]; }
  [[nodiscard]] const std::vector<std::int32_t>& sites_of(int colour) const {
    return of_colour_[static_cast<std::size_t>(colour)];
  }

 private:
  void add_site(const Lattice& lattice, std::int64_t i) {
    const Lattice::Coordinates c = lattice.coordinates(i);
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const std::int64_t backward = lattice.neighbour(c, bond, -1);
      links_.push_back({static_cast<std::int32_t>(lattice.neighbour(c, bond, +1)), place(lattice, i, bond), true});
      links_.push_back({static_cast<std::int32_t>(backward), place(lattice, backward, bond), false});
    }
    address_.push_back(local_address(lattice, c));
    colour_.push_back(lattice.colour(c));
  }
  [[nodiscard]] static std::int32_t place(const Lattice& lattice, std::int64_t site, int bond) {
    return static_cast<std::int32_t>(site * lattice.owned() + bond);
  }
  [[nodiscard]] const Link& link(std::int64_t site, int number) const {
    return links_[begin_[static_cast<std::size_t>(site)] + static_cast<std::size_t>(number)];
  }

  std::vector<std::size_t> begin_;  ///< [site], N + 1 entries
  std::vector<Link> links_;
  std::vector<HeatBathAddress> address_;              ///< [site]
  std::vector<std::int32_t> colour_;                  ///< [site]
  std::vector<std::vector<std::int32_t>> of_colour_;  ///< sites, ascending [colour]
};

}}  // namespace glassworks::core
