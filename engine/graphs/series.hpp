#pragma once

#include <cmath>
#include <limits>

namespace glassworks { inline namespace engine {

/// Functions for the making of graphs in +, -, *, / alone, so that every platform draws the same graph: the last digits
/// of those of a mathematical library differ between platforms.

/// 2 artanh t = 2 (t + t^3/3 + t^5/5 + ...), |t| <= 0.1716; to 1e-16 of it.
[[nodiscard]] inline double double_artanh(double t) {
  const double square = t * t;
  double sum = 0;
  for (int n = 21; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
  return 2 * t * sum;
}

/// log x, x > 0 and normal; to 2e-16 of it, or of log 2.
[[nodiscard]] inline double series_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    --exponent;
  }
  return exponent * 0.69314718055994530942 + double_artanh((mantissa - 1) / (mantissa + 1));
}

/// exp x; 0 below -700, and x is at most 700; to 2e-15 of it.
[[nodiscard]] inline double series_exp(double x) {
  if (x < -700) return 0;
  const double halves = std::floor(x / 0.69314718055994530942 + 0.5);
  // log 2 in two parts, of which the first times any exponent is exact
  const double rest = (x - halves * 0x1.62e42fefap-1) - halves * 0x1.cf79abc9e3b3ap-40;
  double sum = 1;
  for (int n = 18; n >= 1; --n) sum = 1 + rest / n * sum;
  return std::ldexp(sum, static_cast<int>(halves));  // exact
}

}}  // namespace glassworks::engine
