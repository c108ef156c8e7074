#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/pairs/pair_table.hpp"
#include "kernels/rounds/cluster_replicas.hpp"

namespace glassworks { inline namespace cpu {

/// The Ising spins of the replicas of a realization on the hypercubic lattice as bits, 1 for -1, and the sums of a
/// measurement over them: all terms are -1, 0 and 1, so that they are counts of bits.
class SpinBits {
 public:
  SpinBits(const Chain& chain, const Disorder& disorder, InstructionSet isa);

  /// Bit i mod 64 of word i / 64 for site i; anything beyond the lattice and at absent sites.
  [[nodiscard]] std::uint64_t* bits(int replica) { return bits_.data() + static_cast<std::size_t>(replica) * words_; }
  [[nodiscard]] const std::uint64_t* bits(int replica) const {
    return bits_.data() + static_cast<std::size_t>(replica) * words_;
  }
  [[nodiscard]] const PairTable& kernels() const { return kernels_; }
  [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(words_); }
  /// Sets words begin <= i < end of the bits of a replica from its states (1 + s)/2, of which `states` has 64 words()
  /// to read.
  void read_states(int replica, const std::uint8_t* states, std::int64_t begin, std::int64_t end);

  /// Adds the sums of spins over planes, as add_site_sums does.
  void add_sites(int replica, SiteSums& sums) const;
  /// Adds the sums over a pair of replicas, as rounds::add_overlap does.
  void add_overlap(int a, int b, OverlapSums& sums) const;
  /// add_overlap of these bits, which must live as long.
  [[nodiscard]] AddOverlap overlaps() const;
  /// Bytes for each site of a realization.
  [[nodiscard]] static double site_bytes(const Chain& chain);

 private:
  void find_planes(const Lattice& lattice);
  void find_bonds(const Lattice& lattice, const Disorder& disorder);
  [[nodiscard]] CountGeometry geometry() const;
  /// Adds the sums of +1 at sites that are 0 and -1 at those that are 1, over planes.
  void add_planes(const std::uint64_t* field, std::vector<std::int64_t>& planes) const;

  const PairTable& kernels_;
  int dim_, L_;
  std::int64_t rows_;
  std::size_t words_;
  std::vector<std::int32_t> row_planes_;
  std::vector<std::int64_t> sites_of_plane_;
  std::vector<std::uint64_t> present_;  ///< empty: all
  std::vector<std::uint64_t> owners_;   ///< of each shift [word]
  std::vector<BondShift> shifts_;
  std::int64_t bonds_ = 0;           ///< between sites that are not absent
  std::vector<std::uint64_t> bits_;  ///< [replica][word]
};

}}  // namespace glassworks::cpu
