#pragma once

#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/models/triangles.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/line_square.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks { inline namespace rounds {

/// The double-precision part of a measurement of the models of cluster updates: how the integer sums of one slot become
/// the columns of BinLayout. Plain values, for host and device; the order of the additions is part of the
/// definition of the results. Each function adds the part of one replica or pair to values that begin at 0; `mean`
/// makes what is measured of the values of all copies and pairs, added in their order.
///
/// Sums over planes come as a type with
///   total(column)         sum over all sites, an integer
///   square(axis, column)  line_square of the planes along an axis at 2 pi/L_a, with the scale below
class ClusterFormulas {
 public:
  ClusterFormulas(const Chain& chain, const SumScales& scales);

  [[nodiscard]] GLASSWORKS_HD constexpr const BinLayout& layout() const { return layout_; }
  [[nodiscard]] GLASSWORKS_HD constexpr const Lattice& lattice() const { return lattice_; }
  /// What sums over planes are multiplied by, per site: of one replica, and of a pair.
  [[nodiscard]] GLASSWORKS_HD double site_scale() const { return vector_unit_ / sites_; }
  [[nodiscard]] GLASSWORKS_HD double pair_scale() const { return pair_unit_ / sites_; }

  /// Sums over the sites of a replica beside those over planes.
  struct Scalars {
    std::int64_t energy;  ///< E in units of energy_unit
    double energy_unit;
    std::int64_t modulus_2, modulus_4;
    const std::int64_t* local;  ///< of the local observables of the chain
  };
  template <class Planes>
  GLASSWORKS_HD void add_sites(const Scalars& sums, const Planes& planes, int copy, double* value) const {
    using Q = BinQuantity;
    const double e = static_cast<double>(sums.energy) * sums.energy_unit / sites_;
    const int columns = plane_columns(model_);
    double m2 = 0.0;
    for (int column = 0; column < columns; ++column) {
      const double m = static_cast<double>(planes.total(column)) * vector_unit_ / sites_;
      m2 += m * m;
    }
    const double q = model_.states;
    const auto of_model = [this, q](double square) { return of_densities_ ? q * square / (q - 1.0) : square; };
    if (of_densities_) {
      m2 = (q * m2 - 1.0) / (q - 1.0);
      m2 = m2 < 0.0 ? 0.0 : m2;
    }
    value[layout_[Q::energy]] += e;
    value[layout_[Q::energy_squared]] += e * e;
    value[layout_[Q::magnetization_abs]] += std::sqrt(m2);
    value[layout_[Q::magnetization_2]] += m2;
    value[layout_[Q::magnetization_4]] += m2 * m2;
    value[layout_[Q::magnetization_kmin]] += of_model(at_k_min(columns, planes));
    for (int axis = 0; axis < axes_; ++axis) {
      value[layout_.at(Q::magnetization_along, axis)] += of_model(along(axis, columns, planes));
    }
    const bool free = has_free_modulus(model_);
    value[layout_[Q::modulus_2]] += free ? static_cast<double>(sums.modulus_2) * pair_unit_ / sites_ : 1.0;
    value[layout_[Q::modulus_4]] += free ? static_cast<double>(sums.modulus_4) * link_unit_ / sites_ : 1.0;
    for (int i = 0; i < locals_; ++i) {
      value[layout_.at(Q::local, i)] += static_cast<double>(sums.local[i]) * local_unit_ / local_terms_[i];
    }
    value[layout_.at(Q::energy_of_copy, copy)] +=
        e * layout_.copies();  // every value is divided by the number of copies
  }

