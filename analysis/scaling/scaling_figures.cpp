#include "analysis/scaling/scaling_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/basics/value_format.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/series_look.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::vector<double> errors_of(const ScalingCurve& curve) {
  const Eigen::VectorXd sigma = curve.errors();
  return {sigma.begin(), sigma.end()};
}

constexpr std::size_t most_points = 30;  ///< of a size in a collapse: neighbours of a reweighted curve hide each other

/// Points of a size with x between the limits, moved onto the scaling function.
Series collapsed(const ScalingCurve& curve, double from, double to, const std::function<double(double)>& x_of,
                 const std::function<double(double)>& offset) {
  Series series{
      .name = size_label(curve.L), .style = SeriesStyle::points, .x = {}, .y = {}, .y_error = {}, .x_error = {}};
  const std::vector<double> sigma = errors_of(curve);
  const double margin = 1e-9 * (to - from);
  std::vector<Eigen::Index> inside;
  for (Eigen::Index i = 0; i < curve.points(); ++i) {
    const double x = x_of(curve.T[i]);
    if (x >= from - margin && x <= to + margin) inside.push_back(i);
  }
  const std::size_t stride = (inside.size() + most_points - 1) / most_points;
  for (std::size_t k = 0; k < inside.size(); k += stride) {
    const Eigen::Index i = inside[k];
    series.x.push_back(x_of(curve.T[i]));
    series.y.push_back(curve.y[i] - offset(curve.T[i]));
    series.y_error.push_back(sigma[static_cast<std::size_t>(i)]);
  }
  return series;
}

std::string variable_label(TemperatureVariable variable) {
  return variable == TemperatureVariable::inverse ? "T_{c} (T − T_{c})/T L^{1/ν}" : "(T − T_{c}) L^{1/ν}";
}

std::string with_error(const SampledNumber* number, double value) {
  return number == nullptr ? fmt::format("{:.5g}", value) : format_value(number->value, number->error());
}

}  // namespace

Figure curves_figure(const ObservableScaling& scaling) {
  Figure figure{.id = "scaling_" + scaling.observable + "_curves",
                .title = scaling.label + " against temperature",
                .caption = "Curves of different sizes cross at the transition, up to corrections to scaling.",
                .x = {"T"},
                .y = {scaling.label},
                .series = {},
                .guides = {}};
  for (const ScalingCurve& curve : scaling.curves) {
    figure.series.push_back({.name = size_label(curve.L),
                             .style = curve.points() > 60 ? SeriesStyle::band : SeriesStyle::points_and_line,
                             .x = {curve.T.begin(), curve.T.end()},
                             .y = {curve.y.begin(), curve.y.end()},
                             .y_error = errors_of(curve),
                             .x_error = {}});
  }
  if (scaling.claim.holds()) {
    const SampledNumber& T_c = scaling.claim.T_c.number;
    figure.guides.push_back({Guide::Direction::vertical, T_c.value, T_c.error(), "T_{c} of the joint fit"});
  }
  return figure;
}

Figure crossings_figure(const ObservableScaling& scaling) {
  Figure figure{.id = "scaling_" + scaling.observable + "_crossings",
                .title = "Crossing temperatures of " + scaling.label,
                .caption = "Pairs (L, L') with an established crossing, against the smaller size; L'/L in the legend.",
                .x = {"L"},
                .y = {"T_{x}"},
                .series = {},
                .guides = {}};
  std::map<double, Series> by_ratio;
  for (const PairCrossings& pair : scaling.pairs) {
    const Crossing* crossing = pair.best();
    if (crossing == nullptr) continue;
    const double ratio = static_cast<double>(pair.L_large) / pair.L_small;
    Series& series = by_ratio[ratio];
    series.name = fmt::format("L'/L = {:.3g}", ratio);
    series.x.push_back(pair.L_small);
    series.y.push_back(crossing->T.value);
    series.y_error.push_back(crossing->T.error());
  }
  for (auto& [ratio, series] : by_ratio) figure.series.push_back(std::move(series));
  if (scaling.claim.holds()) {
    const SampledNumber& T_c = scaling.claim.T_c.number;
    figure.guides.push_back({Guide::Direction::horizontal, T_c.value, T_c.error(), "T_{c} of the joint fit"});
  }
  return figure;
}

