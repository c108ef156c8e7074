#include "base/duration_text.hpp"

#include <fmt/format.h>

namespace glassworks { inline namespace base {

std::string duration_text(double seconds) {
  constexpr double day = 86400.0, year = 365.25 * day, many_years = 1e6;
  if (seconds >= many_years * year) return "more than a million years";
  if (seconds >= 10.0 * year) return fmt::format("{:.0f} years", seconds / year);
  if (seconds >= year) return fmt::format("{:.1f} years", seconds / year);
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

}}  // namespace glassworks::base
