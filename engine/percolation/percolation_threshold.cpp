#include "engine/percolation/percolation_threshold.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace glassworks { inline namespace engine {

namespace {

using Quantity = PercolationQuantity;
/// A curve from the means at every p.
using Mean = std::function<double(Quantity, std::size_t)>;

Mean mean_of(const PercolationResult& result) {
  return [&result](Quantity q, std::size_t i) { return result.mean(q, i); };
}

Mean mean_without(const PercolationResult& result, std::size_t block) {
  return [&result, block](Quantity q, std::size_t i) { return result.mean_without(block, q, i); };
}

/// Variance of a root over the blocks of one size; root_without(block) may be none.
template <class RootWithout>
double jackknife_variance(std::size_t blocks, RootWithout&& root_without) {
  if (blocks < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> roots;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::optional<double> root = root_without(b);
    if (!root) return std::numeric_limits<double>::quiet_NaN();
    roots.push_back(*root);
  }
  const auto n = static_cast<double>(blocks);
  double mean = 0.0, squares = 0.0;
  for (const double root : roots) mean += root / n;
  for (const double root : roots) squares += (root - mean) * (root - mean);
  return (n - 1.0) / n * squares;
}

double interpolated(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const auto above = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const std::size_t i = std::clamp<std::size_t>(above, 1, x.size() - 1);
  return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
}

std::vector<double> curve_of(const PercolationResult& result, const Mean& mean, Quantity quantity) {
  std::vector<double> y;
  for (std::size_t i = 0; i < result.p().size(); ++i) y.push_back(mean(quantity, i));
  return y;
}

}  // namespace

std::optional<double> rising_root(const std::vector<double>& x, const std::vector<double>& y) {
  if (y.size() < 2) return std::nullopt;
  const auto lowest = std::min_element(y.begin(), y.end());
  const auto highest = std::max_element(lowest, y.end());
  if (*lowest >= 0.0 || *highest <= 0.0) return std::nullopt;
  double first = std::numeric_limits<double>::quiet_NaN(), last = first;
  for (auto i = static_cast<std::size_t>(lowest - y.begin()); i < static_cast<std::size_t>(highest - y.begin()); ++i) {
    if (y[i] >= 0.0 || y[i + 1] < 0.0) continue;
    last = x[i] - y[i] * (x[i + 1] - x[i]) / (y[i + 1] - y[i]);
    if (std::isnan(first)) first = last;
  }
  return 0.5 * (first + last);
}

std::optional<PercolationThreshold> crossing_of_sizes(const PercolationResult& small, const PercolationResult& large,
                                                      Quantity quantity) {
  const auto root = [&](const Mean& of_small, const Mean& of_large) {
    std::vector<double> difference = curve_of(large, of_large, quantity);
    const std::vector<double> lower = curve_of(small, of_small, quantity);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= lower[i];
    return rising_root(large.p(), difference);
  };
  const Mean all_small = mean_of(small), all_large = mean_of(large);
  const std::optional<double> p = root(all_small, all_large);
  if (!p) return std::nullopt;
  const double variance =
      jackknife_variance(small.blocks(), [&](std::size_t b) { return root(mean_without(small, b), all_large); }) +
      jackknife_variance(large.blocks(), [&](std::size_t b) { return root(all_small, mean_without(large, b)); });
  const double value = interpolated(small.p(), curve_of(small, all_small, quantity), *p);
  return PercolationThreshold{*p, std::sqrt(variance), value};
}

std::optional<PercolationThreshold> dual_balance(const PercolationResult& result) {
  const auto root = [&](const Mean& mean) {
    std::vector<double> balance = curve_of(result, mean, Quantity::crossing_full);
    for (std::size_t i = 0; i < balance.size(); ++i) balance[i] -= 1.0 - mean(Quantity::crossing_any, i);
    return rising_root(result.p(), balance);
  };
  const Mean all = mean_of(result);
  const std::optional<double> p = root(all);
  if (!p) return std::nullopt;
  const double variance =
      jackknife_variance(result.blocks(), [&](std::size_t b) { return root(mean_without(result, b)); });
  const double value = interpolated(result.p(), curve_of(result, all, Quantity::crossing_full), *p);
  return PercolationThreshold{*p, std::sqrt(variance), value};
}

}}  // namespace glassworks::engine
