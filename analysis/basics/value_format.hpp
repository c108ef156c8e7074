#pragma once

#include <limits>
#include <string>
#include <vector>

namespace glassworks { inline namespace analysis {

/// A value with its error in the last digits, the error rounded to two digits: -1.7029(44), 12.3(1.2), 4570(120),
/// 1.500(30)e-09. Without an error (NaN: of one realization or one sample): six digits of the value alone. NaN
/// values are "nan".
[[nodiscard]] std::string format_value(double value, double error);

/// Lines of text with right-aligned columns. The first row is the heading; short rows are filled up with nothing.
[[nodiscard]] std::string format_table(const std::vector<std::vector<std::string>>& rows);

/// Marks values that cannot be computed.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}}  // namespace glassworks::analysis
