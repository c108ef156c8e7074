#include "engine/graphs/regular_pairing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace glassworks { inline namespace engine {
namespace {

using Vertex = RegularPairing::Vertex;

bool contains_site(const std::vector<Vertex>& sites, Vertex v) { return std::ranges::find(sites, v) != sites.end(); }

bool are_distinct(std::initializer_list<Vertex> given) {
  for (const Vertex* a = given.begin(); a != given.end(); ++a) {
    if (std::find(a + 1, given.end(), *a) != given.end()) return false;
  }
  return true;
}

void make_unique(std::vector<Vertex>& sites) {
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
}

}  // namespace

RegularPairing::RegularPairing(std::int64_t sites, int z, BondWords& words)
    : sites_(sites), z_(z), words_(words), partner_(static_cast<std::size_t>(sites * z)), order_(partner_.size()) {}

bool RegularPairing::draw() {
  if (!pair()) return false;
  was_simple_ = loops_.empty() && doubles_.empty();
  while (!loops_.empty()) {
    if (!remove_loop()) return false;
  }
  while (!doubles_.empty()) {
    if (!remove_double()) return false;
  }
  return true;
}

std::vector<GraphBond> RegularPairing::bonds() const {
  std::vector<GraphBond> list;
  list.reserve(partner_.size() / 2);
  for (Point p = 0; p < partner_.size(); ++p) {
    if (p < partner_[p]) {
      list.push_back({static_cast<std::int32_t>(site(p)), static_cast<std::int32_t>(site(partner_[p]))});
    }
  }
  return list;
}

bool RegularPairing::pair() {
  std::iota(order_.begin(), order_.end(), 0U);
  for (auto left = static_cast<std::uint32_t>(order_.size()); left > 1; --left) {
    std::swap(order_[left - 1], order_[words_.below(left)]);
  }
  for (std::size_t i = 0; i < order_.size(); i += 2) join(order_[i], order_[i + 1]);
  return classify();
}

int RegularPairing::bonds_between(Vertex a, Vertex b) const {
  int count = 0;
  for (Point p = first(a); p < end(a); ++p) count += other(p) == b ? 1 : 0;
  return count;
}

std::int64_t RegularPairing::singles(Vertex v) const {
  std::int64_t count = 0;
  for (Point p = first(v); p < end(v); ++p) count += single(p) ? 1 : 0;
  return count;
}

RegularPairing::Sites RegularPairing::with_neighbours(Vertex v, std::initializer_list<Vertex> given) const {
  Sites list(given);
  for (Point p = first(v); p < end(v); ++p) list.push_back(other(p));
  make_unique(list);
  return list;
}

