#include "analysis/diagnostics/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr int bins_per_decade = 5;

std::vector<double> positive(std::span<const double> values) {
  std::vector<double> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
               [](double x) { return std::isfinite(x) && x > 0.0; });
  return kept;
}

std::string number(double x) { return std::isnan(x) ? "-" : std::isinf(x) ? "∞" : fmt::format("{:.4g}", x); }

}  // namespace

double quantile(std::vector<double> values, double p) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= values.size()) return values.back();
  const double part = place - static_cast<double>(below);
  return part > 0.0 ? values[below] + part * (values[below + 1] - values[below]) : values[below];
}

Series histogram(const std::string& name, std::span<const double> values, double low, double high, int bins,
                 bool logarithmic) {
  const auto scale = [logarithmic](double x) { return logarithmic ? std::log(x) : x; };
  const double first = scale(low), width = (scale(high) - first) / bins;
  std::vector<double> counts(static_cast<std::size_t>(bins), 0.0);
  for (const double value : values) {
    const double place = (scale(value) - first) / width;
    // The upper limit belongs to the last bin; rounding must not lose it.
    if (place >= -1e-9 && place <= bins + 1e-9)
      counts[static_cast<std::size_t>(std::clamp(place, 0.0, bins - 0.5))] += 1.0;
  }
  Series series = make_series(name, SeriesStyle::bars);
  const auto n = static_cast<double>(values.size());
  for (int bin = 0; bin < bins; ++bin) {
    const double centre = first + (bin + 0.5) * width, fraction = counts[static_cast<std::size_t>(bin)] / n;
    series.x.push_back(logarithmic ? std::exp(centre) : centre);
    series.y.push_back(fraction);
    series.y_error.push_back(std::sqrt(fraction * (1.0 - fraction) / n));
  }
  return series;
}

Series survival(const std::string& name, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Series series = make_series(name, SeriesStyle::line);
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && values[i] == values[i - 1]) continue;
    series.x.push_back(values[i]);
    series.y.push_back(static_cast<double>(values.size() - i) / n);
  }
  return series;
}

std::vector<Item> logarithmic_distribution(const Quantity& quantity, std::span<const Distribution> sizes,
                                           const std::string& caption) {
  Figure bars, tail;
  bars.id = "distribution_" + quantity.id;
  bars.title = "Distribution of " + quantity.title + " over realizations";
  bars.caption = "Fraction of the realizations in bins of equal ratio. " + caption;
  bars.x = {quantity.symbol, true};
  bars.y = {"fraction of realizations", false};
  tail.id = "tail_" + quantity.id;
  tail.title = "Tail of the distribution of " + quantity.title;
  tail.caption =
      "Fraction of the realizations with at least the value on the axis. A line that falls slowly is a power law: a "
      "fat tail, whose largest values grow with the number of realizations.";
  tail.x = {quantity.symbol, true};
  tail.y = {"fraction at or above", true};

  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const Distribution& size : sizes) {
    for (const double x : positive(size.values)) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  if (high > 0.0) {  // the same bins for all sizes, at whole fractions of decades
    const double first = std::floor(std::log10(low) * bins_per_decade);
    const double last = std::max(first + 1.0, std::ceil(std::log10(high) * bins_per_decade));
    for (const Distribution& size : sizes) {
      const std::vector<double> values = positive(size.values);
      if (values.empty()) continue;
      bars.series.push_back(histogram(size_label(size.L), values, std::pow(10.0, first / bins_per_decade),
                                      std::pow(10.0, last / bins_per_decade), static_cast<int>(last - first), true));
      tail.series.push_back(survival(size_label(size.L), values));
    }
  }
  return {std::move(bars), std::move(tail)};
}

Table quantile_table(const std::string& id, const std::string& title, const std::string& caption) {
  Table table{id, title, caption, {}};
  table.rows.push_back({"quantity", "L", "realizations", "smallest", "10 %", "median", "mean", "90 %", "99 %",
                        "largest", "largest / median"});
  return table;
}

void add_quantile_rows(Table& table, const Quantity& quantity, std::span<const Distribution> sizes) {
  for (const Distribution& size : sizes) {
    const std::vector<double>& v = size.values;
    std::vector<std::string> row = {quantity.symbol, std::to_string(size.L), std::to_string(v.size())};
    const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
    for (const double p : {0.0, 0.1, 0.5}) row.push_back(number(quantile(v, p)));
    row.push_back(number(mean));
    for (const double p : {0.9, 0.99, 1.0}) row.push_back(number(quantile(v, p)));
    row.push_back(number(quantile(v, 1.0) / quantile(v, 0.5)));
    table.rows.push_back(std::move(row));
  }
}

}}  // namespace glassworks::analysis
