#include "engine/graphs/regular_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/graphs/regular_pairing.hpp"

namespace glassworks { inline namespace engine {
namespace {

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
