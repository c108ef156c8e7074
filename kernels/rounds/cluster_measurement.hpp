#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/modes.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_observables.hpp"

namespace glassworks::inline rounds {

/// Integer sums over the sites of one replica at a measurement.
struct SiteSums {
  std::int64_t energy = 0;           ///< E = - sum_b fix(J x_b), units of the energy scale of the disorder
  std::vector<std::int64_t> planes;  ///< sums over the planes of equal coordinate [axis][coordinate][plane_columns]
  std::int64_t modulus_2 = 0, modulus_4 = 0;  ///< sum fix(phi^2), sum fix((phi^2)^2) where |phi| is free
  std::vector<std::int64_t> local = {};       ///< of the local observables of the chain
};

/// Integer sums over a pair of copies at one slot.
struct OverlapSums {
  std::int64_t link = 0;             ///< sum_b x_b^(a) x_b^(b), x_b = s_i.s_j or delta(sigma_i, sigma_j)
  std::vector<std::int64_t> planes;  ///< [axis][coordinate][pair_columns]
  /// sum fix(kappa^(a) kappa^(b)) over the plaquettes of an orientation (plaquettes.hpp), where chiralities are
  /// measured [axis][coordinate][orientation]
  std::vector<std::int64_t> chirality = {};
};

/// The double-precision part of a measurement: observables from integer sums, in one order.
class ClusterMeasurement {
 public:
  ClusterMeasurement(const Chain& chain, FixedScale energy_scale);

  [[nodiscard]] const ClusterObservables& layout() const { return layout_; }
  [[nodiscard]] SiteSums empty_sites() const;
  [[nodiscard]] OverlapSums empty_overlap() const;

  /// Adds one measurement of a slot to its row of a bin.
  ///
  /// sites     of the replica of each copy that stands in the slot [copy]
  /// clusters  of the replica of each copy that stood in the slot during the last step [copy]
  /// overlaps  of the pairs (0,1), (0,2), ..., (1,2), ...
  /// sample    the values as float, if not null
  void add(std::span<const SiteSums> sites, std::span<const ClusterSums> clusters,
           std::span<const OverlapSums> overlaps, double* bin, float* sample) const;

 private:
  /// |q(k)|^2 of planes at k_min, and at 2 pi/L_a along one axis.
  [[nodiscard]] double mode(const std::vector<std::int64_t>& planes, int columns, double unit) const;
  [[nodiscard]] double mode(const std::vector<std::int64_t>& planes, int columns, double unit, int axis) const;
  void add_sites(const SiteSums& sums, int copy, double* value) const;
  void add_clusters(const ClusterSums& sums, double* value) const;
  void add_overlap(const OverlapSums& sums, double* value) const;
  void add_chirality(const OverlapSums& sums, double* value) const;
  void add_field_terms(std::span<const OverlapSums> overlaps, double* value) const;

  SpinModel model_;
  Lattice lattice_;
  ClusterObservables layout_;
  std::vector<PhaseTable> phases_;  ///< [axis]
  double energy_unit_;
  SumScales scales_;
  std::vector<double> local_terms_;
  double vector_unit_, pair_unit_, link_unit_, square_unit_;
  bool of_densities_;  ///< planes hold densities of q states, which stand for vectors to the corners of a simplex
  double sites_;
  int updates_per_step_, sweeps_per_step_;
  bool decomposes_;
};

}  // namespace glassworks::inline rounds
