#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "analysis/statistics/curve.hpp"

namespace glassworks::testing {

/// Realizations whose values at a temperature are truth(T) + noise, correlated between temperatures: sigma times
/// (a part common to all temperatures, one linear in T, one of each temperature, of equal variance at the ends). The
/// curve of their averages, resampled by delete-one jackknife.
inline Curve noisy_curve(int L, const std::vector<double>& temperatures, int realizations, double sigma,
                         const std::function<double(double T)>& truth, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  Ensemble ensemble;
  ensemble.L = L;
  ensemble.temperatures = temperatures;
  ensemble.columns = {"R"};
  const double middle = 0.5 * (temperatures.front() + temperatures.back()), half = temperatures.back() - middle;
  for (int r = 0; r < realizations; ++r) {
    ensemble.realizations.push_back(static_cast<std::uint32_t>(r));
    const double common = normal(generator), tilt = normal(generator);
    for (const double T : temperatures) {
      ensemble.values.push_back(truth(T) +
                                sigma * (common + tilt * (T - middle) / half + normal(generator)) / std::sqrt(3.0));
    }
  }
  const ResampledAverages averages(ensemble, {ResamplingKind::jackknife, std::max(2, realizations), 1});
  return make_curve("R", ensemble, averages, [](std::span<const double> x, double) { return x[0]; });
}

/// A curve with the same samples at every temperature as given: values[temperature], sampled[sample][temperature].
inline Curve given_curve(int L, std::vector<double> temperatures, std::vector<double> values,
                         std::vector<std::vector<double>> sampled, double spread, int realizations) {
  Curve curve;
  curve.observable = "R";
  curve.L = L;
  curve.temperatures = std::move(temperatures);
  curve.value = std::move(values);
  curve.sampled = std::move(sampled);
  curve.spread = spread;
  curve.realizations = realizations;
  return curve;
}

}  // namespace glassworks::testing
