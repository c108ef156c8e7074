#include "engine/graphs/cell_lattice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace glassworks { inline namespace engine {
namespace {

using Vector = CellLattice::Vector;

CellLattice one_site_cells(int dim, std::initializer_list<Vector> steps, CellColours colours) {
  CellLattice lattice{.dim = dim, .parts = 1, .least_closed = 3, .offset = {Vector{}}, .bonds = {}, .colours = colours};
  for (const Vector& step : steps) lattice.bonds.push_back({0, 0, step});
  return lattice;
}

/// Lattice vector a of a simplex, whose corner 0 is the origin.
Vector corner(int a) {
  Vector vector{};
  if (a > 0) vector[static_cast<std::size_t>(a - 1)] = 1;
  return vector;
}

Vector vector_between(const Vector& a, const Vector& b) {
  Vector result{};
  for (std::size_t axis = 0; axis < result.size(); ++axis) result[axis] = a[axis] - b[axis];
  return result;
}

std::int64_t cells_of(const CellShape& shape) {
  std::int64_t cells = 1;
  for (const int length : shape.lengths) cells *= length;
  return cells;
}

/// Whether the closed axes have lengths that are multiples of n.
bool closed_are_multiples(const CellShape& shape, int n) {
  for (std::size_t axis = 0; axis < shape.lengths.size(); ++axis) {
    if (!shape.open[axis] && shape.lengths[axis] % n != 0) return false;
  }
  return true;
}

/// Of site `place` in the cell at x, of the rule that holds for this shape; -1: by number.
int colour_at(const CellLattice& lattice, const CellShape& shape, const Vector& x, int place) {
  switch (lattice.colours) {
    case CellColours::place:
      return place;
    case CellColours::rings: {
      const bool two = closed_are_multiples(shape, 2);
      int sum = 0;
      for (std::size_t axis = 0; axis < shape.lengths.size(); ++axis) {
        const int length = shape.lengths[axis];
        const bool ends_odd_ring = !shape.open[axis] && length % 2 == 1 && x[axis] == length - 1;
        sum += ends_odd_ring ? 2 : x[axis] % 2;
      }
      return sum % (two ? 2 : 3);
    }
    case CellColours::triangular:
      if (closed_are_multiples(shape, 3)) return (x[0] + 2 * x[1]) % 3;
      return closed_are_multiples(shape, 2) ? x[0] % 2 + 2 * (x[1] % 2) : -1;
    case CellColours::fcc:
      return closed_are_multiples(shape, 2) ? (x[0] + x[1]) % 2 + 2 * ((x[1] + x[2]) % 2) : -1;
    case CellColours::bcc:
      return closed_are_multiples(shape, 2) ? (x[0] + x[1] + x[2]) % 2 : -1;
  }
  return -1;
}

/// Number of the cell at `step` from x, or -1 where an end lies between.
std::int64_t cell_at(const CellShape& shape, const Vector& x, const Vector& step) {
  std::int64_t cell = 0;
  for (std::size_t axis = shape.lengths.size(); axis-- > 0;) {
    const int length = shape.lengths[axis];
    int coordinate = x[axis] + step[axis];
    if (coordinate < 0 || coordinate >= length) {
      if (shape.open[axis]) return -1;
      coordinate += coordinate < 0 ? length : -length;
    }
    cell = cell * length + coordinate;
  }
  return cell;
}

}  // namespace

CellLattice hypercubic_cells(int dim) {
  CellLattice lattice = one_site_cells(dim, {}, CellColours::rings);
  for (int axis = 1; axis <= dim; ++axis) lattice.bonds.push_back({0, 0, corner(axis)});
  return lattice;
}

CellLattice triangular_cells() { return one_site_cells(2, {{1, 0}, {0, 1}, {1, -1}}, CellColours::triangular); }

CellLattice fcc_cells() {
  return one_site_cells(3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -1, 0}, {0, 1, -1}, {1, 0, -1}}, CellColours::fcc);
}

CellLattice bcc_cells() { return one_site_cells(3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, CellColours::bcc); }

CellLattice honeycomb_cells(int dim) {
  CellLattice lattice{.dim = dim, .parts = dim + 1, .least_closed = 2, .offset = {Vector{}, Vector{}}, .bonds = {}};
  for (int axis = 0; axis < dim; ++axis) lattice.offset[1][static_cast<std::size_t>(axis)] = 1;
  for (int a = 0; a <= dim; ++a) lattice.bonds.push_back({0, 1, vector_between(Vector{}, corner(a))});
  return lattice;
}

CellLattice simplex_cells(int dim) {
  CellLattice lattice{.dim = dim, .parts = 2, .least_closed = 2, .offset = {}, .bonds = {}};
  for (int a = 0; a <= dim; ++a) {
    lattice.offset.push_back(corner(a));  // in halves
    for (int b = a + 1; b <= dim; ++b) {
      lattice.bonds.push_back({a, b, Vector{}});
      lattice.bonds.push_back({a, b, vector_between(corner(a), corner(b))});
    }
  }
  return lattice;
}

std::int64_t cell_sites(const CellLattice& lattice, const CellShape& shape) {
  return cells_of(shape) * static_cast<std::int64_t>(lattice.offset.size());
}

std::int64_t cell_bonds(const CellLattice& lattice, const CellShape& shape) {
  std::int64_t bonds = 0;
  for (const CellLattice::Bond& bond : lattice.bonds) {
    std::int64_t of_kind = 1;
    for (std::size_t axis = 0; axis < shape.lengths.size(); ++axis) {
      of_kind *= shape.lengths[axis] - (shape.open[axis] ? std::abs(bond.step[axis]) : 0);
    }
    bonds += of_kind;
  }
  return bonds;
}

SiteGraph cell_graph(const CellLattice& lattice, const CellShape& shape) {
  const std::size_t axes = shape.lengths.size(), places = lattice.offset.size();
  const auto sites = static_cast<std::size_t>(cell_sites(lattice, shape));
  std::vector<GraphBond> bonds;
  bonds.reserve(static_cast<std::size_t>(cell_bonds(lattice, shape)));
  std::vector<GraphAxis> planes(axes);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    planes[axis].planes = shape.lengths[axis] * lattice.parts;
    planes[axis].plane.reserve(sites);
  }
  std::vector<std::int32_t> colours;
  if (colour_at(lattice, shape, {}, 0) >= 0) colours.reserve(sites);
  const auto site = [&](std::int64_t cell, int place) {
    return static_cast<std::int32_t>(cell * static_cast<std::int64_t>(places) + place);
  };
  const std::int64_t cells = cells_of(shape);
  Vector x{};
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    for (const CellLattice::Bond& bond : lattice.bonds) {
      const std::int64_t other = cell_at(shape, x, bond.step);
      if (other >= 0) bonds.push_back({site(cell, bond.from), site(other, bond.to)});
    }
    for (std::size_t place = 0; place < places; ++place) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        planes[axis].plane.push_back(x[axis] * lattice.parts + lattice.offset[place][axis]);
      }
      const int colour = colour_at(lattice, shape, x, static_cast<int>(place));
      if (colour >= 0) colours.push_back(colour);
    }
    for (std::size_t axis = 0; axis < axes && ++x[axis] == shape.lengths[axis]; ++axis) x[axis] = 0;
  }
  return {static_cast<std::int64_t>(sites), std::move(bonds), std::move(planes), std::move(colours)};
}

}}  // namespace glassworks::engine
