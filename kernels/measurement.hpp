#pragma once

#include <cstdint>
#include <vector>

#include "kernels/chain.hpp"
#include "kernels/observables.hpp"

namespace glassworks {

/// Fixed-point sums over one replica.
struct ReplicaSums {
  std::int64_t energy = 0;             ///< sum over odd sites of s.h plus over even sites of s.H: -E [energy scale]
  std::int64_t field = 0;              ///< sum of s.H [energy scale]
  std::int64_t q_s = 0;                ///< sum over sites of sum_axis (s_i.s_{i+axis})^2 [site scale]
  std::int64_t magnetization[3] = {};  ///< sum of s [overlap scale]
};

/// Fixed-point sums over one pair of copies at one slot.
struct PairSums {
  std::int64_t link = 0;                ///< sum over sites of sum_axis of products of s_i.s_{i+axis} [site scale]
  std::vector<std::int64_t> overlap;    ///< s_mu^(a) s_nu^(b) [direction][plane][mu * 3 + nu] [overlap scale]
  std::vector<std::int64_t> chirality;  ///< kappa^(a) kappa^(b) [axis][direction][plane] [overlap scale]
};

/// Turns the integer sums of one slot into observables, in double and in one stated order, and adds them to a bin.
///
/// Used by every backend after its integer sums, so the observables are equal to the bit. Cost: about
/// 2 (9 + d) L (number of modes) double operations for a pair.
class Measurement {
 public:
  Measurement(const Chain& chain, FixedScale energy_scale);

  [[nodiscard]] const ObservableLayout& layout() const { return layout_; }
  /// Pairs of copies in the order (0,1), (0,2), ..., (1,2), ...
  [[nodiscard]] int pairs() const { return copies_ * (copies_ - 1) / 2; }
  [[nodiscard]] static int pair_index(int a, int b, int copies);
  [[nodiscard]] PairSums empty_pair() const;

  /// replicas[copy], pairs[pair] of one slot; bin[observable] is added to.
  void add(const ReplicaSums* replicas, const PairSums* pairs, double* bin);

 private:
  void add_replicas(const ReplicaSums* replicas, double* bin) const;
  void add_pair(const PairSums& pair, int index, double weight, double* bin);
  void add_chirality(const PairSums& pair, double weight, double* bin) const;
  void add_four_copies(double* bin) const;

  Lattice lattice_;
  int copies_;
  ObservableLayout layout_;
  PhaseTable phase_;
  double energy_unit_, overlap_unit_, site_unit_;
  std::vector<double> trace_;  ///< A_ab(k): [pair][mode][re, im]
};

}  // namespace glassworks
