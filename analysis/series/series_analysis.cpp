#include "analysis/series/series_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/series/field_response.hpp"
#include "analysis/series/series_columns.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Half the width of the windows of local slopes, as a factor in t.
constexpr double slope_factor = 2.0;

/// A function of the averages at a time, which may fix something by the averages of all realizations.
struct DerivedQuantity {
  std::string name;
  std::function<std::function<double(std::span<const double>)>(std::size_t time, std::span<const Estimate>)> prepare;
};

template <class Value>
std::vector<Value> picked(std::span<const Value> all, const std::vector<std::size_t>& columns) {
  std::vector<Value> values;
  for (const std::size_t column : columns) values.push_back(all[column]);
  return values;
}

using OfIntegrals = double (*)(const CorrelationIntegrals&);

/// How integrals are made: the end of the sums, and the sums.
struct IntegralRule {
  NoiseCut (*cut)(std::span<const Estimate>) = noise_cut;
  CorrelationIntegrals (*integrate)(std::span<const double>, const NoiseCut&) = glassworks::integrate;
};

NoiseCut at_published_value(std::span<const Estimate> values) { return value_cut(values, plain_cut); }

/// A quantity of the integrals of a correlation function, times the length of a step.
DerivedQuantity of_integrals(std::string name, std::vector<std::size_t> columns, double step, OfIntegrals f,
                             IntegralRule rule = {}) {
  return {std::move(name), [columns, step, f, rule](std::size_t, std::span<const Estimate> averages) {
            const NoiseCut cut = rule.cut(picked(averages, columns));
            return [columns, step, f, rule, cut](std::span<const double> all) {
              return step * f(rule.integrate(picked(all, columns), cut));
            };
          }};
}

double first_length(const CorrelationIntegrals& I) { return I.xi_12(); }
double second_length(const CorrelationIntegrals& I) { return I.xi_23(); }
double ratio_of_lengths(const CorrelationIntegrals& I) { return I.xi_23() / I.xi_12(); }

void add_second_moment(const SizeSeries& series, std::string name, const std::string& zero, const std::string& kmin,
                       std::vector<DerivedQuantity>& quantities) {
  const auto at_zero = column_of(series, zero), at_kmin = column_of(series, kmin);
  if (!at_zero || !at_kmin) return;
  quantities.push_back({std::move(name), [=, L = series.L](std::size_t, std::span<const Estimate>) {
                          return [=](std::span<const double> all) {
                            return correlation_length(all[*at_zero], all[*at_kmin], L);
                          };
                        }});
}

/// Weights of the columns whose sum is the magnetization along the field per field strength; empty without such a
/// field.
std::vector<std::pair<std::size_t, double>> response_weights(const Config& config, const SizeSeries& series) {
  std::vector<std::pair<std::size_t, double>> weights;
  if (config.model.field != FieldKind::constant || config.model.field_strength == 0.0) return weights;
  const double h = config.model.field_strength;
  if (const auto column = column_of(series, "magnetization")) return {{*column, 1.0 / h}};
  std::vector<std::size_t> components;
  while (const auto column = column_of(series, "magnetization(" + std::to_string(components.size() + 1) + ')')) {
    components.push_back(*column);
  }
  if (components.empty()) return weights;  // potts has no magnetization but its square
  const std::vector<double> field = constant_field(config.model, components.size());
  for (std::size_t a = 0; a < std::min(components.size(), field.size()); ++a) {
    weights.emplace_back(components[a], field[a] / (h * h));
  }
  return weights;
}

std::vector<DerivedQuantity> quantities_of(const Config& config, const SizeSeries& series) {
  std::vector<DerivedQuantity> quantities;
  if (const auto axis = columns_by_distance(series, "c4_axis"); axis.size() > 1) {
    quantities.push_back(of_integrals("xi_12", axis, 1.0, first_length));
    quantities.push_back(of_integrals("xi_23", axis, 1.0, second_length));
    quantities.push_back(of_integrals("xi_ratio", axis, 1.0, ratio_of_lengths));
    quantities.push_back(of_integrals("xi_12_cut", axis, 1.0, first_length, {at_published_value, plain_sums}));
  }
  if (const auto diagonal = columns_by_distance(series, "c4_diagonal"); diagonal.size() > 1) {
    quantities.push_back(of_integrals("xi_12_diagonal", diagonal, std::numbers::sqrt2, first_length));
  }
  add_second_moment(series, "xi_kmin", "overlap_2", "overlap_kmin", quantities);
  for (const char* direction : {"parallel", "perpendicular"}) {
    const std::string along = direction;
    if (const auto axis = columns_by_distance(series, "chiral_axis_" + along); axis.size() > 1) {
      quantities.push_back(of_integrals("xi_c12_" + along, axis, 1.0, first_length));
    }
    add_second_moment(series, "xi_c_kmin_" + along, "chiral_2", "chiral_kmin_" + along, quantities);
  }
  if (const auto weights = response_weights(config, series); !weights.empty()) {
    quantities.push_back({"response", [weights](std::size_t, std::span<const Estimate>) {
                            return [weights](std::span<const double> all) {
                              double sum = 0.0;
                              for (const auto& [column, weight] : weights) sum += weight * all[column];
                              return sum;
                            };
                          }});
  }
  return quantities;
}

