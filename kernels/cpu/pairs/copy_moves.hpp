#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cpu/pairs/pair_table.hpp"
#include "kernels/cpu/pairs/site_bits.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cpu {

/// The bonds of a realization on the hypercubic lattice as isoenergetic moves see them.
class PairLattice {
 public:
  PairLattice(const Lattice& lattice, const Disorder& disorder);

  [[nodiscard]] PairGeometry geometry() const;
  /// Words of the bits of all sites, of which those in the last one that are beyond the lattice are 0.
  [[nodiscard]] std::size_t words() const { return words_; }
  /// The sites that may differ in a word: those that are not absent.
  [[nodiscard]] std::uint64_t present(std::size_t word) const { return present_.empty() ? ~0ULL : present_[word]; }

 private:
  void find_bonds(const Lattice& lattice, const Disorder& disorder);
  void find_neighbour_rows(const Lattice& lattice);

  int L_, sides_;
  std::int32_t rows_;
  std::size_t words_;
  std::vector<std::int32_t> neighbour_rows_;
  std::vector<std::uint8_t> bonds_, gaps_;
  std::vector<std::uint64_t> present_;  ///< empty: all
};

/// The Ising spins of a realization as bits, and isoenergetic moves on them (isoenergetic_move), up to 64 pairs of
/// copies at once. Replicas of one slot are moved by one member of a team.
class CopyMoves {
 public:
  CopyMoves(const Chain& chain, const Disorder& disorder, std::uint32_t realization, InstructionSet isa, int members);

  /// 1 for one of the values of a spin, bit i mod 64 of word i / 64 for site i.
  [[nodiscard]] std::uint64_t* bits(int replica) {
    return bits_.data() + static_cast<std::size_t>(replica) * lattice_.words();
  }
  [[nodiscard]] const PairTable& kernels() const { return kernels_; }

  /// The share of a member in moves of a repetition that follow each other, at the slots of the replicas. Nobody reads
  /// the bits before all members are done.
  void make(std::span<const PlacedMove> moves, std::uint64_t repetition, const std::vector<std::uint16_t>& slot_of,
            int member);
  /// Bytes for each site of a realization.
  [[nodiscard]] static double site_bytes(const Chain& chain, int members);

 private:
  /// Two replicas, and the random word that chooses the seed of their cluster.
  struct Pair {
    std::uint64_t *a, *b;
    std::uint32_t word;
  };
  /// What a member works with.
  struct Scratch {
    std::vector<std::uint64_t> differing, reached;  ///< see PairClusters
    std::vector<std::uint8_t> waiting;
    std::vector<Pair> pairs;
  };

  [[nodiscard]] static int slots_of_group(const Chain& chain) { return word_pairs / (chain.copies / 2); }
  [[nodiscard]] static int groups(const Chain& chain);
  void find_pairs(int group, std::uint64_t move, const std::vector<std::size_t>& replica_at, std::vector<Pair>& pairs);
  void compare(Scratch& scratch, std::span<std::uint32_t> count) const;
  void set_seed(std::size_t k, std::uint32_t count, Scratch& scratch) const;
  void swap(const Scratch& scratch) const;

  const Chain& chain_;
  const Step step_;
  std::uint32_t realization_;
  const PairTable& kernels_;
  const PairLattice lattice_;
  std::vector<std::uint64_t> bits_;  ///< [replica][word]
  std::vector<Scratch> scratch_;     ///< [member]
};

}}  // namespace glassworks::cpu
