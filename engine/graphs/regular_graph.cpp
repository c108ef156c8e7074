#include "engine/graphs/regular_graph.hpp"

#include <algorithm>
#include <array>
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
      stride_ = (sites_ + 63) / 64;
      table_.assign(sites_ * stride_, 0);
    } else {
      lists_.assign(sites_ * z_, none);
    }
  }
  [[nodiscard]] bool has(std::int32_t a, std::int32_t b) const {
    if (!table_.empty()) return (word(a, b) >> (static_cast<unsigned>(b) % 64) & 1U) != 0;
    const auto begin = lists_.begin() + row(a);
    return std::find(begin, begin + static_cast<std::ptrdiff_t>(z_), b) != begin + static_cast<std::ptrdiff_t>(z_);
  }
  /// Brings what `has` looks at into the caches.
  void prefetch(std::int32_t a, std::int32_t b) const {
    if (table_.empty()) {
      __builtin_prefetch(&lists_[static_cast<std::size_t>(a) * z_]);
    } else {
      __builtin_prefetch(&table_[static_cast<std::size_t>(a) * stride_ + static_cast<std::size_t>(b) / 64]);
    }
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
      const std::int32_t b = from == none ? to : from;
      table_[place(a, b)] ^= std::uint64_t{1} << (static_cast<unsigned>(b) % 64);
      return;
    }
    const auto begin = lists_.begin() + row(a);
    *std::find(begin, begin + static_cast<std::ptrdiff_t>(z_), from) = to;
  }

  [[nodiscard]] std::size_t place(std::int32_t a, std::int32_t b) const {
    return static_cast<std::size_t>(a) * stride_ + static_cast<std::size_t>(b) / 64;
  }
  [[nodiscard]] std::uint64_t word(std::int32_t a, std::int32_t b) const { return table_[place(a, b)]; }

  std::size_t sites_, z_, stride_ = 0;
  std::vector<std::uint64_t> table_;  ///< bits [site][site]
  std::vector<std::int32_t> lists_;   ///< [site][k]
};

/// A proposal to exchange the ends of two bonds. Which words it takes does not depend on the graph, so that the bonds
/// of some proposals can be fetched from memory at once: of large ones that takes longer than all else.
struct Exchange {
  std::uint32_t first, second;
  bool turned;

  Exchange() = default;
  Exchange(BondWords& words, std::uint32_t bonds)
      : first(words.below(bonds)), second(words.below(bonds)), turned(words.below(2) == 1) {}
};

/// Whether it may pay to pair ends: the probability that a pairing is simple is about exp(-(z^2 - 1)/4), that a
/// switching fails about 8 (z + 2)/N.
bool pairings_can_succeed(std::int64_t sites, int z) {
  const double defects = (static_cast<double>(z) * z - 1) / 4;
  return defects < 12 || defects * 8 * (z + 2) < 12 * static_cast<double>(sites);
}

}  // namespace

std::vector<GraphBond> chain_regular_bonds(std::int64_t sites, int z, BondWords& words) {
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
  const auto carry_out = [&](const Exchange& exchange) {
    GraphBond& first = bonds[exchange.first];
    GraphBond& second = bonds[exchange.second];
    auto [c, d] = second;
    if (exchange.turned) std::swap(c, d);
    const auto [a, b] = first;
    if (a == d || c == b || &first == &second || neighbours.has(a, d) || neighbours.has(c, b)) return;
    neighbours.remove(a, b);
    neighbours.remove(c, d);
    neighbours.add(a, d);
    neighbours.add(c, b);
    first = {a, d};
    second = {c, b};
  };
  std::array<Exchange, 32> ahead{};
  for (std::uint64_t left = std::uint64_t{count} * proposals_per_bond; left > 0;) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left, ahead.size()));
    for (std::size_t i = 0; i < some; ++i) {
      ahead[i] = Exchange(words, count);
      __builtin_prefetch(&bonds[ahead[i].first]);
      __builtin_prefetch(&bonds[ahead[i].second]);
    }
    for (std::size_t i = 0; i < some; ++i) {  // as they are now; few of them change before their turn
      const GraphBond &first = bonds[ahead[i].first], &second = bonds[ahead[i].second];
      neighbours.prefetch(first.a, ahead[i].turned ? second.a : second.b);
      neighbours.prefetch(ahead[i].turned ? second.b : second.a, first.b);
    }
    for (std::size_t i = 0; i < some; ++i) carry_out(ahead[i]);
    left -= some;
  }
  return bonds;
}

std::vector<GraphBond> random_regular_bonds(std::int64_t sites, int z, BondWords& words, RegularDraw* how) {
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
