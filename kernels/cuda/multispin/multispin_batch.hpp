#pragma once

#include <utility>

#include "kernels/core/random.hpp"
#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/multispin/graph/word_graph.hpp"
#include "kernels/cuda/multispin/half_lattice.hpp"

namespace glassworks { inline namespace cuda {

/// A threshold (multispin_thresholds) as position and rest: a random word passes in the lanes outside the positions
/// below it, where `outside` has them for position 0, and in one fewer where the word is below `cut`.
struct BitThreshold {
  std::uint32_t cut, outside;

  BitThreshold() = default;
  GLASSWORKS_HD explicit BitThreshold(std::uint32_t threshold)
      : cut(threshold << 5), outside(~std::uint32_t{0} << (threshold >> 27)) {}
  [[nodiscard]] GLASSWORKS_HD std::uint32_t passes(std::uint32_t word) const {
    return word < cut ? outside << 1 : outside;
  }
};

/// Words of 32 realizations that are simulated together: they share their random words.
struct BitPack {
  std::uint32_t group;    ///< realization / 128
  std::uint32_t turn[4];  ///< multispin_turn of each word
  int task;               ///< one of them; all have made the same number of steps
};

/// What the kernels of multi-spin coding see of a batch: plain values and device pointers, passed by value.
///
/// pack   `words` words, which share their random words
/// lane   of a pack, 0 .. 32 words - 1
/// place  of a replica on the ladders: copy * slots + slot. Replicas stand in the order of their places, so that a
///        random word serves one temperature.
struct MultispinBatch {
  DeviceBatch common;
  HalfLattice lattice;         ///< of a hypercubic lattice, which has an order of its own
  DeviceWordGraph graph;       ///< of LatticeKind::graph
  int sites = 0;               ///< N: places of a replica
  std::int64_t couplings = 0;  ///< of a realization, as they lie in words
  int words = 0, packs = 0;
  int sweeps = 0;  ///< of a step: n_T n_B

  const BitPack* d_packs;         ///< [pack]
  const int* d_task;              ///< of the batch, or -1 [pack][lane]
  const long long* d_term;        ///< |J| in units of the energy scale [pack][lane]
  const int* d_bonds;             ///< that are not absent [pack][lane]
  const long long* d_field_term;  ///< H in those units [pack][lane]; null: no field
  /// [slot][parity of m with open ends][bit of the spin in a field][threshold]; of a graph [place][degree][bit of the
  /// spin in a field][threshold]
  const BitThreshold* d_threshold;
  // What a step changes; sweeps in shared memory read these and write the next ones, which then take their places.
  std::uint32_t* d_spins;  ///< 1: spin -1 [pack][place][colour][place of the site][word], of a graph without colour
  std::uint32_t* d_next_spins;
  int* d_unsatisfied;  ///< bonds [pack][place][lane]
  int* d_next_unsatisfied;
  int* d_down;  ///< spins -1 [pack][place][lane]; null without a field
  int* d_next_down;
  std::uint16_t* d_walker;  ///< replica of the copy, 12 bits, and heading + 1 [pack][place][lane]
  std::uint16_t* d_next_walker;

  const std::uint32_t*
      d_negative;  ///< J < 0 [pack][direction][place of the site of colour 0][word], or [pack][link][word]
  const std::uint32_t* d_absent;  ///< J = 0, in the same order; null where none is
  std::uint32_t* d_mask;          ///< lanes that exchange slots t and t + 1 [pack][copy][t][word]

  [[nodiscard]] GLASSWORKS_HD int replicas() const { return common.replicas(); }
  /// Steps that a pack has done before step `step` of the round.
  [[nodiscard]] GLASSWORKS_HD std::uint64_t steps_before(int pack, std::uint64_t step) const {
    return common.d_first_step[d_packs[pack].task] + step;
  }
  /// moved: what was written is not sums alone
  void take_next(bool moved) {
    std::swap(d_unsatisfied, d_next_unsatisfied);
    if (d_next_down != nullptr) std::swap(d_down, d_next_down);
    if (!moved) return;
    std::swap(d_spins, d_next_spins);
    std::swap(d_walker, d_next_walker);
  }
  [[nodiscard]] GLASSWORKS_HD int lanes() const { return 32 * words; }
  /// Words of a replica.
  [[nodiscard]] GLASSWORKS_HD std::int64_t replica_words() const { return std::int64_t{sites} * words; }
  [[nodiscard]] GLASSWORKS_HD std::uint32_t* spins_of(int pack, int place) const {
    return d_spins + (std::int64_t{pack} * replicas() + place) * replica_words();
  }
  /// Words of the couplings of a pack.
  [[nodiscard]] GLASSWORKS_HD std::int64_t coupling_words() const { return couplings * words; }
  [[nodiscard]] GLASSWORKS_HD std::int64_t lane_of(int pack, int place, int lane) const {
    return (std::int64_t{pack} * replicas() + place) * lanes() + lane;
  }
};

/// Energies of the replicas in one lane of a pack.
class LaneEnergy {
 public:
  LaneEnergy() = default;
  /// lane: of the batch, pack * lanes() + lane
  GLASSWORKS_HD LaneEnergy(const MultispinBatch& b, int lane) : term_(b.d_term[lane]), bonds_(b.d_bonds[lane]) {
    if (b.d_field_term == nullptr) return;
    field_term_ = b.d_field_term[lane];
    sites_ = b.common.sites();
  }
  /// In units of the energy scale. at: MultispinBatch::lane_of
  [[nodiscard]] GLASSWORKS_HD std::int64_t of(const MultispinBatch& b, std::int64_t at) const {
    return b.d_down == nullptr ? of_bonds(b.d_unsatisfied[at]) : of_counts(b.d_unsatisfied[at], b.d_down[at]);
  }
  /// With so many unsatisfied bonds and spins -1.
  [[nodiscard]] GLASSWORKS_HD std::int64_t of_counts(int unsatisfied, int down) const {
    return of_bonds(unsatisfied) + field_term_ * (2 * std::int64_t{down} - sites_);
  }
  /// Without a field, with so many unsatisfied bonds.
  [[nodiscard]] GLASSWORKS_HD std::int64_t of_bonds(int unsatisfied) const {
    return term_ * (2 * std::int64_t{unsatisfied} - bonds_);
  }

 private:
  std::int64_t term_ = 0, bonds_ = 0, field_term_ = 0, sites_ = 0;
};

/// A replica on its ladder: see MultispinBatch::d_walker.
struct Walker {
  int replica;  ///< of the copy
  int heading;

  [[nodiscard]] GLASSWORKS_HD static Walker of(std::uint16_t word) { return {word & 0xFFF, (word >> 12) - 1}; }
  [[nodiscard]] GLASSWORKS_HD std::uint16_t word() const {
    return static_cast<std::uint16_t>(replica | (heading + 1) << 12);
  }
};

}}  // namespace glassworks::cuda
