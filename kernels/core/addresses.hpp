#pragma once

#include <cstdint>

#include "kernels/core/lattice.hpp"
#include "kernels/core/random.hpp"

/// Addresses of the random words that the updates use, for all models but heisenberg: see kernels/models/README.md.
namespace glassworks { inline namespace core {

/// A word of a Philox block: the index (counter word 0) of the block and the word in it.
struct WordAddress {
  std::uint32_t block;
  std::uint32_t word;

  bool operator==(const WordAddress&) const = default;
};

/// Key of all streams of one lattice; see size_key. That of a prism is a Philox block of its lengths under the key of
/// its L, so that prisms share nothing with each other or with cubes; that of a graph is one of its tag and sites.
[[nodiscard]] inline PhiloxKey lattice_key(std::uint64_t seed, const Lattice& lattice, std::uint32_t history = 0) {
  const PhiloxKey key = size_key(seed, lattice.dim, lattice.L, history);
  if (lattice.is_cube()) return key;
  if (lattice.is_graph()) {
    std::uint32_t c[4] = {lattice.graph_tag, static_cast<std::uint32_t>(lattice.graph_sites), 2,
                          counter_word3(Stream::size_key, 0, 0)};
    philox4x32_10(c, key);
    return {c[0], c[1]};
  }
  std::uint32_t c[4] = {0, 0, 1, counter_word3(Stream::size_key, 0, 0)};
  for (int axis = 0; axis < lattice.dim; ++axis) {
    c[axis / 2] |= static_cast<std::uint32_t>(lattice.length(axis)) << (16 * (axis % 2));
  }
  philox4x32_10(c, key);
  return {c[0], c[1]};
}

/// Activation of a bond that a site owns, Stream::bonds. The model does not matter.
///
/// d = 1: four sites in a row share a block; d = 2: the sites (x, 2k) and (x, 2k + 1) share one, words 0 and 1 are the
/// bonds +x and +y of the first, 2 and 3 those of the second; d = 3, 4: a block for each site, word = axis. Lattices
/// other than the hypercubic one: the blocks 2 site and 2 site + 1. Of graphs, whose bonds have numbers:
/// graph_bond_address.
[[nodiscard]] GLASSWORKS_HD constexpr WordAddress bond_address(const Lattice& lattice, std::int64_t site, int bond) {
  const auto i = static_cast<std::uint32_t>(site), k = static_cast<std::uint32_t>(bond);
  if (!lattice.is_hypercubic()) return {2 * i + k / 4, k & 3U};
  if (lattice.dim == 1) return {i / 4, i & 3U};
  if (lattice.dim > 2) return {i, k};
  const auto L = static_cast<std::uint32_t>(lattice.length(0));
  const std::uint32_t y = i / L, x = i - y * L;
  return {x + L * (y / 2), 2 * (y & 1U) + k};
}

/// The same of a graph: four bonds that follow each other share a block.
[[nodiscard]] GLASSWORKS_HD constexpr WordAddress graph_bond_address(std::int64_t bond) {
  return {static_cast<std::uint32_t>(bond / 4), static_cast<std::uint32_t>(bond & 3)};
}

/// Bit `bit` of a word decides whether a cluster of Swendsen-Wang is reflected (ising, on, phi4), Stream::cluster:
/// 128 roots share a block.
struct BitAddress {
  std::uint32_t block;
  std::uint32_t word;
  std::uint32_t bit;
};
[[nodiscard]] GLASSWORKS_HD constexpr BitAddress reflection_coin_address(std::uint32_t root) {
  return {root / 128, (root / 32) & 3U, root & 31U};
}

/// New state of a cluster of Swendsen-Wang in potts, Stream::cluster: four roots share a block.
[[nodiscard]] GLASSWORKS_HD constexpr WordAddress new_state_address(std::uint32_t root) {
  return {root / 4, root & 3U};
}

/// wolff and few_cluster, Stream::cluster: a block for each root. Word 0 is the coin of few_cluster, word 1 the new
/// state of potts.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t single_cluster_block(std::uint32_t root) { return root; }

/// Stream::reflection: block 0 is the direction r of a replica and update, block 1 + tile the seed in a tile.
constexpr std::uint32_t direction_block = 0;
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t seed_block(std::uint32_t tile) { return 1 + tile; }

/// Local sweeps, Stream::local_update. ising, potts, on: sweep 2 n + parity, cell and member as in the heat bath of
/// heisenberg (heat_bath_address), words 2m and 2m + 1. phi4 at finite lambda: sweep 2 n + parity, block = site. With
/// more than two colours: sweep (colours) n + colour. Of graphs, whose numbers of colours differ: sweep n.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint64_t half_sweep(std::uint64_t sweep, int parity) {
  return 2 * sweep + static_cast<std::uint64_t>(parity);
}
[[nodiscard]] GLASSWORKS_HD constexpr std::uint64_t colour_sweep(const Lattice& lattice, std::uint64_t sweep,
                                                                 int colour) {
  if (lattice.is_graph()) return sweep;
  return static_cast<std::uint64_t>(lattice.colours()) * sweep + static_cast<std::uint64_t>(colour);
}

/// Multi-spin coding: number of realizations, those with equal realization / 128, that share the words of
/// Stream::multispin (there realization = the quotient, replica = copy * slots + slot, sweep = half_sweep(n, parity)).
constexpr std::uint32_t multispin_group = 128;

/// The word of a site for its group. Four sites of one parity share a block: those whose coordinates differ in x mod 4
/// and in the last coordinate mod 2 alone; in d = 1 four that follow each other.
[[nodiscard]] GLASSWORKS_HD constexpr WordAddress multispin_address(const Lattice& lattice,
                                                                    const Lattice::Coordinates& c) {
  const auto L = static_cast<std::uint32_t>(lattice.L), x = static_cast<std::uint32_t>(c[0]);
  if (lattice.dim == 1) return {x / 8, x / 2 & 3U};
  auto block = static_cast<std::uint32_t>(c[static_cast<std::size_t>(lattice.dim - 1)]) / 2;
  for (int axis = lattice.dim - 2; axis > 0; --axis) {
    block = block * L + static_cast<std::uint32_t>(c[static_cast<std::size_t>(axis)]);
  }
  return {block * ((L + 3) / 4) + x / 4, x & 3U};
}
/// Blocks of a half-sweep.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t multispin_blocks(const Lattice& lattice) {
  const auto L = static_cast<std::uint32_t>(lattice.L);
  if (lattice.dim == 1) return (L + 7) / 8;
  std::uint32_t blocks = (L + 3) / 4 * (L / 2);
  for (int axis = 2; axis < lattice.dim; ++axis) blocks *= L;
  return blocks;
}

