#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/graphs/regular_pairing.hpp"

namespace glassworks { namespace {

using Point = RegularPairing::Point;

/// A pairing as its definition has it.
class PlainPairing {
 public:
  PlainPairing(std::vector<Point> partners, int z) : partner_(std::move(partners)), z_(static_cast<Point>(z)) {
    count();
  }

  [[nodiscard]] Point points() const { return static_cast<Point>(partner_.size()); }
  [[nodiscard]] Point site(Point p) const { return p / z_; }
  [[nodiscard]] Point partner(Point p) const { return partner_[p]; }
  [[nodiscard]] Point other(Point p) const { return site(partner_[p]); }
  [[nodiscard]] bool single(Point p) const { return site(p) != other(p) && between(site(p), other(p)) == 1; }
  [[nodiscard]] int between(Point a, Point b) const {
    const auto found = bonds_.find(std::minmax(a, b));
    return found == bonds_.end() ? 0 : found->second;
  }
  /// Loops and double bonds, or {-1, -1} where a site has two loops or two sites three bonds.
  [[nodiscard]] std::pair<int, int> kind() const {
    std::pair<int, int> result;
    for (const auto& [pair, n] : bonds_) {
      if (n > (pair.first == pair.second ? 1 : 2)) return {-1, -1};
      (pair.first == pair.second ? result.first : result.second) += pair.first == pair.second || n == 2 ? 1 : 0;
    }
    return result;
  }
  [[nodiscard]] PlainPairing with(const std::vector<std::pair<Point, Point>>& joined) const {
    std::vector<Point> partners = partner_;
    for (const auto& [a, b] : joined) {
      partners[a] = b;
      partners[b] = a;
    }
    return {partners, static_cast<int>(z_)};
  }
  /// Ordered pairs of ends of single bonds at a site without a loop.
  [[nodiscard]] std::vector<std::pair<Point, Point>> paths() const {
    std::vector<std::pair<Point, Point>> list;
    for (Point p = 0; p < points(); ++p) {
      for (Point q = site(p) * z_; q < (site(p) + 1) * z_; ++q) {
        if (p != q && single(p) && single(q) && between(site(p), site(p)) == 0) list.emplace_back(p, q);
      }
    }
    return list;
  }

 private:
  void count() {
    for (Point p = 0; p < points(); ++p) {
      if (p < partner_[p]) ++bonds_[std::minmax(site(p), other(p))];
    }
  }

  std::vector<Point> partner_;
  Point z_;
  std::map<std::pair<Point, Point>, int> bonds_;
};

bool all_differ(std::initializer_list<Point> sites) { return std::set<Point>(sites).size() == sites.size(); }

/// Undone switchings, all of them, give the number of ways in which a pairing can come about; the bounds hold.
TEST(RegularPairings, CountTheWaysBackThroughLoops) {
  int seen = 0;
  for (std::uint32_t r = 0; r < 60; ++r) {
    const int sites = 12, z = r % 2 == 0 ? 3 : 4;
    BondWords words({49, 1}, r);
    RegularPairing pairing(sites, z, words);
    if (!pairing.pair()) continue;
    const PlainPairing plain(pairing.partners(), z);
    const auto [l, m] = plain.kind();
    ASSERT_EQ(std::pair(l, m), std::pair(static_cast<int>(pairing.loops()), static_cast<int>(pairing.doubles())));
    const auto paths = plain.paths();
    ASSERT_EQ(pairing.paths(), static_cast<std::int64_t>(paths.size()));
    ASSERT_GE(pairing.paths(), pairing.least_paths());
    for (std::size_t i = 0; i < paths.size(); i += 5) {
      const auto [p2, p3] = paths[i];
      const Point p1 = plain.partner(p2), p4 = plain.partner(p3);
      std::int64_t ways = 0;
      for (Point p5 = 0; p5 < plain.points(); ++p5) {
        const Point p6 = plain.partner(p5);
        if (!plain.single(p5) ||
            !all_differ({plain.site(p1), plain.site(p2), plain.site(p4), plain.site(p5), plain.site(p6)}))
          continue;
        const PlainPairing before = plain.with({{p2, p3}, {p1, p5}, {p4, p6}});
        ways += before.kind() == std::pair(l + 1, m) && before.single(p1) && before.single(p4) ? 1 : 0;
      }
      ASSERT_EQ(pairing.loop_completions(p2, p3), ways);
      ASSERT_GE(ways, pairing.least_loop_completions());
      ++seen;
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(RegularPairings, CountTheWaysBackThroughDoubleBonds) {
  int seen = 0;
  for (std::uint32_t r = 0; r < 200 && seen < 60; ++r) {
    const int sites = 12, z = r % 2 == 0 ? 3 : 4;
    BondWords words({49, 2}, r);
    RegularPairing pairing(sites, z, words);
    if (!pairing.pair() || pairing.loops() > 0) continue;
    const PlainPairing plain(pairing.partners(), z);
    const int m = plain.kind().second;
    const auto paths = plain.paths();
    for (std::size_t i = r % 29; i < paths.size(); i += 29) {
      const auto [u1, u2] = paths[i];
      const Point p1 = plain.partner(u1), p2 = plain.partner(u2);
      std::int64_t ways = 0;
      for (const auto& [v1, v2] : paths) {
        const Point q1 = plain.partner(v1), q2 = plain.partner(v2);
        if (!all_differ(
                {plain.site(u1), plain.site(v1), plain.site(p1), plain.site(p2), plain.site(q1), plain.site(q2)}))
          continue;
        const PlainPairing before = plain.with({{u1, v1}, {u2, v2}, {p1, q1}, {p2, q2}});
        ways += before.kind() == std::pair(0, m + 1) && before.single(p1) && before.single(p2) ? 1 : 0;
      }
      ASSERT_EQ(pairing.double_completions(u1, u2, pairing.paths()), ways);
      ASSERT_GE(ways, pairing.least_double_completions());
      ++seen;
    }
  }
  EXPECT_GE(seen, 60);
}

}}  // namespace glassworks
