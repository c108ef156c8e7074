#include "analysis/observables/observable_formulas.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace glassworks { inline namespace analysis {

ObservableContext::ObservableContext(const Config& config_in, int L_in, const Columns& columns_in)
    : config(config_in), columns(columns_in), L(L_in), sites(static_cast<double>(config_in.lattice(L_in).sites())) {}

double positive_ratio(double a, double b) { return b > 0.0 ? a / b : std::numeric_limits<double>::quiet_NaN(); }

double correlation_length(double chi_zero, double chi_kmin, int L) {
  if (!(chi_kmin > 0.0) || !(chi_zero >= chi_kmin)) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(chi_zero / chi_kmin - 1.0) / (2.0 * std::sin(std::numbers::pi / L));
}

double binder_cumulant(double q_2, double q_4, int components) {
  return 0.5 * (components + 2 - components * positive_ratio(q_4, q_2 * q_2));
}

int order_parameter_components(const SpinModel& model) {
  return order_parameter_of(model) == models::OrderParameter::densities ? model.states - 1 : components_of(model);
}

MakeEstimator stored(std::string column, Scale scale) {
  return [column = std::move(column), scale](const ObservableContext& c) -> AverageFunction {
    if (!c.columns.has(column)) return {};
    return [at = c.columns[column], factor = scale == Scale::plain ? 1.0 : c.sites](Averages x, double) {
      return factor * x[at];
    };
  };
}

AverageFunction mode_mean(const ObservableContext& context, const std::string& family, int axes, int multiple) {
  if (axes > context.columns.dim()) return {};
  std::vector<std::size_t> columns = context.columns.modes(family, axes, multiple);
  return [columns = std::move(columns), N = context.sites](Averages x, double) {
    double sum = 0.0;
    for (const std::size_t column : columns) sum += x[column];
    return N * sum / static_cast<double>(columns.size());
  };
}

MakeEstimator xi_over_L(MakeEstimator zero, MakeEstimator kmin) {
  return [zero = std::move(zero), kmin = std::move(kmin)](const ObservableContext& c) -> AverageFunction {
    if (!c.config.model.has_positions()) return {};
    AverageFunction at_zero = zero(c), at_kmin = kmin(c);
    if (!at_zero || !at_kmin) return {};
    return [at_zero = std::move(at_zero), at_kmin = std::move(at_kmin), L = c.L](Averages x, double beta) {
      return correlation_length(at_zero(x, beta), at_kmin(x, beta), L) / L;
    };
  };
}

MakeEstimator xi_along(MakeEstimator zero, MakeEstimator along, int axis) {
  return [zero = std::move(zero), along = std::move(along), axis](const ObservableContext& c) -> AverageFunction {
    AverageFunction at_zero = zero(c), at_k = along(c);
    if (!at_zero || !at_k) return {};
    return [at_zero = std::move(at_zero), at_k = std::move(at_k), L = c.config.lattice(c.L).length(axis)](
               Averages x, double beta) { return correlation_length(at_zero(x, beta), at_k(x, beta), L); };
  };
}

MakeEstimator binder(std::string q_2, std::string q_4, int (*components)(const SpinModel&)) {
  return [q_2 = std::move(q_2), q_4 = std::move(q_4), components](const ObservableContext& c) -> AverageFunction {
    if (!c.columns.has(q_2) || !c.columns.has(q_4)) return {};
    return [a = c.columns[q_2], b = c.columns[q_4], n = components(c.config.model.spins)](Averages x, double) {
      return binder_cumulant(x[a], x[b], n);
    };
  };
}

MakeEstimator moment_ratio(std::string q_2, std::string q_4) {
  return [q_2 = std::move(q_2), q_4 = std::move(q_4)](const ObservableContext& c) -> AverageFunction {
    if (!c.columns.has(q_2) || !c.columns.has(q_4)) return {};
    return [a = c.columns[q_2], b = c.columns[q_4]](Averages x, double) { return positive_ratio(x[b], x[a] * x[a]); };
  };
}

}}  // namespace glassworks::analysis
