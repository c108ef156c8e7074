#include "engine/graphs/regular_graph.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace glassworks { inline namespace engine {
namespace {

using Point = std::uint32_t;  ///< end k of a bond at site v: v z + k
using Vertex = std::uint32_t;

/// A pairing of the z N ends of bonds. Its class (l, m): l loops, at most one at a site, and m double bonds, none of
/// higher order. A pairing is uniform in its class; each switching takes it to a uniform one of the next class.
class RegularPairing {
 public:
  RegularPairing(std::int64_t sites, int z, GraphWords& words)
      : sites_(sites), z_(z), words_(words), partner_(static_cast<std::size_t>(sites * z)), order_(partner_.size()) {}

  /// One trial from the beginning; true: the graph is simple.
  bool draw() {
    pair_at_random();
    if (!classify()) return false;
    was_simple_ = loops_.empty() && doubles_.empty();
    while (!loops_.empty()) {
      if (!remove_loop()) return false;
    }
    while (!doubles_.empty()) {
      if (!remove_double()) return false;
    }
    return true;
  }
  [[nodiscard]] bool was_simple() const { return was_simple_; }

  [[nodiscard]] std::vector<GraphBond> bonds() const {
    std::vector<GraphBond> list;
    list.reserve(partner_.size() / 2);
    for (Point p = 0; p < partner_.size(); ++p) {
      if (p < partner_[p]) {
        list.push_back({static_cast<std::int32_t>(site(p)), static_cast<std::int32_t>(site(partner_[p]))});
      }
    }
    return list;
  }

 private:
  using Sites = std::vector<Vertex>;

