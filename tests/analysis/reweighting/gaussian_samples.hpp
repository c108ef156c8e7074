#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "analysis/reweighting/joint_samples.hpp"

namespace glassworks::testing {

/// Two copies with a Gaussian density of states of variance s^2 each: the energy of one is N(-beta s^2, s^2), ln Z =
/// beta^2 s^2/2, <E> = -beta s^2. One site. Third quantity: u = E_1 - E_2 + 0.5 E_1 E_2.
struct GaussianModel {
  double s = 1.0;

  static std::vector<std::string> names() { return {"energy_of_copy_1", "energy_of_copy_2", "u"}; }
  static SampledQuantities quantities() { return {names(), 1.0}; }
  [[nodiscard]] double energy(double T) const { return -s * s / T; }
  [[nodiscard]] double u(double T) const { return 0.5 * energy(T) * energy(T); }
  /// -ln Z of two copies.
  [[nodiscard]] double free_energy(double T) const { return -s * s / (T * T); }

  [[nodiscard]] JointSamples sample(const std::vector<double>& temperatures, std::size_t count, unsigned seed) const {
    JointSamples samples;
    samples.temperatures = temperatures;
    samples.count.assign(temperatures.size(), count);
    std::mt19937_64 random(seed);
    for (const double T : temperatures) {
      std::normal_distribution<double> normal(energy(T), s);
      for (std::size_t n = 0; n < count; ++n) {
        const double a = normal(random), b = normal(random);
        for (const double x : {a, b, a - b + 0.5 * a * b}) samples.values.push_back(static_cast<float>(x));
      }
    }
    return samples;
  }
};

/// Temperatures 1/beta for equally spaced beta from `coldest` downwards, ascending.
inline std::vector<double> equal_steps(double coldest_beta, double step, std::size_t slots) {
  std::vector<double> temperatures;
  for (std::size_t k = 0; k < slots; ++k) temperatures.push_back(1.0 / (coldest_beta - step * static_cast<double>(k)));
  return temperatures;
}

}  // namespace glassworks::testing
