#pragma once

#include <span>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/kept_spins.hpp"
#include "kernels/series/series_layout.hpp"
#include "kernels/series/series_pairs.hpp"

namespace glassworks { inline namespace series {

class IsingEnergy;

/// Measures one realization at one moment. Sums are integers, each divided once, so that a row is equal to the bit for
/// any number of threads and any instruction set.
///
/// chain    without exchanges: replica copy * slots + slot stands in its slot
/// kept     at the reference times that have come, ascending; columns of later ones are 0
/// rows     [slot][column of the layout], overwritten
/// energy   that of the disorder, of ising, where it has been made before
///
/// ising, blume-capel and potts are exact. Vectors, clock spins among them, are rounded to 2^-14 in all that two sites
/// or copies are compared by, and products of two components to 2^-13: an error below n 1.3e-4 of a single term, which
/// averages out over sites (clock spins have few values: there it may stay) and raises C_4(0) by 3e-6. Magnetizations
/// are rounded to 2^-24. Overlaps of potts are those of (q delta - 1)/(q - 1), link overlaps those of delta.
void measure_series(const Chain& chain, const Disorder& disorder, const ChainState& state,
                    std::span<const KeptSpins> kept, const SeriesLayout& layout, int threads, std::span<double> rows,
                    const IsingEnergy* energy = nullptr);

/// Threads that gain by the measurement of one realization: each part of it starts them anew.
[[nodiscard]] int useful_threads(const Chain& chain, int threads);

}}  // namespace glassworks::series