bool RegularPairing::classify() {
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

std::int64_t RegularPairing::paths() const {
  Sites special;
  for (const Point p : loops_) special.push_back(site(p));
  for (const auto& [a, b] : doubles_) special.insert(special.end(), {a, b});
  make_unique(special);
  std::int64_t count = (sites_ - static_cast<std::int64_t>(special.size())) * z_ * (z_ - 1);
  for (const Vertex v : special) {
    if (adjacent(v, v)) continue;
    const std::int64_t at = singles(v);
    count += at * (at - 1);
  }
  return count;
}

/// Each end of a double bond takes two ends of single bonds away, each of which is in 2 (z - 1) pairs at most.
std::int64_t RegularPairing::least_paths() const {
  return (sites_ - loops()) * z_ * (z_ - 1) - 8 * doubles() * (z_ - 1);
}

bool RegularPairing::remove_loop() {
  const auto chosen = words_.below(static_cast<std::uint32_t>(loops_.size()));
  Point p2 = loops_[chosen], p3 = partner_[p2];
  if (words_.below(2) == 1) std::swap(p2, p3);
  const auto points = static_cast<std::uint32_t>(partner_.size());
  const Point p1 = words_.below(points), p4 = words_.below(points), p5 = partner_[p1], p6 = partner_[p4];
  const Vertex v1 = site(p1), v2 = site(p2), v4 = site(p4), v5 = site(p5), v6 = site(p6);
  if (!are_distinct({v1, v2, v4, v5, v6}) || !single(p1) || !single(p4)) return false;
  if (adjacent(v2, v1) || adjacent(v2, v4) || adjacent(v5, v6)) return false;
  join(p1, p2);
  join(p3, p4);
  join(p5, p6);
  loops_[chosen] = loops_.back();
  loops_.pop_back();
  return accepted(least_loop_completions(), loop_completions(p2, p3)) && accepted(least_paths(), paths());
}

/// All ends but those with v5 among v1, v2, v4 and the neighbours of v1, or v6 among these and the neighbours of v4.
std::int64_t RegularPairing::loop_completions(Point p2, Point p3) const {
  const Vertex v1 = other(p2), v2 = site(p2), v4 = other(p3);
  const Sites not5 = with_neighbours(v1, {v1, v2, v4}), not6 = with_neighbours(v4, {v1, v2, v4});
  std::int64_t excluded = 0;
  for (const Vertex v : not5) excluded += singles(v);
  for (const Vertex v : not6) {
    for (Point p = first(v); p < end(v); ++p) excluded += single(p) && !contains_site(not5, other(p)) ? 1 : 0;
  }
  return sites_ * z_ - 2 * loops() - 4 * doubles() - excluded;
}

/// Each of the two sets has z + 2 sites at most.
std::int64_t RegularPairing::least_loop_completions() const {
  return sites_ * z_ - 2 * loops() - 4 * doubles() - 2 * (z_ + 2) * std::int64_t{z_};
}

bool RegularPairing::remove_double() {
  const auto chosen = words_.below(static_cast<std::uint32_t>(doubles_.size()));
  auto [u, v] = doubles_[chosen];
  if (words_.below(2) == 1) std::swap(u, v);
  std::array<Point, 2> at_u{};
  std::size_t found = 0;
  for (Point p = first(u); p < end(u); ++p) {
    if (other(p) == v) at_u[found++] = p;
  }
  if (words_.below(2) == 1) std::swap(at_u[0], at_u[1]);
  const std::array<Point, 2> at_v = {partner_[at_u[0]], partner_[at_u[1]]};
  const auto points = static_cast<std::uint32_t>(partner_.size());
  const Point p1 = words_.below(points), p2 = words_.below(points), q1 = partner_[p1], q2 = partner_[p2];
  const Vertex x1 = site(p1), y1 = site(q1), x2 = site(p2), y2 = site(q2);
  if (!are_distinct({u, v, x1, y1, x2, y2}) || !single(p1) || !single(p2)) return false;
  if (adjacent(u, x1) || adjacent(u, x2) || adjacent(v, y1) || adjacent(v, y2)) return false;
  join(at_u[0], p1);
  join(at_u[1], p2);
  join(at_v[0], q1);
  join(at_v[1], q2);
  doubles_[chosen] = doubles_.back();
  doubles_.pop_back();
  const std::int64_t all = paths();
  return accepted(least_double_completions(), double_completions(at_u[0], at_u[1], all)) &&
         accepted(least_paths(), all);
}

/// All paths y1 - v - y2 but those where v is u, x1, x2 or a neighbour of u, or y1 one of these or a neighbour of x1,
/// or y2 one of these or a neighbour of x2.
std::int64_t RegularPairing::double_completions(Point p1, Point p2, std::int64_t all) const {
  const Vertex u = site(p1), x1 = other(p1), x2 = other(p2);
  const Sites middle = with_neighbours(u, {u, x1, x2}), not1 = with_neighbours(x1, {u, x1, x2}),
              not2 = with_neighbours(x2, {u, x1, x2});
  std::int64_t excluded = 0;
  for (const Vertex v : middle) {
    const std::int64_t at = singles(v);
    excluded += at * (at - 1);
  }
  for (const Vertex y : not1) {
    for (Point p = first(y); p < end(y); ++p) {
      if (single(p) && !contains_site(middle, other(p))) excluded += singles(other(p)) - 1;
    }
  }
  for (const Vertex y : not2) {
    for (Point p = first(y); p < end(y); ++p) {
      if (!single(p) || contains_site(middle, other(p))) continue;
      const Vertex v = other(p);
      for (Point q = first(v); q < end(v); ++q) {
        excluded += q != partner_[p] && single(q) && !contains_site(not1, other(q)) ? 1 : 0;
      }
    }
  }
  return all - excluded;
}

/// The first set has z + 1 sites at most, the others z + 2.
std::int64_t RegularPairing::least_double_completions() const {
  return least_paths() - (3 * z_ + 5) * std::int64_t{z_} * (z_ - 1);
}

}}  // namespace glassworks::engine
