#pragma once

#include "kernels/cuda/multispin/half_lattice.hpp"

namespace glassworks { inline namespace cuda {

/// The sites of a HalfLattice in their natural order, with one place more after each row along x: threads that walk
/// along x beside each other read different banks of shared memory.
struct PaddedRows {
  const HalfLattice& lattice;

  GLASSWORKS_HD explicit PaddedRows(const HalfLattice& of) : lattice(of) {}
  [[nodiscard]] GLASSWORKS_HD int sites() const { return 2 * lattice.places; }
  /// Lines of sites along an axis.
  [[nodiscard]] GLASSWORKS_HD int lines() const { return lattice.middles * lattice.L; }
  [[nodiscard]] GLASSWORKS_HD int places() const { return lines() * (lattice.L + 1); }
  [[nodiscard]] GLASSWORKS_HD int place_of(int site) const { return site + lattice.by_half_edge.of(site / 2); }
  /// Of number `index` in the order of a replica, [colour][place].
  [[nodiscard]] GLASSWORKS_HD int place_of_index(int index) const {
    const HalfLattice& g = lattice;
    const int colour = index >= g.places ? 1 : 0, place = index - colour * g.places;
    const int x = g.by_plane.of(place), in_plane = place - x * g.plane;
    const int middle = g.by_half_edge.of(in_plane), half = in_plane - middle * g.half_edge;
    int sum = colour + x + middle;  // of the coordinates but the last one, mod 2
    if (g.dim == 4) sum -= (g.L - 1) * g.by_edge.of(middle);
    return x + (g.L + 1) * (middle + g.middles * (2 * half + (sum & 1)));
  }
  /// From a site to the next one along an axis.
  [[nodiscard]] GLASSWORKS_HD int stride(int axis) const {
    int stride = axis == 0 ? 1 : lattice.L + 1;
    for (int k = 1; k < axis; ++k) stride *= lattice.L;
    return stride;
  }
  /// Place of the site of a line that has coordinate 0 along its axis.
  [[nodiscard]] GLASSWORKS_HD int start_of(int axis, int line) const {
    int at = 0;
    for_other_axes(axis, line, [&](int k, int c) { at += c * stride(k); });
    return at;
  }
  /// f(axis, coordinate) for the coordinates that the sites of a line share.
  template <class F>
  GLASSWORKS_HD void for_other_axes(int axis, int line, const F& f) const {
    for (int k = 0; k < lattice.dim; ++k) {
      if (k == axis) continue;
      const int next = lattice.by_edge.of(line);
      f(k, line - next * lattice.L);
      line = next;
    }
  }
};

}}  // namespace glassworks::cuda