  [[nodiscard]] Vertex site(Point p) const { return p / static_cast<Point>(z_); }
  [[nodiscard]] Vertex other(Point p) const { return site(partner_[p]); }
  [[nodiscard]] Point first(Vertex v) const { return v * static_cast<Point>(z_); }
  [[nodiscard]] Point end(Vertex v) const { return first(v) + static_cast<Point>(z_); }
  [[nodiscard]] int bonds_between(Vertex a, Vertex b) const {
    int count = 0;
    for (Point p = first(a); p < end(a); ++p) count += other(p) == b ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool adjacent(Vertex a, Vertex b) const { return bonds_between(a, b) != 0; }
  /// Its bond is neither a loop nor one of two.
  [[nodiscard]] bool single(Point p) const { return site(p) != other(p) && bonds_between(site(p), other(p)) == 1; }
  [[nodiscard]] std::int64_t singles(Vertex v) const {
    std::int64_t count = 0;
    for (Point p = first(v); p < end(v); ++p) count += single(p) ? 1 : 0;
    return count;
  }
  static bool contains(const Sites& sites, Vertex v) { return std::ranges::find(sites, v) != sites.end(); }
  /// Those given and the neighbours of v, each once.
  [[nodiscard]] Sites with_neighbours(Vertex v, std::initializer_list<Vertex> given) const {
    Sites list(given);
    for (Point p = first(v); p < end(v); ++p) list.push_back(other(p));
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }
  static bool distinct(std::initializer_list<Vertex> given) {
    for (const Vertex* a = given.begin(); a != given.end(); ++a) {
      if (std::find(a + 1, given.end(), *a) != given.end()) return false;
    }
    return true;
  }

  void join(Point a, Point b) {
    partner_[a] = b;
    partner_[b] = a;
  }

  void pair_at_random() {
    std::iota(order_.begin(), order_.end(), 0U);
    for (auto left = static_cast<std::uint32_t>(order_.size()); left > 1; --left) {
      std::swap(order_[left - 1], order_[words_.below(left)]);
    }
    for (std::size_t i = 0; i < order_.size(); i += 2) join(order_[i], order_[i + 1]);
  }

  /// Finds loops and double bonds; false where two loops are at a site, or three bonds between two.
  bool classify() {
    loops_.clear();
    doubles_.clear();
    for (Vertex v = 0; v < static_cast<Vertex>(sites_); ++v) {
      int loop_ends = 0;
      for (Point p = first(v); p < end(v); ++p) {
        const Vertex to = other(p);
        if (to == v) {
          if (++loop_ends > 2) return false;
          if (p < partner_[p]) loops_.push_back(p);
          continue;
        }
        int before = 0;
        for (Point q = first(v); q < p; ++q) before += other(q) == to ? 1 : 0;
        if (before > 1) return false;
        if (before == 1 && v < to) doubles_.push_back({v, to});
      }
    }
    return true;
  }

  /// Ordered pairs of single bonds at a site that has no loop, summed over all sites.
  [[nodiscard]] std::int64_t paths() const {
    Sites special;
    for (const Point p : loops_) special.push_back(site(p));
    for (const auto& [a, b] : doubles_) special.insert(special.end(), {a, b});
    std::ranges::sort(special);
    special.erase(std::unique(special.begin(), special.end()), special.end());
    std::int64_t count = (sites_ - static_cast<std::int64_t>(special.size())) * z_ * (z_ - 1);
    for (const Vertex v : special) {
      if (adjacent(v, v)) continue;
      const std::int64_t at = singles(v);
      count += at * (at - 1);
    }
    return count;
  }
  /// Least number of them in the class.
  [[nodiscard]] std::int64_t least_paths() const {
    const auto l = static_cast<std::int64_t>(loops_.size()), m = static_cast<std::int64_t>(doubles_.size());
    return (sites_ - l) * z_ * (z_ - 1) - 8 * m * (z_ - 1);
  }

  /// Loop p2 - p3 and single bonds p1 - p5, p4 - p6 -> p1 - p2, p3 - p4, p5 - p6, at five sites.
  bool remove_loop() {
    const auto chosen = words_.below(static_cast<std::uint32_t>(loops_.size()));
    Point p2 = loops_[chosen], p3 = partner_[p2];
    if (words_.below(2) == 1) std::swap(p2, p3);
    const auto points = static_cast<std::uint32_t>(partner_.size());
    const Point p1 = words_.below(points), p4 = words_.below(points), p5 = partner_[p1], p6 = partner_[p4];
    const Vertex v1 = site(p1), v2 = site(p2), v4 = site(p4), v5 = site(p5), v6 = site(p6);
    if (!distinct({v1, v2, v4, v5, v6}) || !single(p1) || !single(p4)) return false;
    if (adjacent(v2, v1) || adjacent(v2, v4) || adjacent(v5, v6)) return false;
    join(p1, p2);
    join(p3, p4);
    join(p5, p6);
    loops_[chosen] = loops_.back();
    loops_.pop_back();

    // Which bonds p5 - p6 could be those of a switching that has made v1 - v2 - v4: all but those with v5 or v6 here.
    const Sites not5 = with_neighbours(v1, {v1, v2, v4}), not6 = with_neighbours(v4, {v1, v2, v4});
    std::int64_t excluded = 0;
    for (const Vertex v : not5) excluded += singles(v);
    for (const Vertex v : not6) {
      for (Point p = first(v); p < end(v); ++p) excluded += single(p) && !contains(not5, other(p)) ? 1 : 0;
    }
    const std::int64_t all = static_cast<std::int64_t>(partner_.size()) - 2 * static_cast<std::int64_t>(loops_.size()) -
                             4 * static_cast<std::int64_t>(doubles_.size());
    return accepted(all - 2 * (z_ + 2) * std::int64_t{z_}, all - excluded) && accepted(least_paths(), paths());
  }

  /// Double bond of u and v and single bonds x1 - y1, x2 - y2 -> u - x1, v - y1, u - x2, v - y2, at six sites.
  bool remove_double() {
    const auto chosen = words_.below(static_cast<std::uint32_t>(doubles_.size()));
    auto [u, v] = doubles_[chosen];
    if (words_.below(2) == 1) std::swap(u, v);
    std::array<Point, 2> at_u{};
    int found = 0;
    for (Point p = first(u); p < end(u); ++p) {
      if (other(p) == v) at_u[static_cast<std::size_t>(found++)] = p;
    }
    if (words_.below(2) == 1) std::swap(at_u[0], at_u[1]);
    const std::array<Point, 2> at_v = {partner_[at_u[0]], partner_[at_u[1]]};
    const auto points = static_cast<std::uint32_t>(partner_.size());
    const Point p1 = words_.below(points), p2 = words_.below(points), q1 = partner_[p1], q2 = partner_[p2];
    const Vertex x1 = site(p1), y1 = site(q1), x2 = site(p2), y2 = site(q2);
    if (!distinct({u, v, x1, y1, x2, y2}) || !single(p1) || !single(p2)) return false;
    if (adjacent(u, x1) || adjacent(u, x2) || adjacent(v, y1) || adjacent(v, y2)) return false;
    join(at_u[0], p1);
    join(at_u[1], p2);
    join(at_v[0], q1);
    join(at_v[1], q2);
    doubles_[chosen] = doubles_.back();
    doubles_.pop_back();

    const std::int64_t all = paths(), least = least_paths();
    const std::int64_t most_excluded = (3 * z_ + 5) * std::int64_t{z_} * (z_ - 1);
    return accepted(least - most_excluded, all - excluded_paths(u, x1, x2)) && accepted(least, all);
  }

  /// Paths y1 - v - y2 that no switching can have made together with x1 - u - x2: v is u, x1, x2 or a neighbour of u,
  /// or y1 one of these or a neighbour of x1, or y2 one of these or a neighbour of x2.
  [[nodiscard]] std::int64_t excluded_paths(Vertex u, Vertex x1, Vertex x2) const {
    const Sites middle = with_neighbours(u, {u, x1, x2}), not1 = with_neighbours(x1, {u, x1, x2}),
                not2 = with_neighbours(x2, {u, x1, x2});
    std::int64_t excluded = 0;
    for (const Vertex v : middle) {
      const std::int64_t at = singles(v);
      excluded += at * (at - 1);
    }
    for (const Vertex y : not1) {
      for (Point p = first(y); p < end(y); ++p) {
        if (single(p) && !contains(middle, other(p))) excluded += singles(other(p)) - 1;
      }
    }
    for (const Vertex y : not2) {
      for (Point p = first(y); p < end(y); ++p) {
        if (!single(p) || contains(middle, other(p))) continue;
        const Vertex v = other(p);
        for (Point q = first(v); q < end(v); ++q) {
          excluded += q != partner_[p] && single(q) && !contains(not1, other(q)) ? 1 : 0;
        }
      }
    }
    return excluded;
  }

  bool accepted(std::int64_t least, std::int64_t count) { return least > 0 && words_.happens(least, count); }

  std::int64_t sites_;
  int z_;
  GraphWords& words_;
  std::vector<Point> partner_, order_;
  std::vector<Point> loops_;                        ///< the lower end of each
  std::vector<std::pair<Vertex, Vertex>> doubles_;  ///< their sites, in ascending order
  bool was_simple_ = false;
};

/// Which sites are neighbours: a table where it is small, else lists.
class RegularNeighbours {
 public:
  RegularNeighbours(std::int64_t sites, int z)
      : sites_(static_cast<std::size_t>(sites)), z_(static_cast<std::size_t>(z)) {
    if (sites_ <= (std::size_t{1} << 14)) {
      table_.assign(sites_ * sites_, false);
    } else {
      lists_.assign(sites_ * z_, none);
    }
  }
  [[nodiscard]] bool has(std::int32_t a, std::int32_t b) const {
    if (!table_.empty()) return table_[static_cast<std::size_t>(a) * sites_ + static_cast<std::size_t>(b)];
    const auto begin = lists_.begin() + row(a);
    return std::find(begin, begin + static_cast<std::ptrdiff_t>(z_), b) != begin + static_cast<std::ptrdiff_t>(z_);
  }
  void add(std::int32_t a, std::int32_t b) {
    change(a, none, b);
    change(b, none, a);
  }
  void remove(std::int32_t a, std::int32_t b) {
    change(a, b, none);
    change(b, a, none);
  }