/// How far the 32-bit word of lanes is rotated, in multiples of its random position, for each word of a group.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t multispin_turn(std::uint32_t word_of_group) {
  constexpr std::uint32_t turns[4] = {1, 5, 7, 13};
  return turns[word_of_group];
}
/// The word of a realization, from the word of its group. In the five highest bits, lane l = realization mod 32 has the
/// position (turn word + l) mod 32: the lanes of a word see evenly spaced positions. The lower 27 bits are those of the
/// group. Each word is uniform, and every random word pairs the four words of a group, (realization / 32) mod 4, anew.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t multispin_word(std::uint32_t word, std::uint32_t realization) {
  const std::uint32_t position = multispin_turn(realization / 32 & 3U) * word + realization;
  return (position & 31U) << 27 | word >> 5;
}

/// Multi-spin coding whose lanes are copies: 128 copies of a realization form a group, and four sites of a block of
/// multispin_address, a quad. A quad of a group has blocks of its own in Stream::multispin (realization = its own,
/// replica = (copy / 128) * slots + slot, sweep = half_sweep(n, parity)), block part * multispin_blocks + quad:
///
///   part 0             word 0 the number of marks of level 1, word 1 that of higher ones, words 2 and 3 six places
///   parts 1 to 8       twelve places each
///   parts 16 to 47     a mark of a higher level: its place in word 0, its level by word 1
///   parts 48 to 51     of a site of the quad, a bit for each copy: the spin from which a heat bath starts
///   parts 64 to 191    of a site, the binary digits of a number for each copy, the highest first
///
/// A place of nine bits is 128 (site of the quad) + (copy mod 128).
struct CopyAddress {
  static constexpr std::uint32_t group = 128, places = 512, digits = 32;

