#include "analysis/basics/jackknife.hpp"

#include <cmath>
#include <stdexcept>

namespace glassworks { inline namespace analysis {

void SampleTable::add(std::span<const double> row) {
  if (row.size() != columns_) throw std::invalid_argument("SampleTable: a row of another length than the table");
  values_.insert(values_.end(), row.begin(), row.end());
}

std::vector<Estimate> jackknife(const SampleTable& samples, std::size_t functions, const AverageFunctions& f) {
  const std::size_t n = samples.rows(), columns = samples.columns();
  std::vector<Estimate> result(functions);
  for (Estimate& estimate : result) estimate.realizations = static_cast<int>(n);
  if (n == 0) return result;

  const double count = static_cast<double>(n);
  std::vector<double> average(columns, 0.0), values(functions);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns; ++c) average[c] += samples.row(i)[c];
  }
  for (double& a : average) a /= count;
  f(average, values);
  for (std::size_t k = 0; k < functions; ++k) result[k].mean = values[k];
  if (n == 1) return result;

  std::vector<double> without(columns), left_out(n * functions);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const double> row = samples.row(i);
    for (std::size_t c = 0; c < columns; ++c) without[c] = average[c] + (average[c] - row[c]) / (count - 1.0);
    f(without, std::span(left_out).subspan(i * functions, functions));
  }
  for (std::size_t k = 0; k < functions; ++k) {
    double centre = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) centre += left_out[i * functions + k] / count;
    for (std::size_t i = 0; i < n; ++i) {
      const double deviation = left_out[i * functions + k] - centre;
      squares += deviation * deviation;
    }
    result[k].error = std::sqrt((count - 1.0) / count * squares);
  }
  return result;
}

Estimate jackknife(const SampleTable& samples, const std::function<double(std::span<const double>)>& f) {
  return jackknife(samples, 1,
                   [&f](std::span<const double> averages, std::span<double> values) { values[0] = f(averages); })[0];
}

Estimate mean_over_realizations(std::span<const double> samples) {
  SampleTable table(1);
  for (const double& sample : samples) table.add(std::span(&sample, 1));
  return jackknife(table, [](std::span<const double> averages) { return averages[0]; });
}

Estimate mean_over_groups(std::span<const double> samples, std::span<const std::size_t> limits) {
  Estimate result = mean_over_realizations(samples);
  const std::size_t groups = limits.empty() ? 0 : limits.size() - 1;
  result.groups = static_cast<int>(groups);
  result.error = std::numeric_limits<double>::quiet_NaN();
  if (groups < 2) return result;
  double squares = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    double deviation = 0.0;
    for (std::size_t i = limits[g]; i < limits[g + 1]; ++i) deviation += samples[i] - result.mean;
    squares += deviation * deviation;
  }
  const auto G = static_cast<double>(groups), n = static_cast<double>(samples.size());
  result.error = std::sqrt(G / (G - 1.0) * squares) / n;
  return result;
}

}}  // namespace glassworks::analysis
