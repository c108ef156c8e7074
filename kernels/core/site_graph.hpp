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

/// Lists of sites one after the other: the terms of a graph that couple more than two sites.
class TermList {
 public:
  void add(std::span<const std::int32_t> sites) {
    sites_.insert(sites_.end(), sites.begin(), sites.end());
    begin_.push_back(static_cast<std::int64_t>(sites_.size()));
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begin_.size()) - 1; }
  [[nodiscard]] std::span<const std::int32_t> operator[](std::int64_t term) const {
    const auto t = static_cast<std::size_t>(term);
    return {sites_.data() + begin_[t], sites_.data() + begin_[t + 1]};
  }
  /// Sites of all terms together.
  [[nodiscard]] std::int64_t ends() const { return begin_.back(); }

  bool operator==(const TermList&) const = default;

 private:
  std::vector<std::int64_t> begin_ = {0};  ///< [term], one more entry than terms
  std::vector<std::int32_t> sites_;
};

/// Where sites stand along one direction of a graph that has positions: plane x of `planes`, the phase of the smallest
/// wave vector is 2 pi x / planes.
struct GraphAxis {
  std::int32_t planes = 1;
  std::vector<std::int32_t> plane;  ///< [site]

  bool operator==(const GraphAxis&) const = default;
};

/// Sites 0 .. N-1 and undirected bonds between them, no bond twice and none from a site to itself; and terms that
/// couple three sites or more, none of them twice. Immutable.
///
/// The numbers of the bonds are their places in ascending order of (a, b). Terms are numbered after the bonds, in
/// ascending order of their sites, which ascend. Sites of one colour have no bonds or terms among them. The colours are
/// part of the definition of a chain: a site gets the smallest colour that no site with a smaller number has that is a
/// neighbour or shares a term, or the colour that its maker says.
class SiteGraph {
 public:
  /// A neighbour of a site and the bond that leads to it.
  struct Neighbour {
    std::int32_t site = 0, bond = 0;

    bool operator==(const Neighbour&) const = default;
  };
  static constexpr std::int64_t max_sites = std::int64_t{1} << 31, max_bonds = std::int64_t{1} << 30;
  static constexpr int max_term_sites = 16;

  SiteGraph() = default;
  /// bonds    in any order
  /// axes     of positions; empty: none
  /// colours  [site]; empty: by number as above
  /// terms    of 3 to max_term_sites sites, in any order
  /// Throws std::invalid_argument (problem (why). suggestion) for a site that is not there, a bond that leads from a
  /// site to itself or stands twice, a term that has a site twice or stands twice, no sites, too many of them, or
  /// neighbours of one colour.
  SiteGraph(std::int64_t sites, std::vector<GraphBond> bonds, std::vector<GraphAxis> axes = {},
            std::vector<std::int32_t> colours = {}, const TermList& terms = {});

  [[nodiscard]] std::int64_t sites() const { return static_cast<std::int64_t>(begin_.size()) - 1; }
  [[nodiscard]] std::span<const GraphBond> bonds() const { return bonds_; }
  /// In ascending order of their sites.
  [[nodiscard]] std::span<const Neighbour> neighbours(std::int64_t site) const {
    const auto i = static_cast<std::size_t>(site);
    return {neighbours_.data() + begin_[i], neighbours_.data() + begin_[i + 1]};
  }
  [[nodiscard]] const TermList& terms() const { return terms_; }
  /// Terms of a site, ascending.
  [[nodiscard]] std::span<const std::int32_t> terms_of(std::int64_t site) const {
    if (terms_.size() == 0) return {};
    const auto i = static_cast<std::size_t>(site);
    return {of_site_.data() + first_term_[i], of_site_.data() + first_term_[i + 1]};
  }
  /// The number of a term behind those of the bonds: the place of its coupling.
  [[nodiscard]] std::int64_t place_of_term(std::int64_t term) const {
    return static_cast<std::int64_t>(bonds_.size()) + term;
  }
  /// Bonds and terms together, and the ends of the terms beyond two each, as Lattice has them.
  [[nodiscard]] std::int64_t couplings() const { return place_of_term(terms_.size()); }
  [[nodiscard]] std::int64_t more_ends() const { return terms_.ends() - 2 * terms_.size(); }
  [[nodiscard]] int degree(std::int64_t site) const { return static_cast<int>(neighbours(site).size()); }
  [[nodiscard]] int largest_degree() const;
  [[nodiscard]] int colours() const { return colours_; }
  [[nodiscard]] int colour(std::int64_t site) const { return colour_[static_cast<std::size_t>(site)]; }
  [[nodiscard]] const std::vector<GraphAxis>& axes() const { return axes_; }

  bool operator==(const SiteGraph& other) const = default;

 private:
  void number_neighbours();
  void number_terms(const TermList& terms);
  void colour_by_number();
  void check_colours() const;

  std::vector<GraphBond> bonds_;
  std::vector<std::int64_t> begin_ = {0};  ///< of the neighbours of a site [site], N + 1 entries
  std::vector<Neighbour> neighbours_;
  TermList terms_;
  std::vector<std::int64_t> first_term_;  ///< of a site [site], N + 1 entries; empty without terms
  std::vector<std::int32_t> of_site_;     ///< numbers of terms
  std::vector<std::int32_t> colour_;      ///< [site]
  std::int32_t colours_ = 0;
  std::vector<GraphAxis> axes_;
};

}}  // namespace glassworks::core