Figure collapse_figure(const std::string& id, const std::string& label, std::span<const ScalingCurve> curves,
                       const ScalingFit& fit) {
  Figure figure{
      .id = id,
      .title = "Data collapse of " + label + ", joint fit",
      .caption = fmt::format("T_{{c}} = {}, 1/ν = {}; band: scaling function with its standard error.",
                             with_error(fit.find("T_c"), fit.T_c()), with_error(fit.find("1/nu"), fit.inverse_nu())),
      .x = {variable_label(fit.options.variable)},
      .y = {label},
      .series = {},
      .guides = {}};
  Series band{.name = "scaling function", .style = SeriesStyle::band, .x = {}, .y = {}, .y_error = {}, .x_error = {}};
  constexpr int steps = 80;
  for (int i = 0; i <= steps; ++i) {
    const double x = fit.x_min + (fit.x_max - fit.x_min) * i / steps;
    const Estimate f = fit.scaling_function(x);
    band.x.push_back(x);
    band.y.push_back(f.mean);
    band.y_error.push_back(f.error);
  }
  figure.series.push_back(std::move(band));
  for (const ScalingCurve& curve : curves) {
    if (std::ranges::find(fit.sizes, curve.L) == fit.sizes.end()) continue;
    figure.series.push_back(collapsed(
        curve, fit.x_min, fit.x_max, [&](double T) { return fit.scaling_variable(T, curve.L); },
        [&](double T) { return fit.offset(T, curve.L); }));
  }
  return figure;
}

Figure gaussian_figure(const std::string& id, const std::string& label, std::span<const ScalingCurve> curves,
                       const Collapse& collapse) {
  const double T_c = collapse.find("T_c")->value, inverse_nu = collapse.find("1/nu")->value;
  Figure figure{.id = id,
                .title = "Data collapse of " + label + ", Gaussian process",
                .caption = fmt::format(
                    "T_{{c}} = {:.5g}, 1/ν = {:.4g}; band: scaling function with its standard error.", T_c, inverse_nu),
                .x = {variable_label(collapse.options.variable)},
                .y = {label},
                .series = {},
                .guides = {}};
  figure.series.push_back({.name = "scaling function",
                           .style = SeriesStyle::band,
                           .x = collapse.x,
                           .y = collapse.f,
                           .y_error = collapse.f_error,
                           .x_error = {}});
  for (const ScalingCurve& curve : curves) {
    if (std::ranges::find(collapse.sizes, curve.L) == collapse.sizes.end()) continue;
    figure.series.push_back(collapsed(
        curve, collapse.x.front(), collapse.x.back(),
        [&](double T) {
          const bool inverse = collapse.options.variable == TemperatureVariable::inverse;
          return (inverse ? T_c * (1.0 - T_c / T) : T - T_c) * std::pow(curve.L, inverse_nu);
        },
        [](double) { return 0.0; }));
  }
  return figure;
}

namespace {

/// Crossings of neighbouring sizes, as points with the errors of T_x and R_x.
Series crossing_points(const ObservableScaling& scaling) {
  Series points{.name = crossings_name, .style = SeriesStyle::points};
  for (std::size_t i = 0; i < scaling.pairs.size(); ++i) {
    const bool neighbours = i == 0 || scaling.pairs[i - 1].L_small != scaling.pairs[i].L_small;
    const Crossing* crossing = neighbours ? scaling.pairs[i].best() : nullptr;
    if (crossing == nullptr) continue;
    points.x.push_back(crossing->T.value);
    points.y.push_back(crossing->R.value);
    points.x_error.push_back(crossing->T.error());
    points.y_error.push_back(crossing->R.error());
  }
  return points;
}

}  // namespace

void enlarge_crossing(const ObservableScaling& scaling, Figure& figure) {
  constexpr double errors_around = 3.0, least_part = 0.04, largest_part = 0.5;
  Series crossings = crossing_points(scaling);
  if (crossings.x.empty()) return;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Series& series : figure.series) {
    for (const double T : series.x) {
      lowest = std::min(lowest, T);
      highest = std::max(highest, T);
    }
  }
  double from = std::numeric_limits<double>::infinity(), to = -from;
  for (std::size_t i = 0; i < crossings.x.size(); ++i) {
    const double around = std::max(errors_around * crossings.x_error[i], least_part * (highest - lowest));
    from = std::min(from, crossings.x[i] - around);
    to = std::max(to, crossings.x[i] + around);
  }
  figure.series.push_back(std::move(crossings));
  figure.caption += " Crossings of neighbouring sizes with their errors";
  if (to - from < largest_part * (highest - lowest)) {
    figure.inset = inset_around(figure, from, to);
    if (inset_place(figure, plot_ranges(figure))) {
      figure.caption += ", enlarged in the inset";
    } else {
      figure.inset.reset();
    }
  }
  figure.caption += '.';
}

}}  // namespace glassworks::analysis
