#include "analysis/basics/value_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace analysis {

namespace {

/// Removes the sign of a number that is zero in the digits shown.
std::string without_negative_zero(std::string text) {
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string fixed_point(double value, double error) {
  int decimals = 1 - static_cast<int>(std::floor(std::log10(error)));
  double digits = std::round(error * std::pow(10.0, decimals));
  if (digits >= 100.0) {  // 0.0996 is 0.10, not 0.100
    --decimals;
    digits = std::round(digits / 10.0);
  }
  if (decimals <= 0) {
    const double unit = std::pow(10.0, -decimals);
    return without_negative_zero(fmt::format("{:.0f}", std::round(value / unit) * unit)) +
           fmt::format("({:.0f})", digits * unit);
  }
  const std::string text = without_negative_zero(fmt::format("{:.{}f}", value, decimals));
  return decimals == 1 ? fmt::format("{}({:.1f})", text, digits / 10.0) : fmt::format("{}({:.0f})", text, digits);
}

}  // namespace

std::string format_value(double value, double error) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  if (!std::isfinite(error)) return fmt::format("{:.6g}", value);
  if (error <= 1e-15 * std::abs(value)) return fmt::format("{:.6g}(0)", value);
  const double scale = std::max(std::abs(value), error);
  if (scale >= 1e-4 && scale < 1e7) return fixed_point(value, error);
  const int exponent = static_cast<int>(std::floor(std::log10(scale)));
  const double unit = std::pow(10.0, exponent);
  return fmt::format("{}e{:+03d}", fixed_point(value / unit, error / unit), exponent);
}

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      text += fmt::format("  {:>{}}", row[column], widths[column]);
    }
    text += '\n';
  }
  return text;
}

}}  // namespace glassworks::analysis