  GLASSWORKS_HD void add_clusters(const ClusterSums& sums, double energy_unit, double* value) const {
    using Q = BinQuantity;
    if (layout_.has(Q::local_acceptance) && sums.proposed > 0) {
      value[layout_[Q::local_acceptance]] += static_cast<double>(sums.accepted) / static_cast<double>(sums.proposed);
    }
    if (layout_.has(Q::reserve_energy)) {
      value[layout_[Q::reserve_energy]] += static_cast<double>(sums.reserve) * energy_unit / sites_;
    }
    if (updates_per_step_ > 0)
      value[layout_[Q::moved_sites]] += static_cast<double>(sums.moved) / (sites_ * updates_per_step_);
    if (!decomposes_) return;
    const double squares = static_cast<double>(sums.squares) / (sites_ * sites_);
    const double n = components_of(model_);
    double kmin = 0.0;
    int longest = 0;
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      if (!has_k_min(axis)) continue;
      kmin += static_cast<double>(sums.kmin[static_cast<std::size_t>(axis)]) * square_unit_;
      ++longest;
    }
    const double weight = static_cast<double>(sums.weight) * square_unit_ / (sites_ * sites_);
    value[layout_[Q::improved_m2]] += model_.is_discrete() ? squares : n * weight;
    value[layout_[Q::improved_kmin]] += n * kmin / longest / (sites_ * sites_);
    value[layout_[Q::clusters]] += static_cast<double>(sums.clusters) / sites_;
    value[layout_[Q::largest_cluster]] += static_cast<double>(sums.largest) / sites_;
    value[layout_[Q::mean_cluster]] += static_cast<double>(sums.squares) / sites_;
    value[layout_[Q::wrapping_any]] += sums.wrapping_any ? 1.0 : 0.0;
    value[layout_[Q::wrapping_all]] += sums.wrapping_all ? 1.0 : 0.0;
  }

  template <class Planes>
  GLASSWORKS_HD void add_overlap(std::int64_t link, const Planes& planes, double* value) const {
    using Q = BinQuantity;
    const int n = components_of(model_);
    double q = 0.0, square = 0.0;
    for (int column = 0; column < n * n; ++column) {
      const double x = static_cast<double>(planes.total(column)) * pair_unit_ / sites_;
      square += x * x;
      if (column % (n + 1) == 0) q += x;
    }
    const double states = model_.states;
    const auto of_model = [this, states](double at_k) {
      return of_densities_ ? at_k * (states / (states - 1.0) * (states / (states - 1.0))) : at_k;
    };
    if (of_densities_) {
      q = (states * q - 1.0) / (states - 1.0);
      square = q * q;
    }
    value[layout_[Q::overlap]] += q;
    value[layout_[Q::overlap_2]] += square;
    value[layout_[Q::overlap_4]] += square * square;
    value[layout_[Q::overlap_kmin]] += of_model(at_k_min(n * n, planes));
    for (int axis = 0; axis < axes_; ++axis) {
      value[layout_.at(Q::overlap_along, axis)] += of_model(along(axis, n * n, planes));
    }
    value[layout_[Q::link_overlap]] += static_cast<double>(link) * link_unit_ / bonds_;
  }

  /// planes: of the chiralities of a pair; a column is an orientation
  template <class Planes>
  GLASSWORKS_HD void add_chirality(const Planes& planes, double* value) const {
    using Q = BinQuantity;
    const int dim = lattice_.dim, orientations = plaquette_planes(dim);
    const double scale = pair_unit_ / sites_;
    double zero = 0.0, fourth = 0.0, parallel = 0.0, perpendicular = 0.0;
    int normal = 0, within = 0;
    for (int mu = 0; mu < orientations; ++mu) {
      const double q = static_cast<double>(planes.total(mu)) * scale;
      zero += q * q;
      fourth += (q * q) * (q * q);
      for (int axis = 0; axis < dim; ++axis) {
        if (!has_k_min(axis)) continue;
        const bool lies_in = plaquette_plane(mu, dim).holds(axis);
        (lies_in ? perpendicular : parallel) += planes.square(axis, mu);
        ++(lies_in ? within : normal);
      }
    }
    value[layout_[Q::chiral_4]] += fourth / orientations;
    value[layout_[Q::chiral_zero]] += zero / orientations;
    value[layout_[Q::chiral_kmin_perpendicular]] += perpendicular / within;
    if (dim > 2) value[layout_[Q::chiral_kmin_parallel]] += parallel / normal;
  }

  /// planes: of the chiralities of the triangles of a pair, in one column
  template <class Planes>
  GLASSWORKS_HD void add_triangles(const Planes& planes, double* value) const {
    const double q = static_cast<double>(planes.total(0)) * pair_scale(), square = q * q;
    value[layout_[BinQuantity::chiral_zero]] += square;
    value[layout_[BinQuantity::chiral_4]] += square * square;
    if (!layout_.has(BinQuantity::chiral_kmin_perpendicular)) return;
    value[layout_[BinQuantity::chiral_kmin_perpendicular]] += at_k_min(1, planes);
  }

  /// squares: sum of kappa^2 of the triangles of a replica at triangle_scale; count: of them
  GLASSWORKS_HD void add_triangle_squares(std::int64_t squares, std::int64_t count, double* value) const {
    if (count == 0) return;
    value[layout_[BinQuantity::triangle_chirality_2]] +=
        static_cast<double>(squares) * triangle_scale.unit() / static_cast<double>(count);
  }

  /// Modes of the terms in a field, 0 where they are not measured: k = 0, 2 pi/L_a along each axis, 4 pi/L_a along each
  /// axis.
  [[nodiscard]] GLASSWORKS_HD constexpr int field_modes() const { return layout_.count(BinQuantity::chi_1); }
  /// Axis and multiple of 2 pi/L of a mode of the terms in a field.
  struct FieldMode {
    int axis, multiple;
  };
  [[nodiscard]] GLASSWORKS_HD FieldMode field_mode(int mode) const {
    const int dim = lattice_.dim;
    return mode == 0 ? FieldMode{0, 0} : FieldMode{(mode - 1) % dim, 1 + (mode - 1) / dim};
  }
  /// Trace of the overlap at a mode, from the planes of a pair.
  ///
  /// cosine, sine     of 2 pi x/L along its axis [L]
  /// plane(x, column)
  template <class Plane>
  [[nodiscard]] GLASSWORKS_HD Complex trace(int mode, const double* cosine, const double* sine,
                                            const Plane& plane) const {
    const int n = components_of(model_), multiple = field_mode(mode).multiple;
    const int L = lattice_.length(field_mode(mode).axis);
    Complex sum;
    for (int x = 0; x < L; ++x) {
      std::int64_t diagonal = 0;
      for (int mu = 0; mu < n; ++mu) diagonal += plane(x, mu * (n + 1));
      const int angle = multiple * x % L;
      sum.re += static_cast<double>(diagonal) * cosine[angle];
      sum.im += static_cast<double>(diagonal) * sine[angle];
    }
    return {sum.re * pair_scale(), sum.im * pair_scale()};
  }
  /// traces: [pair][field_modes]
  GLASSWORKS_HD void add_field_terms(const Complex* traces, double* value) const {
    const int modes = field_modes(), copies = layout_.copies();
    for (int mode = 0; mode < modes; ++mode) {
      const FieldTerms terms =
          field_terms([&](int a, int b) { return traces[pair_of_copies(a, b, copies) * modes + mode]; });
      for (int term = 1; term <= 3; ++term) {  // every value is divided by the number of pairs
        value[layout_.at(chi_term(term), mode)] += terms.chi[term - 1] * pairs();
      }
    }
  }

  /// Value i, summed over all copies or pairs, per copy or pair.
  [[nodiscard]] GLASSWORKS_HD double mean(int i, double sum) const {
    return sum / (layout_.is_of_pairs(i) ? static_cast<double>(pairs()) : layout_.copies());
  }
  [[nodiscard]] GLASSWORKS_HD constexpr int pairs() const { return layout_.copies() * (layout_.copies() - 1) / 2; }

 private:
  /// Whether k_min = 2 pi/L lies along an axis: along those of a cube, and the longest ones of a prism or a graph.
  [[nodiscard]] GLASSWORKS_HD bool has_k_min(int axis) const { return lattice_.length(axis) == longest_; }

  /// |q(k)|^2 at 2 pi/L_a along one axis.
  template <class Planes>
  [[nodiscard]] GLASSWORKS_HD double along(int axis, int columns, const Planes& planes) const {
    return mean_over_axes(1, columns, [&](int, int column) { return planes.square(axis, column); });
  }
  template <class Planes>
  [[nodiscard]] GLASSWORKS_HD double at_k_min(int columns, const Planes& planes) const {
    if (lattice_.is_cube()) {  // one sum over all axes: the bits of a cube follow from this order
      return mean_over_axes(lattice_.dim, columns, [&](int axis, int column) { return planes.square(axis, column); });
    }
    double sum = 0.0;
    int longest = 0;
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      if (!has_k_min(axis)) continue;
      sum += along(axis, columns, planes);
      ++longest;
    }
    return sum / longest;
  }

  SpinModel model_;
  Lattice lattice_;
  BinLayout layout_;
  double vector_unit_, pair_unit_, link_unit_, square_unit_, local_unit_, sites_, bonds_;
  bool of_densities_;  ///< planes hold densities of q states, which stand for vectors to the corners of a simplex
  bool decomposes_;
  int updates_per_step_;
  int longest_;
  int axes_;  ///< whose modes stand alone: d or 0
  int locals_ = 0;
  double local_terms_[local_observable_bits] = {};
};

}}  // namespace glassworks::rounds