double logarithm(double x) { return x > 0.0 ? std::log(x) : nan; }

/// z(t) where conditions do not change, S(t) since the last change of the field.
void add_slopes(const SizeSeries& series, SlotAnalysis& slot) {
  const std::pair<const char*, const char*> exponents[] = {
      {"z", "xi_12"}, {"z_c_parallel", "xi_c12_parallel"}, {"z_c_perpendicular", "xi_c12_perpendicular"}};
  if (series.is_constant()) {
    for (const auto& [name, length] : exponents) {
      const TimeCurve* const xi = slot.find(length);
      if (xi == nullptr) continue;
      TimeCurve z = local_slopes(series, *xi, name, slope_factor, logarithm, logarithm,
                                 [](double slope) { return slope > 0.0 ? 1.0 / slope : nan; });
      slot.derived.push_back(std::move(z));
    }
  }
  const TimeCurve* const response = slot.find("response");
  if (response == nullptr || series.times.empty()) return;
  std::size_t last = series.field.size() - 1;
  while (last > 0 && series.field[last - 1] == series.field[last]) --last;
  const double origin = last == 0 ? 0.0 : static_cast<double>(series.times[last - 1]);
  slot.derived.push_back(local_slopes(
      series, *response, "relaxation_rate", slope_factor, [=](double t) { return logarithm(t - origin); },
      [](double M) { return M; }, [](double slope) { return slope; }));
}

SlotAnalysis analyze_slot(const Config& config, const SizeSeries& series, std::size_t slot) {
  SlotAnalysis analysis;
  analysis.slot = slot;
  const std::vector<std::size_t> axis = columns_by_distance(series, "c4_axis");
  for (std::size_t time = 0; time < series.times.size(); ++time) {
    const std::vector<Estimate>& averages = analysis.averages.emplace_back(average_columns(series, slot, time));
    if (axis.size() < 2) continue;
    analysis.cuts.push_back(noise_cut(picked(std::span<const Estimate>(averages), axis)));
    std::vector<double> C;
    for (const std::size_t column : axis) C.push_back(averages[column].mean);
    analysis.tails.push_back(integrate(C, analysis.cuts.back()).tail);
  }
  const std::vector<DerivedQuantity> quantities = quantities_of(config, series);
  std::vector<std::string> names;
  for (const DerivedQuantity& one : quantities) names.push_back(one.name);
  analysis.derived = make_time_curves(series, slot, names, [&](std::size_t time, std::span<const Estimate> averages) {
    std::vector<std::function<double(std::span<const double>)>> functions;
    for (const DerivedQuantity& one : quantities) functions.push_back(one.prepare(time, averages));
    return [functions](std::span<const double> all, std::span<double> values) {
      for (std::size_t k = 0; k < functions.size(); ++k) values[k] = functions[k](all);
    };
  });
  add_slopes(series, analysis);
  add_response_curves(config.course, series, analysis);
  return analysis;
}

}  // namespace

const TimeCurve* SlotAnalysis::find(const std::string& name) const {
  const auto found = std::ranges::find(derived, name, &TimeCurve::name);
  return found == derived.end() ? nullptr : &*found;
}

bool has_curve(const CourseAnalysis& analysis, const std::string& name) {
  return std::ranges::any_of(analysis.sizes, [&](const SizeAnalysisInTime& size) {
    return !size.slots.empty() && size.slots.front().find(name) != nullptr;
  });
}

CourseAnalysis analyze_course(CampaignSeries series) {
  CourseAnalysis analysis;
  analysis.series = std::move(series);
  for (const SizeSeries& size : analysis.series.sizes) {
    SizeAnalysisInTime& of_size = analysis.sizes.emplace_back();
    of_size.series = &size;
    for (std::size_t slot = 0; slot < size.slots(); ++slot) {
      of_size.slots.push_back(analyze_slot(analysis.series.config, size, slot));
    }
  }
  return analysis;
}

}}  // namespace glassworks::analysis
