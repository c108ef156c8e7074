#include "kernels/rounds/cluster_measurement.hpp"

#include <cmath>

#include "kernels/models/local_observables.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/local_sums.hpp"
#include "kernels/rounds/measurement_formulas.hpp"
#include "kernels/rounds/modulus_scale.hpp"
#include "kernels/rounds/plane_mode.hpp"

namespace glassworks::inline rounds {
namespace {

using O = ClusterObservables;

/// Sum over all sites of a column, from the planes along x.
std::int64_t total(const std::vector<std::int64_t>& planes, const Lattice& lattice, int columns, int column) {
  std::int64_t sum = 0;
  for (int x = 0; x < lattice.length(0); ++x) sum += planes[static_cast<std::size_t>(x * columns + column)];
  return sum;
}

/// Whether k_min = 2 pi/L lies along an axis: along those of a cube, and the longest ones of a prism.
bool has_k_min(const Lattice& lattice, int axis) { return lattice.length(axis) == lattice.L; }

std::vector<PhaseTable> phases_of(const Lattice& lattice) {
  std::vector<PhaseTable> phases;
  for (int axis = 0; axis < lattice.dim; ++axis) phases.emplace_back(lattice.length(axis));
  return phases;
}

/// Trace of the overlap at k = 2 pi multiple/L_a along an axis, from its planes; n components of the spins.
Complex trace_of(const OverlapSums& sums, const Lattice& lattice, const PhaseTable& phase, int axis, int multiple,
                 int n) {
  Complex trace;
  const int L = lattice.length(axis);
  for (int x = 0; x < L; ++x) {
    const std::int64_t* plane = sums.planes.data() + static_cast<std::ptrdiff_t>(lattice.plane(axis, x)) * n * n;
    std::int64_t diagonal = 0;
    for (int mu = 0; mu < n; ++mu) diagonal += plane[mu * (n + 1)];
    const auto angle = static_cast<std::size_t>(multiple * x % L);
    trace.re += static_cast<double>(diagonal) * phase.cosine[angle];
    trace.im += static_cast<double>(diagonal) * phase.sine[angle];
  }
  return trace;
}

}  // namespace

ClusterMeasurement::ClusterMeasurement(const Chain& chain, FixedScale energy_scale)
    : model_(chain.model),
      lattice_(chain.lattice),
      layout_(chain),
      phases_(phases_of(chain.lattice)),
      energy_unit_(energy_scale.unit()),
      scales_(sum_scales(model_, lattice_, modulus_exponent(chain))),
      local_terms_(local_terms(chain.local, lattice_)),
      vector_unit_(model_.is_discrete() ? 1.0 : scales_.component.unit()),
      pair_unit_(scales_.product.unit()),
      link_unit_(scales_.quartic.unit()),
      square_unit_(scales_.square.unit()),
      of_densities_(!facts_of(model_).reflects),
      sites_(static_cast<double>(lattice_.sites())),
      updates_per_step_(chain.protocol.sweeps_per_exchange * chain.cluster_sweeps()),
      sweeps_per_step_(chain.protocol.sweeps_per_exchange * chain.protocol.heatbath),
      decomposes_(chain.protocol.kind == ProtocolKind::swendsen_wang && updates_per_step_ > 0) {}

SiteSums ClusterMeasurement::empty_sites() const {
  SiteSums sums;
  sums.planes.assign(static_cast<std::size_t>(lattice_.planes() * plane_columns(model_)), 0);
  sums.local.assign(local_terms_.size(), 0);
  return sums;
}

OverlapSums ClusterMeasurement::empty_overlap() const {
  OverlapSums sums;
  const int planes = lattice_.planes();
  sums.planes.assign(static_cast<std::size_t>(planes * pair_columns(model_)), 0);
  if (layout_.chiralities() > 0) {
    sums.chirality.assign(static_cast<std::size_t>(planes * plaquette_planes(lattice_.dim)), 0);
  }
  return sums;
}

double ClusterMeasurement::mode(const std::vector<std::int64_t>& planes, int columns, double unit) const {
  if (lattice_.is_cube()) {  // one sum over all axes: the bits of a cube follow from this order
    return plane_mode(
        lattice_.dim, lattice_.L, columns, unit / sites_, phases_[0].cosine.data(), phases_[0].sine.data(),
        [&](int axis, int x, int column) {
          return static_cast<double>(planes[static_cast<std::size_t>(lattice_.plane(axis, x) * columns + column)]);
        });
  }
  double sum = 0.0;
  int longest = 0;
  for (int axis = 0; axis < lattice_.dim; ++axis) {
    if (!has_k_min(lattice_, axis)) continue;
    sum += mode(planes, columns, unit, axis);
    ++longest;
  }
  return sum / longest;
}

double ClusterMeasurement::mode(const std::vector<std::int64_t>& planes, int columns, double unit, int axis) const {
  const PhaseTable& phase = phases_[static_cast<std::size_t>(axis)];
  return plane_mode(
      1, lattice_.length(axis), columns, unit / sites_, phase.cosine.data(), phase.sine.data(),
      [&](int, int x, int column) {
        return static_cast<double>(planes[static_cast<std::size_t>(lattice_.plane(axis, x) * columns + column)]);
      });
}

void ClusterMeasurement::add_sites(const SiteSums& sums, int copy, double* value) const {
  const double e = static_cast<double>(sums.energy) * energy_unit_ / sites_;
  const int columns = plane_columns(model_);
  double m2 = 0.0;
  for (int column = 0; column < columns; ++column) {
    const double m = static_cast<double>(total(sums.planes, lattice_, columns, column)) * vector_unit_ / sites_;
    m2 += m * m;
  }
  const auto of_model = [this](double square) {
    const double q = model_.states;
    return of_densities_ ? q * square / (q - 1.0) : square;
  };
  if (of_densities_) {
    const double q = model_.states;
    m2 = (q * m2 - 1.0) / (q - 1.0);
    m2 = m2 < 0.0 ? 0.0 : m2;
  }
  value[O::energy] += e;
  value[O::energy_squared] += e * e;
  value[O::magnetization_abs] += std::sqrt(m2);
  value[O::magnetization_2] += m2;
  value[O::magnetization_4] += m2 * m2;
  value[O::magnetization_kmin] += of_model(mode(sums.planes, columns, vector_unit_));
  for (int axis = 0; axis < layout_.axes(); ++axis) {
    value[layout_.magnetization_of_axis(axis)] += of_model(mode(sums.planes, columns, vector_unit_, axis));
  }
  if (has_modulus(model_)) {
    value[O::modulus_2] += static_cast<double>(sums.modulus_2) * pair_unit_ / sites_;
    value[O::modulus_4] += static_cast<double>(sums.modulus_4) * link_unit_ / sites_;
  } else {
    value[O::modulus_2] += 1.0;
    value[O::modulus_4] += 1.0;
  }
  for (std::size_t i = 0; i < local_terms_.size(); ++i) {
    value[layout_.local(static_cast<int>(i))] +=
        static_cast<double>(sums.local[i]) * local_scale.unit() / local_terms_[i];
  }
  value[layout_.energy_of_copy(copy)] += e * layout_.copies();  // every value is divided by the number of copies
}

void ClusterMeasurement::add_clusters(const ClusterSums& sums, double* value) const {
  if (has_modulus(model_)) {
    value[layout_.local_acceptance()] += static_cast<double>(sums.accepted) / (sites_ * sweeps_per_step_);
  }
  if (updates_per_step_ > 0) value[O::moved_sites] += static_cast<double>(sums.moved) / (sites_ * updates_per_step_);
  if (!decomposes_) return;
  const double squares = static_cast<double>(sums.squares) / (sites_ * sites_);
  const double n = components_of(model_);
  double kmin = 0.0;
  int longest = 0;
  for (int axis = 0; axis < lattice_.dim; ++axis) {
    if (!has_k_min(lattice_, axis)) continue;
    kmin += static_cast<double>(sums.kmin[static_cast<std::size_t>(axis)]) * square_unit_;
    ++longest;
  }
  const double weight = static_cast<double>(sums.weight) * square_unit_ / (sites_ * sites_);
  value[O::improved_m2] += model_.is_discrete() ? squares : n * weight;
  value[O::improved_kmin] += n * kmin / longest / (sites_ * sites_);
  value[O::clusters] += static_cast<double>(sums.clusters) / sites_;
  value[O::largest_cluster] += static_cast<double>(sums.largest) / sites_;
  value[O::mean_cluster] += static_cast<double>(sums.squares) / sites_;
  value[O::wrapping_any] += sums.wrapping_any ? 1.0 : 0.0;
  value[O::wrapping_all] += sums.wrapping_all ? 1.0 : 0.0;
}

void ClusterMeasurement::add_overlap(const OverlapSums& sums, double* value) const {
  const int n = components_of(model_);
  double q = 0.0, square = 0.0;
  for (int column = 0; column < n * n; ++column) {
    const double x = static_cast<double>(total(sums.planes, lattice_, n * n, column)) * pair_unit_ / sites_;
    square += x * x;
    if (column % (n + 1) == 0) q += x;
  }
  const auto of_model = [this](double at_k) {
    const double states = model_.states;
    return of_densities_ ? at_k * (states / (states - 1.0) * (states / (states - 1.0))) : at_k;
  };
  if (of_densities_) {
    const double states = model_.states;
    q = (states * q - 1.0) / (states - 1.0);
    square = q * q;
  }
  value[layout_.of_overlap(O::overlap)] += q;
  value[layout_.of_overlap(O::overlap_2)] += square;
  value[layout_.of_overlap(O::overlap_4)] += square * square;
  value[layout_.of_overlap(O::overlap_kmin)] += of_model(mode(sums.planes, n * n, pair_unit_));
  for (int axis = 0; axis < layout_.axes(); ++axis) {
    value[layout_.overlap_of_axis(axis)] += of_model(mode(sums.planes, n * n, pair_unit_, axis));
  }
  value[layout_.of_overlap(O::link_overlap)] +=
      static_cast<double>(sums.link) * link_unit_ / static_cast<double>(lattice_.bonds());
}

void ClusterMeasurement::add_chirality(const OverlapSums& sums, double* value) const {
  const int dim = lattice_.dim, orientations = plaquette_planes(dim);
  const double scale = pair_unit_ / sites_;
  double zero = 0.0, fourth = 0.0, parallel = 0.0, perpendicular = 0.0;
  int along = 0, across = 0;
  for (int mu = 0; mu < orientations; ++mu) {
    const double q = static_cast<double>(total(sums.chirality, lattice_, orientations, mu)) * scale;
    zero += q * q;
    fourth += (q * q) * (q * q);
    for (int axis = 0; axis < dim; ++axis) {
      if (!has_k_min(lattice_, axis)) continue;
      const PhaseTable& phase = phases_[static_cast<std::size_t>(axis)];
      const double square =
          plane_mode(1, lattice_.length(axis), 1, scale, phase.cosine.data(), phase.sine.data(), [&](int, int x, int) {
            const int place = lattice_.plane(axis, x) * orientations + mu;
            return static_cast<double>(sums.chirality[static_cast<std::size_t>(place)]);
          });
      const bool lies_in = plaquette_plane(mu, dim).holds(axis);
      (lies_in ? perpendicular : parallel) += square;
      ++(lies_in ? across : along);
    }
  }
  value[layout_.of_chirality(O::chiral_4)] += fourth / orientations;
  value[layout_.of_chirality(O::chiral_zero)] += zero / orientations;
  value[layout_.of_chirality(O::chiral_kmin_perpendicular)] += perpendicular / across;
  if (dim > 2) value[layout_.of_chirality(O::chiral_kmin_parallel)] += parallel / along;
}

void ClusterMeasurement::add_field_terms(std::span<const OverlapSums> overlaps, double* value) const {
  const int n = components_of(model_), dim = lattice_.dim;
  const double scale = pair_unit_ / sites_;
  for (int mode = 0; mode < layout_.field_modes(); ++mode) {
    const int axis = mode == 0 ? 0 : (mode - 1) % dim, multiple = mode == 0 ? 0 : 1 + (mode - 1) / dim;
    std::vector<Complex> traces;  // [pair]
    for (const OverlapSums& pair : overlaps) {
      const Complex sum = trace_of(pair, lattice_, phases_[static_cast<std::size_t>(axis)], axis, multiple, n);
      traces.push_back({sum.re * scale, sum.im * scale});
    }
    const FieldTerms terms = field_terms(
        [&](int a, int b) { return traces[static_cast<std::size_t>(pair_of_copies(a, b, layout_.copies()))]; });
    for (int term = 1; term <= 3; ++term) {  // every value is divided by the number of pairs
      value[layout_.chi_term(term, mode)] += terms.chi[term - 1] * static_cast<double>(overlaps.size());
    }
  }
}

void ClusterMeasurement::add(std::span<const SiteSums> sites, std::span<const ClusterSums> clusters,
                             std::span<const OverlapSums> overlaps, double* bin, float* sample) const {
  std::vector<double> value(static_cast<std::size_t>(layout_.size()), 0.0);
  const int copies = layout_.copies(), first_overlap = layout_.energy_of_copy(copies);
  for (int copy = 0; copy < copies; ++copy) {
    add_sites(sites[static_cast<std::size_t>(copy)], copy, value.data());
    add_clusters(clusters[static_cast<std::size_t>(copy)], value.data());
  }
  for (const OverlapSums& pair : overlaps) {
    add_overlap(pair, value.data());
    if (layout_.chiralities() > 0) add_chirality(pair, value.data());
  }
  add_field_terms(overlaps, value.data());
  for (int i = 0; i < layout_.size(); ++i) {
    const bool of_pairs = i >= first_overlap && i < layout_.magnetization_of_axis(0);
    const double count = of_pairs ? static_cast<double>(overlaps.size()) : copies;
    const double mean = value[static_cast<std::size_t>(i)] / count;
    bin[i] += mean;
    if (sample != nullptr) sample[i] = static_cast<float>(mean);
  }
}

}  // namespace glassworks::inline rounds
