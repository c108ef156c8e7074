#include "analysis/log_binning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/statistics/resampling.hpp"

namespace glassworks::inline analysis {
namespace {

/// later - earlier; 0 where they differ by rounding only, as means of a number that does not move do.
double difference_of(double later, double earlier) {
  constexpr double rounding = 1e-13;
  const double difference = later - earlier;
  return std::abs(difference) <= rounding * std::max(std::abs(later), std::abs(earlier)) ? 0.0 : difference;
}

}  // namespace

std::vector<LogBinStep> log_bin_steps(std::span<const RealizationSummary> realizations, std::size_t slots,
                                      std::uint32_t group) {
  std::size_t bins = 0;
  for (const RealizationSummary& r : realizations) bins = std::max(bins, r.log_bin.size());
  std::vector<LogBinStep> steps;
  std::vector<double> differences;
  std::vector<std::uint32_t> ids;
  for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
    LogBinStep& step = steps.emplace_back();
    step.bin = static_cast<int>(bin);
    for (std::size_t quantity = 0; quantity < log_bin_quantities; ++quantity) {
      for (std::size_t slot = 0; slot < slots; ++slot) {
        differences.clear();
        ids.clear();
        const std::size_t place = slot * log_bin_quantities + quantity;
        for (const RealizationSummary& r : realizations) {
          if (bin + 1 < r.log_bin.size()) {
            differences.push_back(difference_of(r.log_bin[bin][place], r.log_bin[bin + 1][place]));
            ids.push_back(r.key.realization);
          }
        }
        step.difference[quantity].push_back(group == 1 ? mean_over_realizations(differences)
                                                       : mean_over_groups(differences, group_limits(ids, group)));
      }
    }
  }
  return steps;
}

std::string log_bin_name(int bin) { return fmt::format("1/{:.0f}", std::ldexp(1.0, bin + 1)); }

double significance(const Estimate& estimate) {
  if (std::isnan(estimate.mean) || std::isnan(estimate.error)) return std::numeric_limits<double>::quiet_NaN();
  if (estimate.mean == 0.0) return 0.0;
  return std::abs(estimate.mean) / estimate.error;  // IEEE 754: infinite where the error is 0
}

}  // namespace glassworks::inline analysis
