#include "kernels/rounds/cluster_measurement.hpp"

#include "kernels/rounds/local_sums.hpp"
#include "kernels/rounds/modulus_scale.hpp"
#include "kernels/rounds/triangle_sums.hpp"

namespace glassworks { inline namespace rounds {
namespace {

std::vector<PhaseTable> phases_of(const Lattice& lattice) {
  std::vector<PhaseTable> phases;
  for (int axis = 0; axis < lattice.dim; ++axis) phases.emplace_back(lattice.length(axis));
  return phases;
}

/// Sums over planes as ClusterFormulas take them.
struct HostPlanes {
  const Lattice& lattice;
  const std::vector<PhaseTable>& phases;
  const std::vector<std::int64_t>& planes;  ///< [axis][coordinate][column]
  int columns;
  double scale;

  [[nodiscard]] std::int64_t at(int axis, int x, int column) const {
    return planes[static_cast<std::size_t>(lattice.plane(axis, x) * columns + column)];
  }
  [[nodiscard]] std::int64_t total(int column) const {
    std::int64_t sum = 0;
    for (int x = 0; x < lattice.length(0); ++x) sum += at(0, x, column);
    return sum;
  }
  [[nodiscard]] double square(int axis, int column) const {
    const PhaseTable& phase = phases[static_cast<std::size_t>(axis)];
    return line_square(lattice.length(axis), scale, phase.cosine.data(), phase.sine.data(),
                       [&](int x) { return static_cast<double>(at(axis, x, column)); });
  }
};

}  // namespace

ClusterMeasurement::ClusterMeasurement(const Chain& chain, FixedScale energy_scale)
    : model_(chain.model),
      formulas_(chain, sum_scales(chain.model, chain.lattice, modulus_exponent(chain))),
      phases_(phases_of(chain.lattice)),
      energy_unit_(energy_scale.unit()),
      locals_(local_terms(chain.local, chain.lattice).size()) {}

SiteSums ClusterMeasurement::empty_sites() const {
  SiteSums sums;
  sums.planes.assign(static_cast<std::size_t>(formulas_.lattice().planes() * plane_columns(model_)), 0);
  sums.local.assign(locals_, 0);
  return sums;
}

OverlapSums ClusterMeasurement::empty_overlap() const {
  OverlapSums sums;
  const Lattice& lattice = formulas_.lattice();
  sums.planes.assign(static_cast<std::size_t>(lattice.planes() * pair_columns(model_)), 0);
  if (layout().has(BinQuantity::chiral_zero)) {
    const int columns = measures_triangles() ? 1 : plaquette_planes(lattice.dim);
    sums.chirality.assign(static_cast<std::size_t>(lattice.planes() * columns), 0);
  }
  return sums;
}

std::vector<Complex> ClusterMeasurement::traces_of(std::span<const OverlapSums> overlaps) const {
  const Lattice& lattice = formulas_.lattice();
  std::vector<Complex> traces;
  for (const OverlapSums& pair : overlaps) {
    const HostPlanes planes{lattice, phases_, pair.planes, pair_columns(model_), formulas_.pair_scale()};
    for (int mode = 0; mode < formulas_.field_modes(); ++mode) {
      const int axis = formulas_.field_mode(mode).axis;
      const PhaseTable& phase = phases_[static_cast<std::size_t>(axis)];
      traces.push_back(formulas_.trace(mode, phase.cosine.data(), phase.sine.data(),
                                       [&](int x, int column) { return planes.at(axis, x, column); }));
    }
  }
  return traces;
}

void ClusterMeasurement::add(std::span<const SiteSums> sites, std::span<const ClusterSums> clusters,
                             std::span<const OverlapSums> overlaps, double* bin, float* sample) const {
  const Lattice& lattice = formulas_.lattice();
  std::vector<double> value(static_cast<std::size_t>(layout().size()), 0.0);
  for (std::size_t copy = 0; copy < sites.size(); ++copy) {
    const SiteSums& sums = sites[copy];
    const HostPlanes planes{lattice, phases_, sums.planes, plane_columns(model_), formulas_.site_scale()};
    formulas_.add_sites({sums.energy, energy_unit_, sums.modulus_2, sums.modulus_4, sums.local.data()}, planes,
                        static_cast<int>(copy), value.data());
    if (measures_triangles()) formulas_.add_triangle_squares(sums.triangle_squares, sums.triangles, value.data());
    formulas_.add_clusters(clusters[copy], energy_unit_, value.data());
  }
  for (const OverlapSums& pair : overlaps) {
    const HostPlanes planes{lattice, phases_, pair.planes, pair_columns(model_), formulas_.pair_scale()};
    formulas_.add_overlap(pair.link, planes, value.data());
    if (!layout().has(BinQuantity::chiral_zero)) continue;
    const int columns = measures_triangles() ? 1 : plaquette_planes(lattice.dim);
    const HostPlanes chiral{lattice, phases_, pair.chirality, columns, formulas_.pair_scale()};
    if (measures_triangles()) {
      formulas_.add_triangles(chiral, value.data());
    } else {
      formulas_.add_chirality(chiral, value.data());
    }
  }
  formulas_.add_field_terms(traces_of(overlaps).data(), value.data());
  for (int i = 0; i < layout().size(); ++i) {
    const double mean = formulas_.mean(i, value[static_cast<std::size_t>(i)]);
    bin[i] += mean;
    if (sample != nullptr) sample[i] = static_cast<float>(mean);
  }
}

}}  // namespace glassworks::rounds
