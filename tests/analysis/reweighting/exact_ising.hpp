#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/reweighting/joint_samples.hpp"

namespace glassworks::testing {

/// Ising spin glass on a 4 x 4 torus with Gaussian couplings by enumeration of its 2^16 states.
class ExactIsing {
 public:
  static constexpr int L = 4, sites = 16, states = 1 << sites;

  explicit ExactIsing(unsigned seed) : energy_(states) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::array<std::array<double, 2>, sites> coupling;
    for (auto& at_site : coupling) at_site = {normal(random), normal(random)};
    for (int state = 0; state < states; ++state) {
      double E = 0.0;
      for (int i = 0; i < sites; ++i) {
        const int right = i / L * L + (i + 1) % L, up = (i + L) % sites;
        E -= spin(state, i) * (coupling[index(i)][0] * spin(state, right) + coupling[index(i)][1] * spin(state, up));
      }
      energy_[index(state)] = E;
    }
    lowest_ = *std::min_element(energy_.begin(), energy_.end());
  }

  /// Energy per site of each copy; q^2 and q^4 of the overlap q = (1/N) sum_i s_i^(1) s_i^(2).
  static std::vector<std::string> names() { return {"energy_of_copy_1", "energy_of_copy_2", "overlap_2", "overlap_4"}; }

  /// Exact averages at T: energy, energy_squared, energy_product, overlap_2 = (1/N^2) sum_ij <s_i s_j>^2.
  [[nodiscard]] std::map<std::string, double> averages(double T) const {
    double Z = 0.0, e = 0.0, squared = 0.0;
    std::array<std::array<double, sites>, sites> correlation{};
    for (int state = 0; state < states; ++state) {
      const double w = weight(state, T), x = energy_[index(state)] / sites;
      Z += w;
      e += w * x;
      squared += w * x * x;
      for (int i = 0; i < sites; ++i) {
        for (int j = 0; j < i; ++j) correlation[index(i)][index(j)] += w * spin(state, i) * spin(state, j);
      }
    }
    double q_2 = sites;
    for (int i = 0; i < sites; ++i) {
      for (int j = 0; j < i; ++j)
        q_2 += 2.0 * correlation[index(i)][index(j)] * correlation[index(i)][index(j)] / Z / Z;
    }
    return {{"energy", e / Z},
            {"energy_squared", squared / Z},
            {"energy_product", e / Z * e / Z},
            {"overlap_2", q_2 / (sites * sites)}};
  }

  /// -2 ln Z(T): two copies.
  [[nodiscard]] double free_energy(double T) const {
    double Z = 0.0;
    for (int state = 0; state < states; ++state) Z += weight(state, T);
    return -2.0 * (std::log(Z) - lowest_ / T);
  }

  /// `count` independent joint samples of two copies at each temperature.
  [[nodiscard]] JointSamples sample(const std::vector<double>& temperatures, std::size_t count, unsigned seed) const {
    JointSamples samples;
    samples.temperatures = temperatures;
    samples.count.assign(temperatures.size(), count);
    std::mt19937_64 random(seed);
    std::vector<double> cumulative(states);
    for (const double T : temperatures) {
      double sum = 0.0;
      for (int state = 0; state < states; ++state) cumulative[index(state)] = sum += weight(state, T);
      std::uniform_real_distribution<double> uniform(0.0, sum);
      for (std::size_t n = 0; n < count; ++n) {
        const int a = draw(cumulative, uniform(random)), b = draw(cumulative, uniform(random));
        const double q = 1.0 - 2.0 * std::popcount(static_cast<unsigned>(a ^ b)) / double{sites};
        for (const double x : {energy_[index(a)] / sites, energy_[index(b)] / sites, q * q, q * q * q * q}) {
          samples.values.push_back(static_cast<float>(x));
        }
      }
    }
    return samples;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static int spin(int state, int i) { return ((state >> i) & 1) != 0 ? 1 : -1; }
  static int draw(const std::vector<double>& cumulative, double u) {
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, u);
    return static_cast<int>(found - cumulative.begin());
  }
  [[nodiscard]] double weight(int state, double T) const { return std::exp(-(energy_[index(state)] - lowest_) / T); }

  std::vector<double> energy_;
  double lowest_ = 0.0;
};

inline const ExactIsing& exact_ising() {
  static const ExactIsing ising(7);
  return ising;
}

/// Mean over repetitions with its standard error.
struct Repeated {
  double sum = 0.0, squares = 0.0;
  int n = 0;

  void add(double x) { sum += x, squares += x * x, ++n; }
  [[nodiscard]] double mean() const { return sum / n; }
  [[nodiscard]] double variance() const { return (squares - sum * sum / n) / (n - 1); }
  /// Deviation of the mean from the truth in standard errors.
  [[nodiscard]] double sigmas(double truth) const { return (mean() - truth) / std::sqrt(variance() / n); }
};

}  // namespace glassworks::testing
