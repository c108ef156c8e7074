#include "kernels/series/discrete_sums.hpp"

#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace series {
namespace {

using Q = SeriesQuantity;

/// What overlaps are divided by: q - 1 of potts.
double unit_of(const SpinModel& model) { return model.kind == ModelKind::potts ? 1.0 / (model.states - 1.0) : 1.0; }

void put_magnetization(const SeriesLayout& layout, const FieldSums& sums, double* row) {
  const Lattice& lattice = layout.shape().lattice;
  const KminSquares kmin(lattice);
  const double N = static_cast<double>(lattice.sites());
  double m = 0.0, m2 = 0.0, at_kmin = 0.0;
  for (const std::vector<std::int64_t>& planes : sums.planes) {
    const double total = static_cast<double>(total_of(lattice, planes));
    m += total;
    m2 += total / N * (total / N);
    if (layout.has(Q::magnetization_along_kmin)) at_kmin += kmin.mean(planes, 1.0 / N);
  }
  const double copies = layout.shape().copies;
  row[layout.at(Q::magnetization_2)] = m2 / copies;
  row[layout.at(Q::magnetization)] = m / (N * copies);
  if (layout.has(Q::magnetization_along_kmin)) row[layout.at(Q::magnetization_along_kmin)] = at_kmin / copies;
}

void put_pairs(const SeriesLayout& layout, const FieldSums& sums, double* row) {
  const Lattice& lattice = layout.shape().lattice;
  const KminSquares kmin(lattice);
  const double unit = unit_of(layout.shape().model), number = static_cast<double>(sums.planes.size());
  const double scale = unit / static_cast<double>(lattice.sites());
  double square = 0.0, at_kmin = 0.0;
  for (const std::vector<std::int64_t>& planes : sums.planes) {
    const double q = static_cast<double>(total_of(lattice, planes)) * scale;
    square += q * q;
    if (layout.has(Q::overlap_kmin)) at_kmin += kmin.mean(planes, scale);
  }
  row[layout.at(Q::overlap_2)] = square / number;
  if (layout.has(Q::overlap_kmin)) row[layout.at(Q::overlap_kmin)] = at_kmin / number;
  row[layout.at(Q::link_overlap)] = static_cast<double>(sums.lags.link) / (divisor_of_bonds(lattice) * number);
  if (layout.has(Q::c4_axis)) {
    put_profile(layout, Q::c4_axis, 0, sums.lags.axis, lag_axes(lattice), unit * unit, number, row);
  }
  if (layout.has(Q::c4_diagonal)) {
    put_profile(layout, Q::c4_diagonal, 0, sums.lags.diagonal, lag_diagonals(lattice), unit * unit, number, row);
  }
}

void put_reference(const SeriesLayout& layout, int reference, const FieldSums& sums, double* row) {
  const Lattice& lattice = layout.shape().lattice;
  const KminSquares kmin(lattice);
  const double unit = unit_of(layout.shape().model), copies = layout.shape().copies;
  const double scale = unit / static_cast<double>(lattice.sites());
  std::int64_t total = 0;
  double at_kmin = 0.0;
  for (const std::vector<std::int64_t>& planes : sums.planes) {
    total += total_of(lattice, planes);
    if (layout.has(Q::correlation_kmin)) at_kmin += kmin.mean(planes, scale);
  }
  row[layout.at(Q::correlation, 0, reference)] = static_cast<double>(total) * scale / copies;
  row[layout.at(Q::link_correlation, 0, reference)] =
      static_cast<double>(sums.lags.link) / (divisor_of_bonds(lattice) * copies);
  if (layout.has(Q::correlation_kmin)) row[layout.at(Q::correlation_kmin, 0, reference)] = at_kmin / copies;
  if (!layout.has(Q::c22_axis)) return;
  put_profile(layout, Q::c22_axis, reference, sums.lags.axis, lag_axes(lattice), unit * unit, copies, row);
}

}  // namespace

void put_discrete(const SeriesLayout& layout, const DiscreteSums& sums, double* row) {
  if (!sums.spins.planes.empty()) put_magnetization(layout, sums.spins, row);
  if (!sums.pairs.planes.empty()) put_pairs(layout, sums.pairs, row);
  for (std::size_t t = 0; t < sums.references.size(); ++t) {
    put_reference(layout, static_cast<int>(t), sums.references[t], row);
  }
}

}}  // namespace glassworks::series
