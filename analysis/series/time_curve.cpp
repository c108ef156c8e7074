#include "analysis/series/time_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Places of the realizations that have measured a time.
std::vector<std::size_t> with_time(const SizeSeries& series, std::size_t time) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < series.realizations.size(); ++i) {
    if (series.realizations[i].times > time) places.push_back(i);
  }
  return places;
}

/// Jackknife error of leave-one-out values of some realizations.
double error_of(const std::vector<double>& without, const std::vector<std::size_t>& places) {
  const auto n = static_cast<double>(places.size());
  if (n < 2.0) return nan;
  double mean = 0.0, squares = 0.0;
  for (const std::size_t i : places) mean += without[i] / n;
  for (const std::size_t i : places) squares += (without[i] - mean) * (without[i] - mean);
  return std::sqrt((n - 1.0) / n * squares);
}

/// Slope of the straight line through points of equal weight.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mean_x += x[k] / n;
    mean_y += y[k] / n;
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  return xy / xx;
}

}  // namespace

std::vector<Estimate> average_columns(const SizeSeries& series, std::size_t slot, std::size_t time) {
  std::vector<Estimate> averages(series.observables.size());
  const std::vector<std::size_t> places = with_time(series, time);
  const auto n = static_cast<double>(places.size());
  for (std::size_t column = 0; column < averages.size(); ++column) {
    double mean = 0.0, squares = 0.0;
    for (const std::size_t i : places) mean += series.row(i, time, slot)[column];
    mean /= n;
    for (const std::size_t i : places) {
      const double d = series.row(i, time, slot)[column] - mean;
      squares += d * d;
    }
    averages[column] = {.mean = places.empty() ? nan : mean,
                        .error = n < 2.0 ? nan : std::sqrt(squares / (n * (n - 1.0))),
                        .realizations = static_cast<int>(places.size())};
  }
  return averages;
}

std::vector<TimeCurve> make_time_curves(const SizeSeries& series, std::size_t slot,
                                        const std::vector<std::string>& names, const PrepareFunctions& prepare) {
  std::vector<TimeCurve> curves(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) curves[k].name = names[k];
  const std::size_t columns = series.observables.size();
  std::vector<double> values(names.size()), all(columns), one_less(columns);
  for (std::size_t time = 0; time < series.times.size(); ++time) {
    const std::vector<Estimate> averages = average_columns(series, slot, time);
    const std::vector<std::size_t> places = with_time(series, time);
    const AverageFunctions f = prepare(time, averages);
    for (std::size_t c = 0; c < columns; ++c) all[c] = averages[c].mean;
    f(all, values);
    for (std::size_t k = 0; k < names.size(); ++k) {
      curves[k].value.push_back(values[k]);
      curves[k].without.emplace_back(series.realizations.size(), values[k]);
    }
    const auto n = static_cast<double>(places.size());
    for (const std::size_t i : places) {
      if (places.size() < 2) break;
      const std::span<const double> row = series.row(i, time, slot);
      for (std::size_t c = 0; c < columns; ++c) one_less[c] = (n * all[c] - row[c]) / (n - 1.0);
      f(one_less, values);
      for (std::size_t k = 0; k < names.size(); ++k) curves[k].without[time][i] = values[k];
    }
    for (TimeCurve& curve : curves) curve.error.push_back(error_of(curve.without[time], places));
  }
  return curves;
}

TimeCurve column_curve(const SizeSeries& series, std::size_t slot, std::size_t column) {
  TimeCurve curve{.name = series.observables[column], .value = {}, .error = {}, .without = {}};
  for (std::size_t time = 0; time < series.times.size(); ++time) {
    const std::vector<std::size_t> places = with_time(series, time);
    const auto n = static_cast<double>(places.size());
    double mean = 0.0;
    for (const std::size_t i : places) mean += series.row(i, time, slot)[column];
    mean /= n;
    std::vector<double>& without = curve.without.emplace_back(series.realizations.size(), mean);
    for (const std::size_t i : places) {
      if (places.size() > 1) without[i] = (n * mean - series.row(i, time, slot)[column]) / (n - 1.0);
    }
    curve.value.push_back(mean);
    curve.error.push_back(error_of(without, places));
  }
  return curve;
}

std::vector<std::vector<double>> time_covariance(const SizeSeries& series, const TimeCurve& curve) {
  const std::size_t times = curve.value.size();
  std::vector<std::vector<double>> covariance(times, std::vector<double>(times, nan));
  for (std::size_t a = 0; a < times; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const std::vector<std::size_t> early = with_time(series, b), both = with_time(series, a);  // b <= a: all have b
      const auto n = static_cast<double>(early.size()), m = static_cast<double>(both.size());
      if (m < 2.0) continue;
      const auto deviation = [&](std::size_t time, double of_time, std::size_t i) {
        return (of_time - 1.0) * (curve.value[time] - curve.without[time][i]);
      };
      double mean_a = 0.0, mean_b = 0.0, sum = 0.0;
      for (const std::size_t i : both) {
        mean_a += deviation(a, m, i) / m;
        mean_b += deviation(b, n, i) / m;
      }
      for (const std::size_t i : both) sum += (deviation(a, m, i) - mean_a) * (deviation(b, n, i) - mean_b);
      covariance[a][b] = covariance[b][a] = sum / (n * (m - 1.0));
    }
  }
  return covariance;
}

TimeCurve local_slopes(const SizeSeries& series, const TimeCurve& curve, std::string name, double factor,
                       const std::function<double(double t)>& x, const std::function<double(double value)>& y,
                       const std::function<double(double slope)>& result) {
  TimeCurve slopes{.name = std::move(name), .value = {}, .error = {}, .without = {}};
  for (std::size_t at = 0; at < series.times.size(); ++at) {
    const double centre = x(static_cast<double>(series.times[at])), reach = std::log(factor) * (1.0 + 1e-12);
    std::vector<std::size_t> window;
    std::vector<double> xs;
    for (std::size_t k = 0; k < series.times.size(); ++k) {
      const double place = x(static_cast<double>(series.times[k]));
      if (!(std::fabs(place - centre) <= reach) || !std::isfinite(y(curve.value[k]))) continue;
      window.push_back(k);
      xs.push_back(place);
    }
    slopes.value.push_back(nan);
    slopes.error.push_back(nan);
    slopes.without.emplace_back(series.realizations.size(), nan);
    if (window.size() < 3 || xs.back() - xs.front() < std::log(factor)) continue;
    std::vector<double> ys(window.size());
    for (std::size_t k = 0; k < window.size(); ++k) ys[k] = y(curve.value[window[k]]);
    slopes.value[at] = result(slope_of(xs, ys));
    const std::vector<std::size_t> places = with_time(series, window.front());
    std::ranges::fill(slopes.without[at], slopes.value[at]);
    for (const std::size_t i : places) {
      for (std::size_t k = 0; k < window.size(); ++k) ys[k] = y(curve.without[window[k]][i]);
      slopes.without[at][i] = result(slope_of(xs, ys));
    }
    slopes.error[at] = error_of(slopes.without[at], places);
  }
  return slopes;
}

}}  // namespace glassworks::analysis
