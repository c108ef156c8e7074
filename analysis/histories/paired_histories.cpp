#include "analysis/histories/paired_histories.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/basics/test_family.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr const char* names[] = {"energy", "chi_sg",           "xi_over_L", "q4_over_q2sq",
                                 "chi_cg", "xi_chiral_over_L", "chi_m",     "xi_m_over_L"};

/// The realizations of an ensemble that are in a list of numbers and have converged.
Ensemble part_of(const SizeEnsemble& size, const std::vector<std::uint32_t>& numbers) {
  std::vector<bool> use;
  for (const std::uint32_t number : size.ensemble.realizations) {
    use.push_back(std::ranges::binary_search(numbers, number));
  }
  return select(size.ensemble, use);
}

std::vector<std::uint32_t> converged_in(const SizeEnsemble& size) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t r = 0; r < size.converged.size(); ++r) {
    if (size.converged[r]) numbers.push_back(size.ensemble.realizations[r]);
  }
  return numbers;
}

Curve minus(const Curve& other, const Curve& first) {
  Curve difference = other;
  for (std::size_t t = 0; t < difference.value.size(); ++t) difference.value[t] -= first.value[t];
  for (std::size_t s = 0; s < difference.sampled.size(); ++s) {
    for (std::size_t t = 0; t < difference.value.size(); ++t) difference.sampled[s][t] -= first.sampled[s][t];
  }
  return difference;
}

/// Mean over the temperatures of values by units, where both are numbers and the unit is not 0.
double mean_in_units(const std::vector<double>& values, const std::vector<double>& units) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (!std::isfinite(values[t]) || !std::isfinite(units[t]) || units[t] <= 0.0) continue;
    sum += values[t] / units[t];
    ++count;
  }
  return count == 0 ? 0.0 : sum / count;
}

Estimate resampled_mean(const Curve& curve, const std::vector<double>& units) {
  std::vector<double> samples;
  for (const std::vector<double>& sampled : curve.sampled) samples.push_back(mean_in_units(sampled, units));
  return {mean_in_units(curve.value, units), resampled_error(samples, curve.spread), curve.realizations, curve.groups};
}

std::vector<double> errors_of(const Curve& curve) {
  std::vector<double> errors;
  for (std::size_t t = 0; t < curve.value.size(); ++t) errors.push_back(curve.error(t));
  return errors;
}

PairedObservable compare(const Curve& first, const Curve& other, const Curve& campaign) {
  PairedObservable result;
  result.name = first.observable;
  result.difference = minus(other, first);
  const Estimate own = resampled_mean(result.difference, errors_of(result.difference));
  if (own.error > 0.0) result.sigma = own.mean / own.error;
  const std::vector<double> units = errors_of(campaign);
  result.in_campaign_errors = resampled_mean(result.difference, units);
  for (std::size_t t = 0; t < units.size(); ++t) {
    const double ratio = result.difference.value[t] / units[t];
    if (!std::isfinite(ratio) || std::abs(ratio) <= std::abs(result.worst)) continue;
    result.worst = ratio;
    result.worst_T = result.difference.temperatures[t];
  }
  return result;
}

double significance_limit(std::size_t pairs, std::size_t tests) {
  return student_quantile(static_cast<double>(pairs - 1), family::further_histories.each(tests) / 2.0);
}

}  // namespace

double chance_of(double sigma, std::size_t pairs) {
  if (pairs < 2) return 1.0;
  return 2.0 * student_tail(static_cast<double>(pairs - 1), std::abs(sigma));
}

PairedHistories compare_histories(const Config& config, const SizeEnsemble& first, const SizeEnsemble& other) {
  PairedHistories result{.L = first.size.L, .observables = {}};
  const std::vector<std::uint32_t> here = converged_in(first), there = converged_in(other);
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(here, there, std::back_inserter(both));
  result.pairs = both.size();
  result.missing = other.rows.size() - both.size();
  if (both.size() < fewest_pairs) return result;
  const Columns columns(config, first.size);
  const Resampling each{.samples = static_cast<int>(std::min<std::size_t>(both.size(), 1000))};
  const auto curves_of = [&](const Ensemble& ensemble, const Resampling& resampling) {
    return make_curves(config, columns, ensemble, ResampledAverages(ensemble, resampling));
  };
  const std::vector<Curve> firsts = curves_of(part_of(first, both), each),
                           others = curves_of(part_of(other, both), each), all = curves_of(first.ensemble, {});
  for (const char* name : names) {
    const Curve* const a = find_curve(firsts, name);
    const Curve* const b = find_curve(others, name);
    const Curve* const whole = find_curve(all, name);
    if (a == nullptr || b == nullptr || whole == nullptr) continue;
    result.observables.push_back(compare(*a, *b, *whole));
  }
  result.limit = significance_limit(both.size(), result.observables.size() * config.model.L.size());
  return result;
}

}}  // namespace glassworks::analysis
