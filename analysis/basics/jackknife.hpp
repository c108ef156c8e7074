#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace glassworks { inline namespace analysis {

/// A number with its standard error and the number of realizations it comes from. NaN: not available.
struct Estimate {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();
  int realizations = 0;
  int groups = 0;  ///< of realizations behind an error over groups; 0: the error is over realizations

  /// Independent parts behind the error: its degrees of freedom + 1.
  [[nodiscard]] int independent() const { return groups > 0 ? groups : realizations; }
};

/// Samples of several quantities, one row per realization: values[realization][column].
class SampleTable {
 public:
  explicit SampleTable(std::size_t columns) : columns_(columns) {}

  /// Throws std::invalid_argument if the row has another length than the table.
  void add(std::span<const double> row);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return columns_ == 0 ? 0 : values_.size() / columns_; }
  [[nodiscard]] std::span<const double> row(std::size_t index) const {
    return std::span(values_).subspan(index * columns_, columns_);
  }

 private:
  std::size_t columns_;
  std::vector<double> values_;
};

/// Any number of functions of the averages: reads averages[column], writes values[function].
using AverageFunctions = std::function<void(std::span<const double> averages, std::span<double> values)>;

/// Functions f of the averages x over n realizations with leave-one-out errors:
///
///     mean = f(x),   error^2 = (n - 1)/n sum_i (f_i - sum_j f_j / n)^2,   f_i = f(x without realization i)
///
/// For f(x) = x the error is the standard error of the mean. n = 1 has no error (NaN), n = 0 no mean either. Where f is
/// NaN for some i, so is the error. Cost: n + 1 calls of f.
/// Source: Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982), ch. 3.
[[nodiscard]] std::vector<Estimate> jackknife(const SampleTable& samples, std::size_t functions,
                                              const AverageFunctions& f);

/// The same for one function.
[[nodiscard]] Estimate jackknife(const SampleTable& samples,
                                 const std::function<double(std::span<const double> averages)>& f);

/// Mean of one quantity over realizations, with its standard error.
[[nodiscard]] Estimate mean_over_realizations(std::span<const double> samples);

/// The same with the standard error over groups of realizations: group g holds the m_g samples [limits[g], limits[g +
/// 1]) of all n, G groups,
///
///     error^2 = G/(G - 1) sum_g (m_g/n)^2 (x_g - x)^2,   x_g = mean of group g
///
/// valid for any correlation within groups. NaN for one group.
/// Source: Cameron & Miller, J. Hum. Resour. 50, 317 (2015), sec. II.
[[nodiscard]] Estimate mean_over_groups(std::span<const double> samples, std::span<const std::size_t> limits);

}}  // namespace glassworks::analysis