  std::uint32_t part, word, shift;

  /// Where the place of mark m of level 1 is: three to a word, from the highest bit on.
  [[nodiscard]] GLASSWORKS_HD static constexpr CopyAddress of_mark(std::uint32_t m) {
    const std::uint32_t n = m + 6;
    return {n / 12, n % 12 / 3, 23 - 9 * (n % 3)};
  }
  [[nodiscard]] GLASSWORKS_HD static constexpr std::uint32_t higher_mark(std::uint32_t m) { return 16 + m; }
  [[nodiscard]] GLASSWORKS_HD static constexpr std::uint32_t spins(std::uint32_t site) { return 48 + site; }
  [[nodiscard]] GLASSWORKS_HD static constexpr std::uint32_t digit(std::uint32_t digit, std::uint32_t site) {
    return 64 + 4 * digit + site;
  }
};

/// Initial state of ising and potts, Stream::initial_spins: four sites share a block. on, phi4: block = site.
[[nodiscard]] GLASSWORKS_HD constexpr WordAddress initial_state_address(std::uint32_t site) {
  return {site / 4, site & 3U};
}

/// Uniform integer in [0, n) from a word: floor(word n 2^-32). Probabilities are off by less than n 2^-32 of 1/n.
[[nodiscard]] GLASSWORKS_HD constexpr std::uint32_t uniform_below(std::uint32_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * n) >> 32);
}

/// Seed of wolff, anywhere on the lattice: word k of the block for axis k.
[[nodiscard]] GLASSWORKS_HD constexpr std::int64_t seed_site(const Lattice& lattice, const RandomBlock& block) {
  if (lattice.is_graph()) return uniform_below(block.word[0], static_cast<std::uint32_t>(lattice.sites()));
  Lattice::Coordinates c{};
  for (int axis = 0; axis < lattice.dim; ++axis) {
    c[static_cast<std::size_t>(axis)] =
        static_cast<int>(uniform_below(block.word[axis], static_cast<std::uint32_t>(lattice.length(axis))));
  }
  return lattice.site(c);
}

/// Seed of few_cluster in a tile, one of the sites of the lattice `tiles`: word k of the block for axis k.
[[nodiscard]] GLASSWORKS_HD constexpr std::int64_t seed_site(const Lattice& lattice, const Lattice& tiles,
                                                             std::int64_t tile, const RandomBlock& block) {
  const int edge = lattice.L / tiles.L;
  Lattice::Coordinates c = tiles.coordinates(tile);
  for (int axis = 0; axis < lattice.dim; ++axis) {
    int& x = c[static_cast<std::size_t>(axis)];
    x = x * edge + static_cast<int>(uniform_below(block.word[axis], static_cast<std::uint32_t>(edge)));
  }
  return lattice.site(c);
}

/// Houdayer moves between copies: in move number k the copies are paired (0,1)(2,3) for k mod 3 = 0, (0,2)(1,3) for 1,
/// (0,3)(1,2) for 2; with two copies there is one pair. Word 0 of block 0 of Stream::isoenergetic, replica =
/// first copy * slots + slot (the place on the ladder), sweep = k.
struct CopyPair {
  int first, second;
};
[[nodiscard]] GLASSWORKS_HD constexpr CopyPair isoenergetic_pair(int copies, std::uint64_t move, int pair) {
  if (copies == 2) return {0, 1};
  const int partner = 1 + static_cast<int>(move % 3);  // of copy 0
  if (pair == 0) return {0, partner};
  return {partner == 1 ? 2 : 1, partner == 3 ? 2 : 3};
}

}}  // namespace glassworks::core
