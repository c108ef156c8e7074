#pragma once

#include <cstddef>
#include <span>

#include "kernels/rounds/chain.hpp"
#include "kernels/series/series_layout.hpp"

namespace glassworks { inline namespace series {

/// A batch that can measure a course where its states lie (CourseBatch). Rows are those of measure_series, to the bit.
class SeriesMeasurer {
 public:
  virtual ~SeriesMeasurer() = default;

  /// Measures a task after the last finished round.
  ///
  /// kept     at the reference times that have come, ascending
  /// rows     [slot][column of the layout], overwritten
  /// returns  false: it cannot, and the host has to
  [[nodiscard]] virtual bool measure(std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept,
                                     std::span<double> rows) = 0;
};

}}  // namespace glassworks::series