 private:
  static constexpr std::int32_t none = -1;

  [[nodiscard]] std::ptrdiff_t row(std::int32_t a) const {
    return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(a) * z_);
  }
  void change(std::int32_t a, std::int32_t from, std::int32_t to) {
    if (!table_.empty()) {
      table_[static_cast<std::size_t>(a) * sites_ + static_cast<std::size_t>(from == none ? to : from)] = from == none;
      return;
    }
    const auto begin = lists_.begin() + row(a);
    *std::find(begin, begin + static_cast<std::ptrdiff_t>(z_), from) = to;
  }

  std::size_t sites_, z_;
  std::vector<bool> table_;          ///< [site][site]
  std::vector<std::int32_t> lists_;  ///< [site][k]
};

/// Whether it may pay to pair ends: the probability that a pairing is simple is about exp(-(z^2 - 1)/4), that a
/// switching fails about 8 (z + 2)/N.
bool pairings_can_succeed(std::int64_t sites, int z) {
  const double defects = (static_cast<double>(z) * z - 1) / 4;
  return defects < 12 || defects * 8 * (z + 2) < 12 * static_cast<double>(sites);
}

}  // namespace

std::vector<GraphBond> chain_regular_bonds(std::int64_t sites, int z, GraphWords& words) {
  std::vector<GraphBond> bonds;
  bonds.reserve(static_cast<std::size_t>(sites * z / 2));
  RegularNeighbours neighbours(sites, z);
  const auto add = [&](std::int64_t a, std::int64_t b) {
    bonds.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b % sites)});
    neighbours.add(bonds.back().a, bonds.back().b);
  };
  for (std::int64_t site = 0; site < sites; ++site) {
    for (int step = 1; step <= z / 2; ++step) add(site, site + step);
    if (z % 2 == 1 && site < sites / 2) add(site, site + sites / 2);
  }
  constexpr int proposals_per_bond = 64;
  const auto count = static_cast<std::uint32_t>(bonds.size());
  for (std::uint64_t left = std::uint64_t{count} * proposals_per_bond; left > 0; --left) {
    GraphBond& first = bonds[words.below(count)];
    GraphBond& second = bonds[words.below(count)];
    auto [c, d] = second;
    if (words.below(2) == 1) std::swap(c, d);
    const auto [a, b] = first;
    if (a == d || c == b || &first == &second || neighbours.has(a, d) || neighbours.has(c, b)) continue;
    neighbours.remove(a, b);
    neighbours.remove(c, d);
    neighbours.add(a, d);
    neighbours.add(c, b);
    first = {a, d};
    second = {c, b};
  }
  return bonds;
}

std::vector<GraphBond> random_regular_bonds(std::int64_t sites, int z, GraphWords& words, RegularDraw* how) {
  const auto used = [&](RegularDraw draw) {
    if (how != nullptr) *how = draw;
  };
  if (pairings_can_succeed(sites, z)) {
    RegularPairing pairing(sites, z, words);
    constexpr std::int64_t most_words = std::int64_t{1} << 24;
    for (std::int64_t trials = 16 + most_words / (sites * z); trials > 0; --trials) {
      if (!pairing.draw()) continue;
      used(pairing.was_simple() ? RegularDraw::pairing : RegularDraw::switchings);
      return pairing.bonds();
    }
  }
  used(RegularDraw::chain);
  return chain_regular_bonds(sites, z, words);
}

}}  // namespace glassworks::engine
