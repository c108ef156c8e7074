#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "kernels/models/sweep_constants.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace rounds {

/// Part of a replica that falls to one of the threads that update it together.
struct Share {
  int index = 0, count = 1;
  TeamBarrier* barrier = nullptr;

  void synchronize() const {
    if (count > 1) barrier->arrive_and_wait();
  }
  /// First and last + 1 of `total` things, in multiples of `unit`.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(std::int64_t total, std::int64_t unit = 1) const {
    const std::int64_t units = (total + unit - 1) / unit;
    const auto bound = [&](int i) { return std::min(total, units * i / count * unit); };
    return {bound(index), bound(index + 1)};
  }
};

/// What a chain has at its temperatures: the scales of its sums, and the weight of |phi|.
[[nodiscard]] SumScales scales_of(const Chain& chain);
[[nodiscard]] exact::Phi4Weight phi4_weight_of(const Chain& chain);

/// What all replicas of one realization have in common.
struct ClusterSystem {
  /// beside: what the local update keeps of all replicas (BesideLayout), which outlives the system; null: nothing
  ClusterSystem(const Chain& chain, const Disorder& disorder, std::uint32_t realization,
                std::int64_t* beside = nullptr);

  const Chain& chain;
  const Disorder& disorder;
  BondView bonds;
  std::uint32_t realization;
  std::int64_t* beside;
  bool uniform;                          ///< discrete spins, and all couplings have one modulus
  std::vector<std::uint32_t> threshold;  ///< of active bonds where `uniform` [slot]
  std::uint32_t flip_threshold;          ///< of p_flip
  float minus_factor;                    ///< -2, of potts -1: exponent of a satisfied bond = minus_factor beta |J|
  Step step;
  SumScales scales;
  exact::Phi4Weight phi4;
};

/// One replica. Every member of the threads that share it calls the same functions with its share.
class ClusterReplica {
 public:
  virtual ~ClusterReplica() = default;

  /// Before the moves of a step.
  virtual void begin_step(const Share& share) = 0;
  /// Moves of ClusterSystem::step in a repetition at a slot, none of them between copies. The last cluster update of a
  /// repetition whose `observe` is set leaves clusters().
  virtual void make(std::span<const PlacedMove> moves, std::uint64_t repetition, int slot, bool observe,
                    const Share& share) = 0;
  /// Brings unit vectors back to length 1 and, if it is asked for, takes the energy, which is complete after the
  /// threads have met.
  virtual void finish_step(const Share& share, bool energy) = 0;
  /// Adds the sums over the share's sites; `planes` has the shape of ClusterMeasurement::empty_sites.
  virtual void add_sites(SiteSums& sums, const Share& share) const = 0;

  /// After the last step that was asked for it.
  [[nodiscard]] virtual std::int64_t energy() const = 0;
  [[nodiscard]] virtual const ClusterSums& clusters() const = 0;
  /// Whether |phi| has been larger than the sums of a measurement have room for.
  [[nodiscard]] virtual bool too_large() const = 0;
  /// States [site], or components [component][stride()].
  [[nodiscard]] virtual std::uint8_t* states() = 0;
  [[nodiscard]] virtual float* spins() = 0;
  [[nodiscard]] virtual std::int64_t stride() const = 0;
};

}}  // namespace glassworks::rounds
