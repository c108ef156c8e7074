#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/series/series_layout.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {

/// Integer sums over fields of one kind: those of all copies, or of all pairs of copies.
struct FieldSums {
  explicit FieldSums(const Lattice& lattice) : lags(lattice) {}
  std::vector<std::vector<std::int64_t>> planes;  ///< over planes of equal coordinate [field][Lattice::plane]
  LagSums lags;                                   ///< of all fields together
};

/// All that a row of discrete spins is formed from, at one moment and in one slot. Spins are +-1 or 0; overlaps of
/// potts are q delta - 1.
struct DiscreteSums {
  explicit DiscreteSums(const Lattice& lattice) : spins(lattice), pairs(lattice) {}
  FieldSums spins;                    ///< [copy]; no lags; none of potts
  FieldSums pairs;                    ///< overlaps [pair]; with one copy none
  std::vector<FieldSums> references;  ///< overlaps with the spins at t_w [t_w], of each copy
};

/// All columns but those of the energy and |m|^2 of potts.
void put_discrete(const SeriesLayout& layout, const DiscreteSums& sums, double* row);

}}  // namespace glassworks::series
