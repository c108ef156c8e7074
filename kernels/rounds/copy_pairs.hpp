#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace rounds {

/// Isoenergetic cluster move between two copies of an Ising system: sites with s^(a) != s^(b) form clusters along the
/// bonds with J != 0; the copies swap one of them. E_a + E_b is conserved. Source: Zhu, Ochoa & Katzgraber, PRL 115,
/// 077201 (2015).
///
/// a, b     states of the copies [site]
/// word     selects the seed among the sites that differ
/// returns  sites swapped
std::int64_t isoenergetic_move(const ClusterSystem& system, std::uint32_t word, std::uint8_t* a, std::uint8_t* b);

/// The same in any layout: differ(i), whether the copies differ at site i; swap(i) exchanges their spins there.
template <class Differ, class Swap>
std::int64_t isoenergetic_move(const ClusterSystem& system, std::uint32_t word, const Differ& differ,
                               const Swap& swap) {
  const std::int64_t sites = system.chain.lattice.sites();
  std::uint32_t differing = 0;
  for (std::int64_t i = 0; i < sites; ++i) differing += differ(i) ? 1U : 0U;
  if (differing == 0) return 0;
  std::int64_t seed = 0;
  for (std::uint32_t rank = uniform_below(word, differing); !differ(seed) || rank-- != 0;) ++seed;
  // A swapped site still differs, so what has been reached is remembered apart.
  std::vector<bool> reached(static_cast<std::size_t>(sites), false);
  std::vector<std::int64_t> stack{seed};
  reached[static_cast<std::size_t>(seed)] = true;
  std::int64_t swapped = 0;
  while (!stack.empty()) {
    const std::int64_t i = stack.back();
    stack.pop_back();
    swap(i);
    ++swapped;
    system.bonds.for_neighbours(i, [&](std::int64_t j, std::int64_t place) {
      if (reached[static_cast<std::size_t>(j)] || !differ(j)) return;
      if (system.disorder.couplings[static_cast<std::size_t>(place)] == 0.0F) return;
      reached[static_cast<std::size_t>(j)] = true;
      stack.push_back(j);
    });
  }
  return swapped;
}

/// The replicas that stand in the slots [Chain::place_of].
[[nodiscard]] std::vector<std::size_t> replicas_at(const Chain& chain, const std::vector<std::uint16_t>& slot_of);

/// visit(a, b, word) for the pairs of copies of a slot in move number `move`: two replicas, and the word of
/// isoenergetic_move.
///
/// at  replicas_at
template <class Visit>
void for_moved_pairs(const Chain& chain, std::uint32_t realization, std::uint64_t move, int slot,
                     const std::vector<std::size_t>& at, const Visit& visit) {
  for (int pair = 0; pair < chain.copies / 2; ++pair) {
    const CopyPair copies = isoenergetic_pair(chain.copies, move, pair);
    const int a = copies.first * chain.slots() + slot, b = copies.second * chain.slots() + slot;
    const RandomBlock words =
        random_block(chain.key, Stream::isoenergetic, realization, static_cast<std::uint32_t>(a), move, 0);
    visit(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)], words.word[0]);
  }
}

/// Sums over a pair of replicas.
void add_overlap(const ClusterSystem& system, ClusterReplica& a, ClusterReplica& b, OverlapSums& sums);

}}  // namespace glassworks::rounds
