#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/jackknife.hpp"
#include "analysis/statistics/resampling.hpp"

namespace glassworks { inline namespace analysis {

/// An observable of one lattice size against temperature, with resampled curves that carry the whole covariance
/// between its temperatures. Curves of one size that come from the same ResampledAverages have sample s in common, so
/// covariances between observables come out the same way; different sizes are independent.
struct Curve {
  std::string observable;
  int L = 0;
  std::vector<double> temperatures;          ///< ascending
  std::vector<double> value;                 ///< [temperature]; NaN: not available
  std::vector<std::vector<double>> sampled;  ///< [sample][temperature]
  double spread = 0.0;                       ///< of ResampledAverages
  int realizations = 0;
  int groups = 0;  ///< of ResampledAverages

  /// Standard error at a temperature. NaN where the value is, or more than a tenth of its samples are; fewer samples
  /// that are NaN are left out.
  [[nodiscard]] double error(std::size_t temperature) const;
  [[nodiscard]] Estimate at(std::size_t temperature) const {
    return {value[temperature], error(temperature), realizations, groups};
  }
  /// Covariance of the values at two temperatures of this curve, or of this and another curve of the same size.
  /// Throws std::invalid_argument for a curve of another size or number of samples.
  [[nodiscard]] double covariance(std::size_t t, const Curve& other, std::size_t u) const;
};

/// A function of the disorder averages at one temperature: f(averages[column], T).
using DerivedObservable = std::function<double(std::span<const double> averages, double T)>;

/// The curve of a derived observable over the temperatures of the ensemble behind `averages`.
[[nodiscard]] Curve make_curve(const std::string& observable, const Ensemble& ensemble,
                               const ResampledAverages& averages, const DerivedObservable& f);

/// Standard error of any number that was computed from each resampled set: sqrt(spread / samples sum_s (x_s - xbar)^2).
/// NaN if more than a tenth of the samples are NaN; fewer are left out.
[[nodiscard]] double resampled_error(std::span<const double> samples, double spread);

}}  // namespace glassworks::analysis
