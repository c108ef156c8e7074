#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// A series from elsewhere.
struct ReferenceSeries {
  std::string observable = "xi_12";     ///< a column or a derived quantity
  std::optional<int> L;                 ///< none: of any size
  std::optional<double> T;              ///< none: of any temperature
  std::vector<double> t, value, error;  ///< ascending t; error 0: not known
};

/// Reads a CSV file with the columns t, value and perhaps error, in this order, below a heading of any names: of the
/// quantity that the second of them names ("xi_12_cut", "energy"), or of xi_12. Or with columns of these names, which
/// `glassworks analyze --csv` writes: t, mean or value, and, where there are any, error, observable, L, T. Lines that
/// start with # are ignored; t is positive; a value that is nan is left out. Throws InputError with one sentence that
/// names file and line.
[[nodiscard]] std::vector<ReferenceSeries> read_reference_series(const std::filesystem::path& file);

/// A curve beside a reference: at the times of the reference within the range of the curve, which is interpolated
/// linearly in ln t.
struct SeriesComparison {
  std::size_t points = 0;
  double largest_ratio = 1.0;  ///< value/reference of the point that differs most
  double t = 0.0;              ///< of that point
};

/// times, values  of the curve; NaN: left out
[[nodiscard]] SeriesComparison compare_series(const std::vector<std::uint64_t>& times,
                                              const std::vector<double>& values, const ReferenceSeries& reference);

/// Whether a reference may be compared with a slot of a size.
[[nodiscard]] bool is_reference_of(const ReferenceSeries& reference, const SizeSeries& series, std::size_t slot);

/// One clause for each curve of the analysis that a reference has points of (functions of r are left out): "xi_12, L =
/// 128, T = 0.7: 12 points compared with the reference, largest ratio 1.012 at t = 1217"; one clause if there is none.
[[nodiscard]] std::vector<std::string> comparison_lines(const CourseAnalysis& analysis,
                                                        const std::vector<ReferenceSeries>& references);

}}  // namespace glassworks::analysis
