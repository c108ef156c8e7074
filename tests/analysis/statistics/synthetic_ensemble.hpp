#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "analysis/statistics/ensemble.hpp"

namespace glassworks::testing {

/// Normal and uniform numbers that are the same with every standard library.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

/// Ensemble of one size whose values are value(realization, temperature, column).
template <typename Value>
Ensemble make_synthetic(int realizations, std::vector<double> temperatures, std::vector<std::string> columns,
                        const Value& value, int L = 4) {
  Ensemble ensemble{
      .L = L, .temperatures = std::move(temperatures), .columns = std::move(columns), .realizations = {}, .values = {}};
  for (int r = 0; r < realizations; ++r) {
    ensemble.realizations.push_back(static_cast<std::uint32_t>(r));
    for (std::size_t t = 0; t < ensemble.temperatures.size(); ++t) {
      for (std::size_t c = 0; c < ensemble.columns.size(); ++c) ensemble.values.push_back(value(r, t, c));
    }
  }
  return ensemble;
}

/// Pairs (a, b) of means 3 and 2 with a common part, at two temperatures; b of the second is independent of the rest.
inline Ensemble correlated_pairs(int realizations, std::uint64_t seed) {
  Noise noise(seed);
  double common = 0.0;
  return make_synthetic(realizations, {0.5, 1.0}, {"a", "b"}, [&](int, std::size_t t, std::size_t c) {
    if (t == 0 && c == 0) common = noise.normal();
    const double shared = t == 1 && c == 1 ? 0.0 : 0.3 * common;
    return (c == 0 ? 3.0 : 2.0) + shared + 0.2 * noise.normal();
  });
}

}  // namespace glassworks::testing
