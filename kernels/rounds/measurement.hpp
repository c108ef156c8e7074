#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks { inline namespace rounds {

/// Fixed-point sums over one pair of copies at one slot.
struct PairSums {
  std::int64_t link = 0;                ///< sum over sites of sum_axis of products of s_i.s_{i+axis} [site scale]
  std::vector<std::int64_t> overlap;    ///< s_mu^(a) s_nu^(b) [direction][plane][mu * 3 + nu] [overlap scale]
  std::vector<std::int64_t> chirality;  ///< kappa^(a) kappa^(b) [axis][direction][plane] [overlap scale]
};

/// Turns the integer sums of one slot into observables, in double and in one stated order, and adds them to a bin.
///
/// Used by the backends on the host after their integer sums, so the observables are equal to the bit; a device applies
/// the same MeasurementFormulas. Cost: about 2 (9 + d) L (number of modes) double operations for a pair.
class Measurement {
 public:
  Measurement(const Chain& chain, FixedScale energy_scale);

  [[nodiscard]] const BinLayout& layout() const { return formulas_.layout(); }
  [[nodiscard]] const Modes& modes() const { return formulas_.modes(); }
  /// Pairs of copies, in the order of pair_of_copies.
  [[nodiscard]] int pairs() const { return formulas_.pairs(); }
  [[nodiscard]] PairSums empty_pair() const;

  /// replicas[copy], pairs[pair] of one slot; bin[observable] is added to. sample[quantity]: set to what this
  /// measurement alone has; null: not wanted.
  void add(const ReplicaSums* replicas, const PairSums* pairs, double* bin, float* sample = nullptr);

 private:
  void add_to_bin(const ReplicaSums* replicas, const PairSums* pairs, double* bin);
  void add_pair(const PairSums& pair, int index, double* bin);
  void add_chirality(const PairSums& pair, int index, double* bin);

  Lattice lattice_;
  MeasurementFormulas formulas_;
  std::vector<double> phase_;  ///< cos, then sin of 2 pi j / L [2][L]
  double energy_unit_;
  std::vector<Complex> trace_;  ///< A_ab(k) [pair][mode]
  std::vector<Complex> kept_;   ///< q_c^a(k), where they are kept [pair][axis][mode]
  std::vector<double> before_;  ///< a bin before the measurement that is sampled [observable]
};

}}  // namespace glassworks::rounds
