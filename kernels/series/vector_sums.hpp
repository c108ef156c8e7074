#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/series/lag_directions.hpp"
#include "kernels/series/series_layout.hpp"

namespace glassworks { inline namespace series {

constexpr int magnetization_exponent = 24;  ///< of the components that are summed

/// Where the integers that the row of a slot of vectors is formed from stand in one array, which a device fills as the
/// host does. plane: Lattice::plane; r: 0 .. L/2; direction: of lag_axes or lag_diagonals; bond: of bond_displacement,
/// of a graph all of them together. Units are those of rounded_product (lag_kernels.hpp).
struct VectorSumLayout {
  /// references  times that have come
  VectorSumLayout(const SeriesLayout& layout, std::size_t references);

  int copies, components, pairs, planes, lags, bonds;
  int orientations = 0;  ///< of the chirality; 0: it is not measured
  std::vector<Displacement> axes, diagonals;
  std::size_t references;

  // Sums over x:
  std::size_t magnetization = 0;     ///< s, in units of 2^-24 [copy][component][plane]
  std::size_t overlap = 0;           ///< q^{mu nu} [pair][mu][nu][plane]
  std::size_t axis = 0;              ///< g_a g_b of all pairs [direction][r]
  std::size_t diagonal = 0;          ///< the same [direction][r]
  std::size_t link = 0;              ///< the same along the bonds [bond]
  std::size_t chirality = 0;         ///< kappa^(a) kappa^(b) [orientation][pair][plane]
  std::size_t chiral_axis = 0;       ///< g_a g_b of kappa and all pairs [orientation][direction][r]
  std::size_t correlation = 0;       ///< c [reference][copy][plane]
  std::size_t link_correlation = 0;  ///< g at two times, of all copies [reference][bond]
  std::size_t c22 = 0;               ///< c_x c_{x+r} of all copies [reference][direction][r]
  std::size_t size = 0;

  /// Lengths of the innermost arrays.
  [[nodiscard]] std::size_t of_planes() const { return static_cast<std::size_t>(planes); }
  [[nodiscard]] std::size_t of_lags() const { return static_cast<std::size_t>(lags); }
  /// Array number i of some that begin at `first`.
  template <class T>
  [[nodiscard]] static std::span<T> array(std::span<T> sums, std::size_t first, std::size_t length, std::size_t i) {
    return sums.subspan(first + i * length, length);
  }
};

/// All columns but those of the energy.
///
/// row  of the layout, all 0 before
void put_vectors(const SeriesLayout& layout, const VectorSumLayout& places, std::span<const std::int64_t> sums,
                 double* row);

}}  // namespace glassworks::series
