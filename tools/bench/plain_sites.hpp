#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace tools {

/// xoshiro256+ with seeds from splitmix64. Source: Blackman & Vigna, ACM Trans. Math. Softw. 47, 36 (2021).
class Xoshiro256 {
 public:
  explicit Xoshiro256(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      std::uint64_t z = seed += 0x9E3779B97F4A7C15ULL;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
      word = z ^ (z >> 31);
    }
  }
  std::uint64_t word() {
    const std::uint64_t result = state_[0] + state_[3], t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(word() >> 11) * 0x1.0p-53; }
  int below(int n) { return static_cast<int>(uniform() * n); }

 private:
  std::uint64_t state_[4];
};

/// Neighbours of the sites of a cubic lattice with their couplings: x+, x-, y+, y-, z+, z- of each site.
struct PlainSites {
  static constexpr int z = 6;

  PlainSites(const Lattice& lattice, const Disorder& disorder, std::uint64_t seed)
      : n(static_cast<int>(lattice.sites())), random(seed) {
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t forward = lattice.neighbour(i, axis, +1), backward = lattice.neighbour(i, axis, -1);
        neighbour.insert(neighbour.end(), {static_cast<int>(forward), static_cast<int>(backward)});
        for (const std::int64_t owner : {i, backward}) {
          coupling.push_back(static_cast<double>(disorder.couplings[static_cast<std::size_t>(3 * owner + axis)]));
          uniform = uniform && coupling.back() == 1.0;
          whole = whole && (coupling.back() == 1.0 || coupling.back() == -1.0);
        }
      }
    }
  }

  int n;
  bool uniform = true, whole = true;  ///< all J = 1; all J = +-1
  std::vector<int> neighbour;         ///< [site][z]
  std::vector<double> coupling;       ///< [site][z]
  Xoshiro256 random;
};

/// Updates of clusters. Loop: active(i, j), whether a bond joins two sites; Fate draw(), what becomes of a cluster;
/// move(i, fate).
template <class Loop>
void plain_swendsen_wang(Loop& loop, const PlainSites& sites) {
  static thread_local std::vector<int> parent;
  static thread_local std::vector<typename Loop::Fate> fate;
  parent.resize(static_cast<std::size_t>(sites.n));
  fate.resize(parent.size());
  int* const up = parent.data();
  std::iota(up, up + sites.n, 0);
  const auto find = [up](int i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
  };
  for (int i = 0; i < sites.n; ++i) {
    for (int k = 0; k < PlainSites::z; k += 2) {
      const int j = sites.neighbour[static_cast<std::size_t>(PlainSites::z * i + k)];
      if (!loop.active(i, j)) continue;
      const auto [low, high] = std::minmax({find(i), find(j)});
      up[high] = low;
    }
  }
  for (int i = 0; i < sites.n; ++i) {  // a root is the lowest site of its cluster
    const auto s = static_cast<std::size_t>(i);
    fate[s] = up[i] == i ? loop.draw() : fate[static_cast<std::size_t>(up[i])];
    loop.move(i, fate[s]);
  }
}

/// A cluster is moved site by site as it grows. Loop: Fate seed(i), what becomes of the cluster of i; Old old(i), what
/// site i was; joins(old, j), whether site j joins a site that was `old` before it moved; move(i, fate).
template <class Loop>
void plain_wolff(Loop& loop, PlainSites& sites) {
  static thread_local std::vector<std::pair<int, typename Loop::Old>> stack;
  const int first = sites.random.below(sites.n);
  const auto fate = loop.seed(first);
  stack.assign(1, {first, loop.old(first)});
  loop.move(first, fate);
  while (!stack.empty()) {
    const auto [i, old] = stack.back();
    stack.pop_back();
    for (int k = 0; k < PlainSites::z; ++k) {
      const int j = sites.neighbour[static_cast<std::size_t>(PlainSites::z * i + k)];
      if (!loop.joins(old, j)) continue;
      stack.emplace_back(j, loop.old(j));
      loop.move(j, fate);
    }
  }
}

}}  // namespace glassworks::tools
