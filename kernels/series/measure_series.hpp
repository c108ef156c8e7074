#pragma once
#include <span>
#include "kernels/series/series_layout.hpp"
namespace glassworks { inline namespace series {
void measure_series(const Chain& chain, const Disorder& disorder, const ChainState& state, std::span<const KeptSpins> kept, const SeriesLayout& layout, int threads, std::span<double> rows);
}}
