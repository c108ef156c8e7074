#include "analysis/field/size_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Sign of D where it is beyond its band, 0 within it.
int certain_sign(const DifferenceBand& band, std::size_t t) {
  if (band.difference[t] > band.factor * band.error[t]) return 1;
  if (band.difference[t] < -band.factor * band.error[t]) return -1;
  return 0;
}

/// Zero of the weighted regression line through points [first, last] of D; for two points the straight line.
double zero(const DifferenceBand& band, std::span<const double> difference, std::size_t first, std::size_t last) {
  double w = 0.0, wx = 0.0, wy = 0.0, wxx = 0.0, wxy = 0.0;
  for (std::size_t t = first; t <= last; ++t) {
    const double weight = 1.0 / (band.error[t] * band.error[t]), x = band.temperatures[t], y = difference[t];
    w += weight;
    wx += weight * x;
    wy += weight * y;
    wxx += weight * x * x;
    wxy += weight * x * y;
  }
  const double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  return wx / w - wy / (w * slope);
}

SizeCrossing crossing(const DifferenceBand& band, std::size_t first, std::size_t last) {
  const auto error = [&](const std::vector<std::vector<double>>& sampled, double spread) {
    std::vector<double> zeros;
    for (const std::vector<double>& D : sampled) zeros.push_back(zero(band, D, first, last));
    return resampled_error(zeros, spread);
  };
  return {zero(band, band.difference, first, last),
          std::hypot(error(band.sampled_small, band.spread_small), error(band.sampled_large, band.spread_large)),
          band.temperatures[first], band.temperatures[last],
          band.difference[first] > 0.0 ? CrossingDirection::ordering : CrossingDirection::reversed};
}

/// "[0.1, 0.2] and [0.5, 0.6]": runs of temperatures where D has this certain sign; empty if there are none.
std::string regions(const DifferenceBand& band, int sign) {
  std::string text;
  for (std::size_t t = 0; t < band.temperatures.size(); ++t) {
    if (certain_sign(band, t) != sign) continue;
    const std::size_t first = t;
    while (t + 1 < band.temperatures.size() && certain_sign(band, t + 1) == sign) ++t;
    if (!text.empty()) text += " and ";
    text += first == t ? fmt::format("T = {:.4g}", band.temperatures[t])
                       : fmt::format("[{:.4g}, {:.4g}]", band.temperatures[first], band.temperatures[t]);
  }
  return text;
}

std::string value_at(const DifferenceBand& band, std::size_t t) {
  return fmt::format("{} at T = {:.4g}", format_value(band.difference[t], band.error[t]), band.temperatures[t]);
}

std::string undecided_statement(const DifferenceBand& band, const std::string& percent) {
  const std::string below = regions(band, -1), above = regions(band, 1);
  std::string text = fmt::format("Undecided at {}: D(T) is ", percent);
  if (below.empty() && above.empty()) {
    text += "zero within its band at every temperature";
  } else {
    text += fmt::format("{} zero in {}", above.empty() ? "below" : "above", above.empty() ? below : above);
    const std::size_t points = band.temperatures.size();
    std::size_t beyond = 0;
    for (std::size_t t = 0; t < points; ++t) beyond += certain_sign(band, t) != 0 ? 1 : 0;
    if (beyond < points) text += " and elsewhere zero within its band";
  }
  if (band.missing > 0) {
    text += fmt::format(", but is not available at {} of {} temperatures", band.missing,
                        band.missing + band.temperatures.size());
  }
  // The point that comes closest to a crossing, or goes farthest beyond it.
  const double towards = above.empty() ? 1.0 : -1.0;
  std::size_t closest = 0;
  for (std::size_t t = 1; t < band.temperatures.size(); ++t) {
    const auto sigma = [&](std::size_t i) { return towards * band.difference[i] / band.error[i]; };
    if (sigma(t) > sigma(closest)) closest = t;
  }
  return text + fmt::format("; {} in standard errors it is {}.", above.empty() ? "largest" : "smallest",
                            value_at(band, closest));
}

std::string statement(const SizeComparison& c) {
  const DifferenceBand& band = c.band;
  const std::string percent = fmt::format("{:g} %", 100.0 * band.confidence);
  switch (c.state) {
    case CrossingState::no_data:
      return "Nothing to compare: no common temperature has both curves and their errors.";
    case CrossingState::crossing: {
      std::string text;
      for (const SizeCrossing& x : c.crossings) {
        text += fmt::format("{} at T = {}, at {} between {:.4g} and {:.4g}{}", text.empty() ? "Crossing" : ", and",
                            format_value(x.T, x.error), percent, x.T_low, x.T_high,
                            x.direction == CrossingDirection::ordering
                                ? ""
                                : " (but the larger size lies lower below it: no sign of a transition)");
      }
      return text + ".";
    }
    case CrossingState::undecided:
      return undecided_statement(band, percent);
    case CrossingState::always_below:
    case CrossingState::always_above: {
      const bool below = c.state == CrossingState::always_below;
      const auto closest = below ? std::max_element(band.difference.begin(), band.difference.end())
                                 : std::min_element(band.difference.begin(), band.difference.end());
      return fmt::format(
          "No crossing in [{:.4g}, {:.4g}] at {}: D(T) is {} zero at all {} temperatures together (band of {:.2f} "
          "standard errors), and the {} D is {}.",
          band.temperatures.front(), band.temperatures.back(), percent, below ? "below" : "above",
          band.temperatures.size(), band.factor, below ? "largest" : "smallest",
          value_at(band, static_cast<std::size_t>(closest - band.difference.begin())));
    }
  }
  return {};
}

}  // namespace

SizeComparison compare_sizes(const Curve& small, const Curve& large, double confidence) {
  SizeComparison c;
  c.observable = small.observable;
  c.small = small.L;
  c.large = large.L;
  c.band = difference_band(small, large, confidence);
  const std::size_t points = c.band.temperatures.size();
  std::size_t beyond = 0, last = points;  // last: the last temperature with a certain sign
  for (std::size_t t = 0; t < points; ++t) {
    const int sign = certain_sign(c.band, t);
    if (sign == 0) continue;
    ++beyond;
    if (last < points && certain_sign(c.band, last) != sign) c.crossings.push_back(crossing(c.band, last, t));
    last = t;
  }
  if (points == 0) {
    c.state = CrossingState::no_data;
  } else if (!c.crossings.empty()) {
    c.state = CrossingState::crossing;
  } else if (beyond == points && c.band.missing == 0) {
    c.state = certain_sign(c.band, 0) < 0 ? CrossingState::always_below : CrossingState::always_above;
  } else {
    c.state = CrossingState::undecided;
  }
  c.statement = statement(c);
  return c;
}

const char* to_string(CrossingState state) {
  switch (state) {
    case CrossingState::crossing:
      return "crossing";
    case CrossingState::always_below:
    case CrossingState::always_above:
      return "no crossing";
    case CrossingState::undecided:
      return "undecided";
    case CrossingState::no_data:
      return "no data";
  }
  return "unknown";
}

}}  // namespace glassworks::analysis
