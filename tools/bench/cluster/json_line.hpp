#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "base/json_writer.hpp"

namespace glassworks { inline namespace tools { namespace bench {

/// A number with so many decimals.
inline double rounded(double x, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(scale * x) / scale;
}

/// Prints what was measured at once: the next line may take minutes.
inline void print_line(const JsonWriter& json) {
  fmt::print("{}\n", json.line());
  std::fflush(stdout);
}

}}}  // namespace glassworks::tools::bench
