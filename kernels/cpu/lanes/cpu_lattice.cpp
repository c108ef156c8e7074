#include "kernels/cpu/lanes/cpu_lattice.hpp"

#include <numeric>

namespace glassworks { inline namespace cpu {
namespace {

/// SweepGeometry::no_forward or no_backward of the row of a site.
std::uint8_t missing_bonds(const Lattice& lattice, std::int64_t site, int direction) {
  unsigned missing = lattice.open & 1U;
  for (int axis = 1; axis < lattice.dim; ++axis) {
    if (!lattice.has_bond(lattice.coordinates(site), axis, direction)) missing |= 1U << axis;
  }
  return static_cast<std::uint8_t>(missing);
}

}  // namespace

CpuLattice::CpuLattice(const Lattice& lattice) : lattice_(lattice) {
  const auto rows = static_cast<std::size_t>(lattice.rows());
  identity_.resize(rows);
  std::iota(identity_.begin(), identity_.end(), 0);
  for (std::int64_t row = 0; row < lattice.rows(); ++row) {
    const std::int64_t site = row * lattice.length(0);
    row_parity_.push_back(static_cast<std::uint8_t>(lattice.parity(site)));
    first_cell_.push_back(heat_bath_address(lattice, lattice.coordinates(site)).cell);
    if (lattice.open != 0) {
      no_forward_.push_back(missing_bonds(lattice, site, +1));
      no_backward_.push_back(missing_bonds(lattice, site, -1));
    }
    for (int axis = 1; axis < lattice.dim; ++axis) {
      for (const int direction : {+1, -1}) {
        neighbour_rows_.push_back(
            static_cast<std::int32_t>(lattice.neighbour(site, axis, direction) / lattice.length(0)));
      }
    }
  }
}

SweepGeometry CpuLattice::geometry(const Disorder& disorder) const {
  return {lattice_.dim,
          lattice_.length(0),
          disorder.couplings.data(),
          disorder.has_fields() ? disorder.fields.data() : nullptr,
          neighbour_rows_.data(),
          row_parity_.data(),
          first_cell_.data(),
          lattice_.open != 0 ? no_forward_.data() : nullptr,
          lattice_.open != 0 ? no_backward_.data() : nullptr};
}

SweepRegion CpuLattice::rows(std::int64_t first, std::int64_t count, int parity) const {
  return {identity_.data() + first, static_cast<int>(count), 0, lattice_.length(0), parity};
}

CpuTiles::CpuTiles(const Lattice& lattice, int edge) : edge_(edge) {
  const Lattice tiles{lattice.dim, lattice.L / edge};
  const Lattice cells{lattice.dim, edge};
  rows_per_tile_ = static_cast<int>(cells.rows());
  for (int colour = 0; colour < 2; ++colour) {
    for (std::int64_t tile = 0; tile < tiles.sites(); ++tile) {
      if (tiles.parity(tile) != colour) continue;
      const Lattice::Coordinates origin = tiles.coordinates(tile);
      x_begin_.push_back(origin[0] * edge);
      for (std::int64_t row = 0; row < cells.rows(); ++row) {
        Lattice::Coordinates c = cells.coordinates(row * edge);
        for (std::size_t axis = 0; axis < c.size(); ++axis) c[axis] += origin[axis] * edge;
        c[0] = 0;
        rows_.push_back(static_cast<std::int32_t>(lattice.site(c) / lattice.L));
      }
    }
  }
}

SweepRegion CpuTiles::region(std::size_t tile, int parity) const {
  return {rows_.data() + tile * static_cast<std::size_t>(rows_per_tile_), rows_per_tile_, x_begin_[tile],
          x_begin_[tile] + edge_, parity};
}

}}  // namespace glassworks::cpu
