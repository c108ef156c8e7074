#pragma once

#include <cmath>
#include <vector>

#include "tests/analysis/statistics/synthetic_ensemble.hpp"

namespace glassworks::testing {

/// rho at which the variance of a mean over groups of so many realizations is `ratio` times that of independent ones,
/// ratio = 1 + (group - 1) rho.
constexpr double rho_of_ratio(double ratio, int group) { return (ratio - 1.0) / (group - 1); }

/// Normal numbers of variance 1, of realizations with equal quotient id / group correlated by rho.
class GroupedNoise {
 public:
  GroupedNoise(std::uint64_t seed, int group, double rho)
      : noise_(seed), group_(group), shared_(std::sqrt(rho)), own_(std::sqrt(1.0 - rho)) {}

  /// Of realizations in the order of their ids, `columns` numbers each.
  [[nodiscard]] std::vector<double> of(int realization, std::size_t columns) {
    if (common_.empty() || realization / group_ != current_) {
      common_.clear();
      for (std::size_t c = 0; c < columns; ++c) common_.push_back(noise_.normal());
      current_ = realization / group_;
    }
    std::vector<double> x;
    for (const double common : common_) x.push_back(shared_ * common + own_ * noise_.normal());
    return x;
  }

 private:
  Noise noise_;
  int group_, current_ = -1;
  double shared_, own_;
  std::vector<double> common_;
};

/// An ensemble at T = 1 of columns "a", "b" = 3 + 0.1 x and 2 + 0.1 y with x, y of GroupedNoise.
inline Ensemble grouped_pairs(int realizations, int group, double rho, std::uint64_t seed) {
  GroupedNoise noise(seed, group, rho);
  std::vector<double> x;
  return make_synthetic(realizations, {1.0}, {"a", "b"}, [&](int r, std::size_t, std::size_t c) {
    if (c == 0) x = noise.of(r, 2);
    return (c == 0 ? 3.0 : 2.0) + 0.1 * x[c];
  });
}

}  // namespace glassworks::testing
