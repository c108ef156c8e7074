#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/graphs/bond_words.hpp"
#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// A pairing of the z N ends of bonds at random, whose loops and double bonds are then switched away. Point p is end
/// p mod z of a bond at site p / z. Class (l, m): l loops, at most one at a site, and m double bonds, none of higher
/// order. A pairing is uniform in its class.
///
/// A switching is drawn as (loop or double bond, single bonds, their orientations), with the same number of choices for
/// all of a class, and begins anew where it is not valid. It leads to each pairing P of the next class as often as
/// there are ways back: a path at a site, and its completion. Completions are made equally probable by accepting with
/// least_completions / completions(path), then paths with least_paths / paths, so that P is uniform in its class.
class RegularPairing {
 public:
  using Point = std::uint32_t;
  using Vertex = std::uint32_t;

  RegularPairing(std::int64_t sites, int z, BondWords& words);

  /// One trial from the beginning; true: the graph is simple.
  bool draw();
  /// Of the last trial: the pairing was simple without a switching.
  [[nodiscard]] bool was_simple() const { return was_simple_; }
  [[nodiscard]] std::vector<GraphBond> bonds() const;

  /// The steps of a trial. Pairs all ends; false: the pairing has no class.
  bool pair();
  [[nodiscard]] const std::vector<Point>& partners() const { return partner_; }  ///< [point]
  [[nodiscard]] std::int64_t loops() const { return static_cast<std::int64_t>(loops_.size()); }
  [[nodiscard]] std::int64_t doubles() const { return static_cast<std::int64_t>(doubles_.size()); }

  /// Ordered pairs (p, q) of ends of single bonds at a site that has no loop, summed over all sites; the least number
  /// in the class.
  [[nodiscard]] std::int64_t paths() const;
  [[nodiscard]] std::int64_t least_paths() const;
  /// Ends p5 of single bonds p5 - p6 such that p1 - p2, p3 - p4 and this one can come from the loop p2 - p3 and single
  /// bonds p1 - p5, p4 - p6 (remove_loop).
  [[nodiscard]] std::int64_t loop_completions(Point p2, Point p3) const;
  [[nodiscard]] std::int64_t least_loop_completions() const;
  /// Paths (q1, q2) at a site v such that they and the path (p1, p2) at u can come from a double bond of u and v and
  /// two single bonds (remove_double). all: paths()
  [[nodiscard]] std::int64_t double_completions(Point p1, Point p2, std::int64_t all) const;
  [[nodiscard]] std::int64_t least_double_completions() const;

 private:
  using Sites = std::vector<Vertex>;

  [[nodiscard]] Vertex site(Point p) const { return p / static_cast<Point>(z_); }
  [[nodiscard]] Vertex other(Point p) const { return site(partner_[p]); }
  [[nodiscard]] Point first(Vertex v) const { return v * static_cast<Point>(z_); }
  [[nodiscard]] Point end(Vertex v) const { return first(v) + static_cast<Point>(z_); }
  [[nodiscard]] int bonds_between(Vertex a, Vertex b) const;
  [[nodiscard]] bool adjacent(Vertex a, Vertex b) const { return bonds_between(a, b) != 0; }
  /// Its bond is neither a loop nor one of two.
  [[nodiscard]] bool single(Point p) const { return site(p) != other(p) && bonds_between(site(p), other(p)) == 1; }
  [[nodiscard]] std::int64_t singles(Vertex v) const;
  /// Those given and the neighbours of v, each once.
  [[nodiscard]] Sites with_neighbours(Vertex v, std::initializer_list<Vertex> given) const;

  void join(Point a, Point b) {
    partner_[a] = b;
    partner_[b] = a;
  }
  /// Finds loops and double bonds; false where two loops are at a site, or three bonds between two.
  bool classify();
  /// Loop p2 - p3 and single bonds p1 - p5, p4 - p6 -> p1 - p2, p3 - p4, p5 - p6, at five sites.
  bool remove_loop();
  /// Double bond of u and v and single bonds x1 - y1, x2 - y2 -> u - x1, v - y1, u - x2, v - y2, at six sites.
  bool remove_double();
  bool accepted(std::int64_t least, std::int64_t count) { return least > 0 && words_.happens(least, count); }

  std::int64_t sites_;
  int z_;
  BondWords& words_;
  std::vector<Point> partner_, order_;
  std::vector<Point> loops_;                        ///< the lower end of each
  std::vector<std::pair<Vertex, Vertex>> doubles_;  ///< their sites, in ascending order
  bool was_simple_ = false;
};

}}  // namespace glassworks::engine
