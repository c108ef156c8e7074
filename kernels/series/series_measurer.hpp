#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/series/series_layout.hpp"

namespace glassworks { inline namespace series {

/// Measures a course where the states of a batch lie (HeldBatch::series_measurer). Rows are those of measure_series, to
/// the bit.
class SeriesMeasurer {
 public:
  virtual ~SeriesMeasurer() = default;

  /// Measures consecutive tasks, `first` and those after it, as they are after the last finished round.
  ///
  /// kept     at the reference times that have come, ascending [task]
  /// threads  of the host
  /// rows     [task][slot][column of the layout], overwritten
  /// returns  false: it cannot, and the host has to
  [[nodiscard]] virtual bool measure(std::size_t first, const SeriesLayout& layout,
                                     std::span<const std::vector<KeptSpins>> kept, int threads,
                                     std::span<double> rows) = 0;
};

}}  // namespace glassworks::series
