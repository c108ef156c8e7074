#include "analysis/averages/log_binning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/statistics/resampling.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// later - earlier; 0 where they differ by rounding only, as means of a number that does not move do.
double difference_of(double later, double earlier) {
  constexpr double rounding = 1e-13;
  const double difference = later - earlier;
  return std::abs(difference) <= rounding * std::max(std::abs(later), std::abs(earlier)) ? 0.0 : difference;
}

}  // namespace

namespace {

using Bins = std::vector<std::vector<double>> RealizationSummary::*;

/// Differences of bin and bin + 1 of all quantities [quantity][slot]. Nothing where the summaries have no such bins.
void add_differences(std::span<const RealizationSummary> realizations, Bins bins, std::size_t bin, std::size_t slots,
                     std::uint32_t group, std::span<std::vector<Estimate>> result) {
  std::vector<double> differences;
  std::vector<std::uint32_t> ids;
  for (std::size_t quantity = 0; quantity < result.size(); ++quantity) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      differences.clear();
      ids.clear();
      const std::size_t place = slot * result.size() + quantity;
      for (const RealizationSummary& r : realizations) {
        if (bin + 1 >= (r.*bins).size()) continue;
        differences.push_back(difference_of((r.*bins)[bin][place], (r.*bins)[bin + 1][place]));
        ids.push_back(r.key.realization);
      }
      if (differences.empty()) continue;
      result[quantity].push_back(group == 1 ? mean_over_realizations(differences)
                                            : mean_over_groups(differences, group_limits(ids, group)));
    }
  }
}

}  // namespace

std::vector<LogBinStep> log_bin_steps(std::span<const RealizationSummary> realizations, std::size_t slots,
                                      std::uint32_t group) {
  std::size_t bins = 0;
  for (const RealizationSummary& r : realizations) bins = std::max(bins, r.log_bin.size());
  std::vector<LogBinStep> steps;
  for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
    LogBinStep& step = steps.emplace_back();
    step.bin = static_cast<int>(bin);
    add_differences(realizations, &RealizationSummary::log_bin, bin, slots, group, step.difference);
    add_differences(realizations, &RealizationSummary::further_bin, bin, slots, group, step.further);
  }
  return steps;
}

std::string log_bin_name(int bin) { return fmt::format("1/{:.0f}", std::ldexp(1.0, bin + 1)); }

double significance(const Estimate& estimate) {
  if (std::isnan(estimate.mean) || std::isnan(estimate.error)) return std::numeric_limits<double>::quiet_NaN();
  if (estimate.mean == 0.0) return 0.0;
  return std::abs(estimate.mean) / estimate.error;  // IEEE 754: infinite where the error is 0
}

}}  // namespace glassworks::analysis
