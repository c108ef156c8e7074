#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/series/series_layout.hpp"

/// Displacements between the two sites of a correlation, and the rows of sites that they bring together.
namespace glassworks { inline namespace series {

/// A displacement. A sum over all x has the same terms for d and -d; the last component that is not 0 is positive, so
/// that displacements of one length from one plane lead to few others.
using Displacement = Lattice::Coordinates;

[[nodiscard]] inline Displacement times(int r, const Displacement& step) {
  Displacement d{};
  for (std::size_t axis = 0; axis < d.size(); ++axis) d[axis] = r * step[axis];
  return d;
}

/// The lattice whose rows the sites fill: a graph whose sites have no lags is one row.
[[nodiscard]] Lattice rows_of_sites(const Lattice& lattice);

/// e_a of each axis of the longest edge; none where has_lags says no.
[[nodiscard]] std::vector<Displacement> lag_axes(const Lattice& lattice);
/// e_b + e_a and e_b - e_a of each two of them; none where has_diagonal_lags says no.
[[nodiscard]] std::vector<Displacement> lag_diagonals(const Lattice& lattice);
/// v_b or -v_b of a bond of a lattice that is no graph, along x 0 or 1.
[[nodiscard]] Displacement bond_displacement(const Lattice& lattice, int bond);

/// Terms of sum_x f(x) f(x + d): N where all axes are periodic.
[[nodiscard]] std::int64_t lag_terms(const Lattice& lattice, const Displacement& d);

/// Whether the axis of a lag is that of an orientation mu of the chirality, or its normal.
[[nodiscard]] inline bool is_parallel(SeriesChirality chirality, int mu, int axis, int dim) {
  return chirality == SeriesChirality::along_axes ? mu == axis : !plaquette_plane(mu, dim).holds(axis);
}

/// Orientations of the chirality, and how many pairs of one of them and an axis of the longest edge there are.
struct ChiralDirections {
  ChiralDirections(SeriesChirality chirality, const Lattice& lattice);
  int orientations, parallel = 0, perpendicular = 0;
};

/// Rows row .. row + rows - 1 that a displacement leads to other .. other + rows - 1.
struct RowRun {
  std::int64_t row, other;
  int rows;
};

/// Consecutive rows of one plane of the first two axes.
struct RowBlock {
  std::int64_t first;
  int rows;
};

/// All rows in blocks of at most `most`.
[[nodiscard]] std::vector<RowBlock> row_blocks(const Lattice& lattice, int most);

/// f(RowRun) for the rows of a block that a displacement leads to others, wrapped around periodic axes; x is left to f.
template <class F>
void for_row_runs(const Lattice& lattice, const Displacement& d, const RowBlock& block, const F& f) {
  const int height = lattice.dim > 1 ? lattice.length(1) : 1;
  const std::int64_t plane = block.first / height;
  std::int64_t rest = plane, other = 0, planes = 1;
  for (int axis = 2; axis < lattice.dim; ++axis) {
    const int length = lattice.length(axis);
    int x = static_cast<int>(rest % length) + d[static_cast<std::size_t>(axis)];
    rest /= length;
    if (x < 0 || x >= length) {
      if (lattice.is_open(axis)) return;
      x = (x % length + length) % length;
    }
    other += planes * x;
    planes *= length;
  }
  const int y0 = static_cast<int>(block.first % height), y1 = y0 + block.rows;
  const auto part = [&](int shift) {  // the rows y with 0 <= y + shift < height
    const int from = std::max(y0, -shift), to = std::min(y1, height - shift);
    if (from < to) f(RowRun{plane * height + from, other * height + from + shift, to - from});
  };
  const bool open = lattice.dim < 2 || lattice.is_open(1);
  const int dy = lattice.dim > 1 ? d[1] % height : 0;
  if (open) {
    part(lattice.dim > 1 ? d[1] : 0);
    return;
  }
  part(dy);
  if (dy != 0) part(dy > 0 ? dy - height : dy + height);
}

/// The same of all rows.
template <class F>
void for_row_runs(const Lattice& lattice, const Displacement& d, const F& f) {
  const int height = lattice.dim > 1 ? lattice.length(1) : 1;
  for (std::int64_t row = 0; row < lattice.rows(); row += height) for_row_runs(lattice, d, RowBlock{row, height}, f);
}

}}  // namespace glassworks::series
