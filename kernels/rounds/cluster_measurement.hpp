#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/core/modes.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_formulas.hpp"

namespace glassworks { inline namespace rounds {

/// Integer sums over the sites of one replica at a measurement.
struct SiteSums {
  std::int64_t energy = 0;           ///< E = - sum_b fix(J x_b), units of the energy scale of the disorder
  std::vector<std::int64_t> planes;  ///< sums over the planes of equal coordinate [axis][coordinate][plane_columns]
  std::int64_t modulus_2 = 0, modulus_4 = 0;         ///< sum fix(phi^2), sum fix((phi^2)^2) where |phi| is free
  std::vector<std::int64_t> local = {};              ///< of the local observables of the chain
  std::int64_t triangle_squares = 0, triangles = 0;  ///< sum fix(kappa^2) of triangles, and their number
};

/// Integer sums over a pair of copies at one slot.
struct OverlapSums {
  std::int64_t link = 0;             ///< sum_b x_b^(a) x_b^(b), x_b = s_i.s_j or delta(sigma_i, sigma_j)
  std::vector<std::int64_t> planes;  ///< [axis][coordinate][pair_columns]
  /// sum fix(kappa^(a) kappa^(b)) over the plaquettes of an orientation (plaquettes.hpp), where chiralities are
  /// measured [axis][coordinate][orientation]; or over all triangles [axis][coordinate]
  std::vector<std::int64_t> chirality = {};
};

/// A measurement on the host: ClusterFormulas applied to the sums of all copies and pairs of a slot.
class ClusterMeasurement {
 public:
  ClusterMeasurement(const Chain& chain, FixedScale energy_scale);

  [[nodiscard]] const BinLayout& layout() const { return formulas_.layout(); }
  /// Whether the chiralities of pairs are those of plaquettes, and of triangles.
  [[nodiscard]] bool measures_plaquettes() const {
    return layout().has(BinQuantity::chiral_zero) && !measures_triangles();
  }
  [[nodiscard]] bool measures_triangles() const { return layout().has(BinQuantity::triangle_chirality_2); }
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
  [[nodiscard]] std::vector<Complex> traces_of(std::span<const OverlapSums> overlaps) const;

  SpinModel model_;
  ClusterFormulas formulas_;
  std::vector<PhaseTable> phases_;  ///< [axis]
  double energy_unit_;
  std::size_t locals_;
};

}}  // namespace glassworks::rounds
