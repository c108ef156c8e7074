#include "kernels/series/lag_directions.hpp"

namespace glassworks { inline namespace series {
namespace {

std::vector<int> longest_axes(const Lattice& lattice) {
  std::vector<int> axes;
  for (int axis = 0; axis < lattice.dim && has_lags(lattice); ++axis) {
    if (lattice.length(axis) == lattice.longest()) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

std::vector<Displacement> lag_axes(const Lattice& lattice) {
  std::vector<Displacement> steps;
  for (const int axis : longest_axes(lattice)) steps.emplace_back()[static_cast<std::size_t>(axis)] = 1;
  return steps;
}

std::vector<Displacement> lag_diagonals(const Lattice& lattice) {
  std::vector<Displacement> steps;
  const std::vector<int> axes = longest_axes(lattice);
  for (std::size_t a = 0; a < axes.size() && has_diagonal_lags(lattice); ++a) {
    for (std::size_t b = a + 1; b < axes.size(); ++b) {
      for (const int sign : {+1, -1}) {
        Displacement& d = steps.emplace_back();
        d[static_cast<std::size_t>(axes[a])] = sign;
        d[static_cast<std::size_t>(axes[b])] = 1;
      }
    }
  }
  return steps;
}

Displacement bond_displacement(const Lattice& lattice, int bond) {
  Displacement d{};
  for (int axis = 0; axis < lattice.dim; ++axis) d[static_cast<std::size_t>(axis)] = lattice.step(bond, axis);
  return d[0] < 0 ? times(-1, d) : d;
}

std::int64_t lag_terms(const Lattice& lattice, const Displacement& d) {
  std::int64_t terms = 1;
  for (int axis = 0; axis < lattice.dim; ++axis) {
    const int length = lattice.length(axis), step = d[static_cast<std::size_t>(axis)];
    terms *= lattice.is_open(axis) ? std::max(0, length - (step < 0 ? -step : step)) : length;
  }
  return terms;
}

ChiralDirections::ChiralDirections(SeriesChirality chirality, const Lattice& lattice)
    : orientations(chirality == SeriesChirality::along_axes ? lattice.dim : plaquette_planes(lattice.dim)) {
  for (int mu = 0; mu < orientations; ++mu) {
    for (const int axis : longest_axes(lattice)) {
      ++(is_parallel(chirality, mu, axis, lattice.dim) ? parallel : perpendicular);
    }
  }
}

Lattice rows_of_sites(const Lattice& lattice) {
  if (has_lags(lattice)) return lattice;
  const auto sites = static_cast<int>(lattice.sites());
  return {1, sites, 0, LatticeKind::hypercubic, {sites}};
}

std::vector<RowBlock> row_blocks(const Lattice& lattice, int most) {
  const int height = lattice.dim > 1 ? lattice.length(1) : 1;
  std::vector<RowBlock> blocks;
  for (std::int64_t plane = 0; plane < lattice.rows(); plane += height) {
    for (int y = 0; y < height; y += most) blocks.push_back({plane + y, std::min(most, height - y)});
  }
  return blocks;
}

}}  // namespace glassworks::series
