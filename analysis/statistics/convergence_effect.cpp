#include "analysis/statistics/convergence_effect.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/estimator_curves.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::vector<Estimate> estimates(const Curve& curve) {
  std::vector<Estimate> values;
  for (std::size_t t = 0; t < curve.temperatures.size(); ++t) values.push_back(curve.at(t));
  return values;
}

/// Sum over the converged at one temperature [column].
std::vector<double> sum_of_converged(const SizeEnsemble& size, std::size_t t) {
  std::vector<double> sum(size.ensemble.columns.size(), 0.0);
  for (std::size_t r = 0; r < size.converged.size(); ++r) {
    if (!size.converged[r]) continue;
    const std::span<const double> x = size.ensemble.at(r, t);
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += x[c];
  }
  return sum;
}

/// Extremes of every estimator where the unconverged are replaced by one and the same of all realizations.
void add_worst_case(const SizeEnsemble& size, const std::vector<Estimator>& estimators, std::size_t unconverged,
                    std::size_t t, std::vector<ConvergenceEffect>& effects) {
  const double n = static_cast<double>(size.converged.size()), replaced = static_cast<double>(unconverged);
  const double beta = 1.0 / size.ensemble.temperatures[t];
  const std::vector<double> sum = sum_of_converged(size, t);
  std::vector<double> averages(sum.size()), low(estimators.size(), nan), high(estimators.size(), nan);
  for (std::size_t r = 0; r < size.converged.size(); ++r) {
    const std::span<const double> x = size.ensemble.at(r, t);
    for (std::size_t c = 0; c < sum.size(); ++c) averages[c] = (sum[c] + replaced * x[c]) / n;
    for (std::size_t k = 0; k < estimators.size(); ++k) {
      const double value = estimators[k].value(averages, beta);
      low[k] = std::fmin(low[k], value);  // leave out NaN
      high[k] = std::fmax(high[k], value);
    }
  }
  for (std::size_t k = 0; k < estimators.size(); ++k) {
    if (t >= effects[k].temperatures.size()) continue;
    effects[k].lowest.push_back(low[k]);
    effects[k].highest.push_back(high[k]);
  }
}

}  // namespace

ConvergenceEffects convergence_effects(const Config& config, const SizeEnsemble& size, const Resampling& resampling) {
  ConvergenceEffects result;
  result.L = size.size.L;
  result.used = size.converged.size();
  for (const RealizationRow& row : size.rows) {
    const bool used = std::ranges::binary_search(size.ensemble.realizations, row.key.realization);
    if (used && row.status != RealizationStatus::converged) result.unconverged.push_back(row);
  }
  if (result.unconverged.empty()) return result;

  const Columns columns(config, size.size);
  const std::vector<Estimator> estimators = make_estimators(config, result.L, columns);
  const std::vector<Curve> all =
      make_curves(config, columns, size.ensemble, ResampledAverages(size.ensemble, resampling));
  std::vector<Curve> converged;
  if (const Ensemble part = select(size.ensemble, size.converged); !part.realizations.empty()) {
    converged = make_curves(config, columns, part, ResampledAverages(part, resampling));
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    ConvergenceEffect& effect = result.effects.emplace_back();
    effect.observable = all[k].observable;
    effect.L = result.L;
    effect.temperatures = all[k].temperatures;
    effect.all = estimates(all[k]);
    effect.converged = converged.empty() ? std::vector<Estimate>(all[k].temperatures.size()) : estimates(converged[k]);
  }
  for (std::size_t t = 0; t < size.ensemble.temperatures.size(); ++t) {
    add_worst_case(size, estimators, result.unconverged.size(), t, result.effects);
  }
  return result;
}

}}  // namespace glassworks::analysis
