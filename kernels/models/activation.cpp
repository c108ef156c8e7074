#include "kernels/models/activation.hpp"

#include <bit>
#include <cmath>

namespace glassworks { inline namespace models {

double exact_exp_negative(double x) {
  constexpr double inverse_log2 = 1.4426950408889634074;
  constexpr double log2_high = 0.693147180369123816490, log2_low = 1.90821492927058770002e-10;
  if (x > 700.0) x = 700.0;
  const double k = std::nearbyint(-x * inverse_log2);
  const double r = std::fma(-k, log2_low, std::fma(-k, log2_high, -x));
  double sum = 1.0;
  for (int n = 16; n >= 1; --n) sum = std::fma(r / n, sum, 1.0);
  const auto exponent = static_cast<std::uint64_t>(1023 + static_cast<std::int64_t>(k));
  return sum * std::bit_cast<double>(exponent << 52);
}

std::uint32_t probability_threshold(double p) {
  const double scaled = p * 0x1p32;
  return scaled >= 0x1p32 - 1.0 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(scaled);
}

std::uint32_t bond_threshold(double factor, float beta, float coupling) {
  const double x = factor * static_cast<double>(beta) * std::fabs(static_cast<double>(coupling));
  return probability_threshold(1.0 - exact_exp_negative(x));
}

}}  // namespace glassworks::models
