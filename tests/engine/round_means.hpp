#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

#include "engine/bins/stationarity.hpp"

namespace glassworks::testing {

/// The test of energy and |q|^2.
inline LogBinningTest log_binning(RoundMeans energy, RoundMeans overlap, double batch_rounds) {
  const NamedMeans both[] = {{"energy", std::move(energy)}, {"|q|^2", std::move(overlap)}};
  return glassworks::log_binning(both, batch_rounds);
}

/// Normal round means of `slots` slots, independent of each other, mean -1.5 and standard deviation 0.1. Those of
/// consecutive rounds are an AR(1) process with correlation `correlation`: tau_int = (1 + c) / (1 - c) / 2 rounds.
class RoundMeansSource {
 public:
  explicit RoundMeansSource(unsigned seed) : random_(seed) {}

  RoundMeans series(std::size_t rounds, std::size_t slots, double correlation = 0.0) {
    RoundMeans means(rounds, std::vector<double>(slots));
    for (std::size_t slot = 0; slot < slots; ++slot) {
      double x = normal_(random_);
      for (std::size_t r = 0; r < rounds; ++r) {
        if (r > 0) x = correlation * x + std::sqrt(1.0 - correlation * correlation) * normal_(random_);
        means[r][slot] = -1.5 + 0.1 * x;
      }
    }
    return means;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace glassworks::testing
