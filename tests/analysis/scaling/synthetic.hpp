#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "analysis/statistics/curve.hpp"

namespace glassworks {

/// Disorder averages with a known mean: `mean(T, L)`. A realization differs from it by `noise` in units of the mean,
/// with two modes that all temperatures share and a small part that they do not, as realizations of a spin glass do.
struct SyntheticCampaign {
  std::vector<int> sizes;
  std::vector<double> temperatures;
  std::function<double(double T, int L)> mean;
  int realizations = 200;
  double noise = 0.2;         ///< standard deviation of one realization
  double independent = 0.1;   ///< of it, not shared between temperatures
  Resampling resampling;

  [[nodiscard]] std::vector<Curve> curves(std::uint64_t seed, const std::string& name = "xi_over_L") const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<Curve> result;
    for (const int L : sizes) {
      Ensemble ensemble{.L = L, .temperatures = temperatures, .columns = {"R"}, .realizations = {}, .values = {}};
      const double width = temperatures.back() - temperatures.front();
      for (int i = 0; i < realizations; ++i) {
        ensemble.realizations.push_back(static_cast<std::uint32_t>(i));
        const double level = normal(engine), tilt = normal(engine);
        for (const double T : temperatures) {
          const double u = 3.14159265358979 * (T - temperatures.front()) / width;
          const double shared = level * std::cos(0.5 * u) + tilt * std::sin(0.5 * u);
          ensemble.values.push_back(mean(T, L) * (1.0 + noise * (shared + independent * normal(engine))));
        }
      }
      const ResampledAverages averages(ensemble, resampling);
      result.push_back(make_curve(name, ensemble, averages, [](std::span<const double> x, double) { return x[0]; }));
    }
    return result;
  }
};

/// n temperatures at equal distances.
inline std::vector<double> equidistant(double from, double to, int n) {
  std::vector<double> result;
  for (int i = 0; i < n; ++i) result.push_back(from + (to - from) * i / (n - 1));
  return result;
}

}  // namespace glassworks
