#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// Which rule of cell_graph colours a lattice.
enum class CellColours { place, rings, triangular, fcc, bcc };

/// A lattice of unit cells of n sites each: site b of the cell at x has the number n (x_1 + L_1 (x_2 + L_2 (...))) + b
/// and stands at x + offset[b]/parts in units of the lattice vectors.
struct CellLattice {
  static constexpr int max_dim = 6;
  using Vector = std::array<int, max_dim>;

  /// From site `from` of a cell to site `to` of the cell at `step`.
  struct Bond {
    int from = 0, to = 0;
    Vector step{};
  };

  int dim = 0;
  int parts = 1;               ///< of a lattice vector
  int least_closed = 3;        ///< cells along a closed axis, so that no bond is there twice; 2 along an open one
  std::vector<Vector> offset;  ///< [site of the cell]
  std::vector<Bond> bonds;     ///< that a cell owns
  CellColours colours = CellColours::place;
};

[[nodiscard]] CellLattice hypercubic_cells(int dim);
/// Bonds as those of LatticeKind, which have positions in space of their own.
[[nodiscard]] CellLattice triangular_cells();
[[nodiscard]] CellLattice fcc_cells();
[[nodiscard]] CellLattice bcc_cells();
/// Two sites, each with d + 1 neighbours of the other kind: honeycomb (d = 2), diamond (d = 3). 2 colours.
[[nodiscard]] CellLattice honeycomb_cells(int dim);
/// d + 1 sites, the corners of a simplex that shares each corner with another one: kagome (d = 2), pyrochlore (d = 3).
/// d + 1 colours.
[[nodiscard]] CellLattice simplex_cells(int dim);

/// The cells along each axis, and whether it is open, where it has ends that nothing crosses.
struct CellShape {
  std::vector<int> lengths;
  std::vector<bool> open;
};

[[nodiscard]] std::int64_t cell_sites(const CellLattice& lattice, const CellShape& shape);
[[nodiscard]] std::int64_t cell_bonds(const CellLattice& lattice, const CellShape& shape);

/// The graph, with its planes along each lattice vector: the phase of the smallest wave vector along vector a is
/// 2 pi (x_a + offset_a/parts)/L_a.
///
/// Colours: the place in the cell where all bonds lead to another place. Of hypercubic lattices the parity of x_1 + x_2
/// + ...; with an odd closed axis three, the sum of the colours of the rings (0, 1, 0, 1, ..., 2 at the end of an odd
/// one) mod 3 (Sabidussi, Canad. J. Math. 9, 515 (1957)). Triangular: x - y mod 3 where closed lengths are multiples of
/// 3, the four parities of x and y where they are even. fcc: four, of the parities of x + y and y + z, bcc: the parity
/// of x + y + z, where closed lengths are even. By number otherwise.
[[nodiscard]] SiteGraph cell_graph(const CellLattice& lattice, const CellShape& shape);

}}  // namespace glassworks::engine
