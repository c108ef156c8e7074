#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/cpu/lanes/aligned_buffer.hpp"
#include "kernels/cpu/multispin/multispin_table.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/multispin_groups.hpp"

namespace glassworks { inline namespace cpu {

/// Neighbours and random addresses of a lattice, for all bundles.
class MultispinLattice {
 public:
  /// graph: of LatticeKind::graph, with at most MultispinGraph::most_bonds bonds at a site; it outlives this
  explicit MultispinLattice(const Lattice& lattice, const SiteGraph* graph = nullptr);
  MultispinLattice(const MultispinLattice&) = delete;
  MultispinLattice& operator=(const MultispinLattice&) = delete;

  [[nodiscard]] const MultispinGeometry& geometry() const { return geometry_; }
  /// Sites of each plane along all axes.
  [[nodiscard]] const std::vector<std::int64_t>& plane_sites() const { return plane_sites_; }
  /// Blocks of random words of a half-sweep, and as many as are made.
  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
  [[nodiscard]] std::size_t made_blocks() const { return (blocks_ + std::size_t{15}) / 16 * 16; }

 private:
  void add_graph(const Lattice& lattice, const SiteGraph& graph);

  std::vector<std::int32_t> neighbour_, of_colour_, random_word_;
  std::vector<std::int32_t> in_plane_;  ///< of a graph, as the next ones
  std::vector<std::int64_t> begin_, plane_begin_;
  std::vector<MultispinGraph::Link> links_;
  std::vector<std::int64_t> plane_sites_;  ///< [plane]
  MultispinGraph graph_{};
  MultispinGeometry geometry_;
  std::uint32_t blocks_;
};

/// Spins and couplings of some groups, one bit for each realization, by the place of replicas on the ladder.
class MultispinBundle {
 public:
  MultispinBundle(const Chain& chain, std::span<const RoundTask> batch, std::span<const MultispinGroup> groups,
                  const MultispinLattice& lattice, const MultispinTable& table);

  /// Sweeps begin .. end - 1 of the n_T n_B of a step, of the replicas at places first .. first + count - 1
  /// (copy * slots + slot), at most MultispinHalfSweep::most. done: steps of the round before this one; random: scratch
  void sweep(std::uint64_t done, int begin, int end, int first, int count, std::vector<std::uint32_t>& random);
  /// Isoenergetic moves begin .. end - 1 of the n_T n_I of a step, of a slot. scratch: of any size
  void swap_clusters(std::uint64_t done, int begin, int end, int slot, std::vector<std::uint32_t>& scratch);
  /// Unsatisfied bonds of the replica at a place [lane].
  void count_unsatisfied(int place, std::vector<std::uint32_t>& count) const;
  /// Spins -1 of the replica at a place [lane].
  void count_down(int place, std::vector<std::uint32_t>& count) const;
  /// Whether energies depend on those.
  [[nodiscard]] bool in_field() const { return in_field_; }
  /// Exchanges the replicas of places p and p + 1 in the lanes of a mask [word], at a member's share of the sites.
  void exchange(int place, const std::uint32_t* mask, int member, int members);

  /// -1 spins of each plane of a replica, or of the products of two [axis][coordinate][lane].
  void count_planes(int a, int b, std::vector<std::uint32_t>& count) const;
  /// Bonds with a negative product of products of two replicas [lane].
  void count_links(int a, int b, std::vector<std::uint32_t>& count) const;

  /// The state of a member by replica, from places: slots of the replicas as in `state`.
  void store(std::size_t member, ChainState& state) const;

  [[nodiscard]] std::size_t members() const { return task_.size(); }
  [[nodiscard]] std::size_t task(std::size_t member) const { return task_[member]; }
  /// Of its couplings.
  [[nodiscard]] const CouplingCount& couplings_of(std::size_t member) const { return couplings_[member]; }
  [[nodiscard]] std::size_t lanes() const { return 32 * static_cast<std::size_t>(table_.words); }
  /// Where the counts of a member are among those of all lanes.
  [[nodiscard]] std::size_t lane(std::size_t member) const { return lane_[member]; }
  [[nodiscard]] int words() const { return table_.words; }
  /// Atomically sets the bit of a member: other threads may set bits of the same word.
  void set(std::size_t member, std::uint32_t* mask) const {
    std::atomic_ref(mask[word_[member]]).fetch_or(1U << bit_[member], std::memory_order_relaxed);
  }

 private:
  /// Words of bits [i][word] from values of all members: condition(values(member)[i]).
  template <class Values, class Condition>
  void gather(std::size_t count, std::uint32_t* to, const Values& values, const Condition& condition);
  /// The pairs of a move in the groups that join copy 0 and `partner` in it.
  void swap_pairs(std::uint64_t done, std::uint64_t move_of_step, int slot, int partner,
                  std::vector<std::uint32_t>& scratch);
  [[nodiscard]] std::uint64_t move_of(std::size_t group, std::uint64_t done, std::uint64_t move_of_step) const;
  [[nodiscard]] std::uint32_t* spins(int place) {
    return spins_.data() + spins_of_place_ * static_cast<std::size_t>(place);
  }
  [[nodiscard]] const std::uint32_t* spins(int place) const {
    return spins_.data() + spins_of_place_ * static_cast<std::size_t>(place);
  }
  [[nodiscard]] MultispinCouplings couplings() const {
    return {negative_.data(), absent_.size() == 0 ? nullptr : absent_.data()};
  }

  const Chain& chain_;
  const MultispinLattice& lattice_;
  const MultispinTable& table_;
  std::vector<MultispinGroup> groups_;
  std::vector<std::size_t> task_, lane_, word_;         ///< [member]
  std::vector<std::uint32_t> bit_, realization_;        ///< [member]
  std::vector<CouplingCount> couplings_;                ///< [member]
  std::vector<std::vector<std::uint32_t>> thresholds_;  ///< [slot][bit of the spin][m]
  bool in_field_ = false;
  std::size_t spins_of_place_;
  AlignedBuffer<std::uint32_t> spins_;              ///< [place][site][word]
  AlignedBuffer<std::uint32_t> negative_, absent_;  ///< [site][axis][word]
  AlignedBuffer<std::uint32_t> past_ends_;          ///< the bonds past open ends, in all lanes; empty without any
};

}}  // namespace glassworks::cpu
