#include "analysis/campaign/compared_campaigns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>

#include "analysis/observables/observable.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "analysis/statistics/group_correlation.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double same_temperature = 1e-6;  ///< relative difference

bool same(double T, double other) { return std::abs(T - other) <= same_temperature * std::max(T, other); }

/// The keys that decide what couplings a realization has.
std::vector<std::string> disorder_lines(const Config& config, bool seed) {
  std::vector<std::string> lines;
  std::istringstream text(canonical_text(config));
  for (std::string line; std::getline(text, line);) {
    const auto begins = [&](const char* key) { return line.starts_with(key); };
    if (begins("model.L ") || begins("model.shape") || begins("disorder.realizations") || begins("disorder.first")) {
      continue;
    }
    if (begins("model.") || begins("disorder.") || (seed && begins("campaign.seed"))) lines.push_back(line);
  }
  return lines;
}

/// Which realizations of an ensemble are in a list of numbers.
Ensemble part_of(const Ensemble& ensemble, const std::vector<std::uint32_t>& numbers) {
  std::vector<bool> use;
  for (const std::uint32_t number : ensemble.realizations) use.push_back(std::ranges::binary_search(numbers, number));
  return select(ensemble, use);
}

/// Whether an observable is compared.
bool is_wanted(const std::string& name, const Config& config, const ComparisonOptions& options) {
  if (!options.observables.empty()) return options.observables.contains(name);
  const Observable* const row = find_observable(name);
  return row != nullptr && row->figure.place > 0 && row->is_shown(config);
}

/// Resampled curves of one source, with the degrees of freedom of their covariance.
struct Source {
  std::vector<Curve> curves = {};
  double freedom = std::numeric_limits<double>::infinity();
};

/// groups  whether the correlation of realizations that share random words counts
Source source_of(const Config& config, const SizeEnsemble& size, const Ensemble& ensemble, bool groups = true) {
  const Columns columns(config, size.size);
  const ResampledAverages averages(ensemble,
                                   groups ? group_correlation(config, columns, ensemble).applied({}) : Resampling{});
  return {make_curves(config, columns, ensemble, averages), static_cast<double>(averages.samples()) - 1.0};
}

/// One observable of both sources at the temperatures of both.
struct Pair {
  Curve first, second, difference;  ///< difference: paired only
  std::vector<double> published_error = {};
  [[nodiscard]] std::size_t values() const { return first.value.size(); }
};

Curve at_places(const Curve& curve, const std::vector<std::size_t>& places) {
  Curve part = curve;
  part.temperatures.clear();
  part.value.clear();
  for (std::vector<double>& sample : part.sampled) sample.clear();
  for (const std::size_t t : places) {
    part.temperatures.push_back(curve.temperatures[t]);
    part.value.push_back(curve.value[t]);
    for (std::size_t s = 0; s < curve.sampled.size(); ++s) part.sampled[s].push_back(curve.sampled[s][t]);
  }
  return part;
}

Curve minus(const Curve& first, const Curve& second) {
  Curve difference = first;
  for (std::size_t t = 0; t < first.value.size(); ++t) {
    difference.value[t] -= second.value[t];
    for (std::size_t s = 0; s < first.sampled.size(); ++s) difference.sampled[s][t] -= second.sampled[s][t];
  }
  return difference;
}

/// The values of two curves at equal temperatures that have errors in both.
///
/// error  of the second curve at its temperatures, if it has no samples
Pair paired_up(const Curve& first, const Curve& second, bool paired, const std::vector<double>& error = {}) {
  std::vector<std::size_t> here, there;
  std::vector<double> known;
  for (std::size_t t = 0; t < first.value.size(); ++t) {
    for (std::size_t u = 0; u < second.value.size(); ++u) {
      if (!same(first.temperatures[t], second.temperatures[u])) continue;
      const double other = error.empty() ? second.error(u) : error[u];
      if (std::isfinite(first.value[t]) && std::isfinite(second.value[u]) && std::isfinite(first.error(t)) &&
          std::isfinite(other)) {
        here.push_back(t);
        there.push_back(u);
        known.push_back(other);
      }
      break;
    }
  }
  Pair pair{at_places(first, here), at_places(second, there), {}};
  if (paired) pair.difference = minus(pair.first, pair.second);
  if (!error.empty()) pair.published_error = known;
  return pair;
}

/// first - second; 0 where they agree to rounding, as numbers without a spread do.
double difference_of(const Pair& pair, std::size_t t) {
  constexpr double rounding = 1e-13;
  const double a = pair.first.value[t], b = pair.second.value[t];
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)) ? 0.0 : a - b;
}

/// A place among the values of several pairs.
struct Place {
  const Pair* pair;
  std::size_t t;
};

/// Covariance of the values of the first source, or of the paired differences.
double first_covariance(const Place& a, const Place& b, bool paired) {
  return paired ? a.pair->difference.covariance(a.t, b.pair->difference, b.t)
                : a.pair->first.covariance(a.t, b.pair->first, b.t);
}

/// Covariance of the values of the second source; published values are independent of each other.
double second_covariance(const Place& a, const Place& b, bool paired) {
  if (paired) return 0.0;
  if (a.pair->published_error.empty()) return a.pair->second.covariance(a.t, b.pair->second, b.t);
  const double error = a.pair->published_error[a.t];
  return a.pair == b.pair && a.t == b.t ? error * error : 0.0;
}

/// Degrees of freedom of the sum of two covariances by Welch and Satterthwaite, from their traces a and b in units of
/// the errors.
double joint_freedom(double a, double freedom, double b, double other) {
  const double parts = a * a / freedom + b * b / other;
  return parts > 0.0 ? (a + b) * (a + b) / parts : std::min(freedom, other);
}

ChiSquare test_of(const std::vector<const Pair*>& pairs, bool paired, double freedom, double other) {
  std::vector<Place> places;
  std::vector<double> d;
  for (const Pair* pair : pairs) {
    for (std::size_t t = 0; t < pair->values(); ++t) {
      places.push_back({pair, t});
      d.push_back(difference_of(*pair, t));
    }
  }
  const std::size_t n = places.size();
  std::vector<double> C(n * n);
  double a = 0.0, b = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double one = first_covariance(places[i], places[k], paired);
      const double two = second_covariance(places[i], places[k], paired);
      C[i * n + k] = C[k * n + i] = one + two;
      if (i != k || !(one + two > 0.0)) continue;
      a += one / (one + two);
      b += two / (one + two);
    }
  }
  return chi_square(d, C, joint_freedom(a, freedom, b, other));
}

ComparedCurve curve_of(const Pair& pair, bool paired) {
  ComparedCurve curve{.observable = pair.first.observable, .L = pair.first.L, .points = {}, .test = {}};
  for (std::size_t t = 0; t < pair.values(); ++t) {
    const Place place{&pair, t};
    ComparedPoint& point = curve.points.emplace_back();
    point.T = pair.first.temperatures[t];
    point.first = pair.first.at(t);
    point.second = pair.second.at(t);
    if (!pair.published_error.empty()) point.second.error = pair.published_error[t];
    point.difference = difference_of(pair, t);
    point.error = std::sqrt(first_covariance(place, place, paired) + second_covariance(place, place, paired));
  }
  return curve;
}

/// All tests of a size.
void test_size(const std::vector<Pair>& pairs, double freedom, double other, ComparedSize& size) {
  const bool paired = size.paired > 0;
  std::vector<const Pair*> all;
  for (const Pair& pair : pairs) {
    if (pair.values() == 0) continue;
    all.push_back(&pair);
    size.curves.push_back(curve_of(pair, paired));
    size.curves.back().test = test_of({&pair}, paired, freedom, other);
  }
  size.all = test_of(all, paired, freedom, other);
}

/// Numbers of the realizations that both have, where these have the same disorder in both.
std::vector<std::uint32_t> common_realizations(const Ensemble& first, const Ensemble& second) {
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(first.realizations, second.realizations, std::back_inserter(both));
  return both;
}

std::optional<ComparedSize> compare_size(const CampaignEnsembles& first, const SizeEnsemble& a,
                                         const CampaignEnsembles& second, const SizeEnsemble& b, bool same_disorder,
                                         const ComparisonOptions& options) {
  if (a.summaries.empty() || b.summaries.empty()) return std::nullopt;
  ComparedSize size{.L = a.size.L};
  Ensemble here = a.ensemble, there = b.ensemble;
  const std::vector<std::uint32_t> both = common_realizations(here, there);
  if (same_disorder && both.size() > 1) {
    size.paired = both.size();
    size.left_out = here.realizations.size() + there.realizations.size() - 2 * both.size();
    here = part_of(here, both);
    there = part_of(there, both);
  }
  Source one = source_of(first.config, a, here), two = source_of(second.config, b, there);
  if (size.paired > 0 && one.freedom != two.freedom) {  // groups of one source only are correlated
    one = source_of(first.config, a, here, false);
    two = source_of(second.config, b, there, false);
  }
  std::vector<Pair> pairs;
  for (const Curve& curve : one.curves) {
    if (!is_wanted(curve.observable, first.config, options) || !is_wanted(curve.observable, second.config, options)) {
      continue;
    }
    const Curve* other = find_curve(two.curves, curve.observable);
    if (other != nullptr) pairs.push_back(paired_up(curve, *other, size.paired > 0));
  }
  test_size(pairs, one.freedom, size.paired > 0 ? std::numeric_limits<double>::infinity() : two.freedom, size);
  return size;
}

/// "a, b" of lines that only one of two lists has.
std::string lines_only_in(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (std::ranges::find(others, line) == others.end()) found.push_back(line);
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

void note_differences(const Config& first, const Config& second, CampaignComparison& comparison) {
  const std::vector<std::string> here = disorder_lines(first, false), there = disorder_lines(second, false);
  const std::string one = lines_only_in(here, there), other = lines_only_in(there, here);
  if (one.empty() && other.empty()) return;
  comparison.remarks.push_back(fmt::format("The systems differ: {} in the first, {} in the second.",
                                           one.empty() ? "nothing more" : one, other.empty() ? "nothing more" : other));
}

void note_pairs(CampaignComparison& comparison) {
  for (const ComparedSize& size : comparison.sizes) {
    if (size.paired == 0) continue;
    comparison.remarks.push_back(fmt::format(
        "L = {}: {} realizations have the same system, seed and number in both, so they are compared in pairs{}.",
        size.L, size.paired, size.left_out > 0 ? fmt::format(" ({} others are left out)", size.left_out) : ""));
  }
}

void note_matrices(CampaignComparison& comparison) {
  for (const ComparedSize& size : comparison.sizes) {
    const auto reduced = std::ranges::count_if(size.curves, [](const ComparedCurve& c) { return c.test.reduced(); });
    if (reduced == 0 && !size.all.reduced()) continue;
    const double condition = std::max(size.all.condition, std::ranges::max(size.curves, {}, [](const ComparedCurve& c) {
                                                            return c.test.condition;
                                                          }).test.condition);
    const std::string of_curves =
        reduced == 0 ? "" : fmt::format("of {} of {} observables and that ", reduced, size.curves.size());
    comparison.remarks.push_back(fmt::format(
        "L = {}: the covariance matrix {}of all {} values is singular, badly conditioned, or known from too few "
        "realizations (largest condition number: {}), so the leading eigenvectors are compared; the column 'modes' "
        "says "
        "how many.",
        size.L, of_curves, size.all.values, std::isfinite(condition) ? fmt::format("{:.1e}", condition) : "infinite"));
  }
}

CampaignComparison finished(CampaignComparison comparison) {
  std::erase_if(comparison.sizes, [](const ComparedSize& size) { return size.curves.empty(); });
  if (comparison.sizes.empty()) {
    throw InputError(InputFault::conflict, "compare",
                     "there is nothing to compare (no size, temperature and observable is in both with an error). Give "
                     "sources with common temperatures.");
  }
  note_pairs(comparison);
  note_matrices(comparison);
  return comparison;
}

}  // namespace

std::size_t CampaignComparison::curves() const {
  std::size_t count = 0;
  for (const ComparedSize& size : sizes) count += size.curves.size();
  return count;
}

double CampaignComparison::p_value() const {
  double sum = 0.0;
  int tests = 0;
  for (const ComparedSize& size : sizes) {
    if (size.all.p_value <= 0.0) return 0.0;
    if (size.all.rank == 0) continue;
    sum -= 2.0 * std::log(size.all.p_value);
    ++tests;
  }
  return tests == 0 ? 1.0 : chi_squared_tail(2.0 * tests, sum);
}

double CampaignComparison::smallest_p() const {
  double smallest = 1.0;
  for (const ComparedSize& size : sizes) {
    for (const ComparedCurve& curve : size.curves) smallest = std::min(smallest, curve.test.p_value);
  }
  return smallest;
}

bool CampaignComparison::agrees() const {
  return p_value() >= 0.5 * level &&
         smallest_p() >= 0.5 * level / static_cast<double>(std::max<std::size_t>(curves(), 1));
}

CampaignComparison compare_campaigns(const CampaignEnsembles& first, const CampaignEnsembles& second,
                                     const ComparisonOptions& options) {
  CampaignComparison comparison{.sizes = {}, .remarks = {}, .level = options.level};
  note_differences(first.config, second.config, comparison);
  const bool same_disorder = disorder_lines(first.config, true) == disorder_lines(second.config, true);
  for (const SizeEnsemble& a : first.sizes) {
    for (const SizeEnsemble& b : second.sizes) {
      if (a.size.L != b.size.L) continue;
      if (std::optional<ComparedSize> size = compare_size(first, a, second, b, same_disorder, options)) {
        comparison.sizes.push_back(std::move(*size));
      }
    }
  }
  return finished(std::move(comparison));
}

CampaignComparison compare_with_reference(const CampaignEnsembles& first, std::span<const ReferencePoints> reference,
                                          const ComparisonOptions& options) {
  CampaignComparison comparison{.sizes = {}, .remarks = {}, .level = options.level};
  for (const SizeEnsemble& a : first.sizes) {
    if (a.summaries.empty()) continue;
    const Source source = source_of(first.config, a, a.ensemble);
    ComparedSize size{.L = a.size.L};
    std::vector<Pair> pairs;
    for (const ReferencePoints& points : reference) {
      const Curve* curve = points.L == a.size.L ? find_curve(source.curves, points.observable) : nullptr;
      const bool wanted = options.observables.empty() || options.observables.contains(points.observable);
      if (curve == nullptr || !wanted) continue;
      Curve published{.observable = points.observable,
                      .L = points.L,
                      .temperatures = points.temperatures,
                      .value = points.mean,
                      .sampled = {}};
      pairs.push_back(paired_up(*curve, published, false, points.error));
    }
    test_size(pairs, source.freedom, std::numeric_limits<double>::infinity(), size);
    comparison.sizes.push_back(std::move(size));
  }
  comparison.remarks.emplace_back("The published errors are taken as independent of each other.");
  return finished(std::move(comparison));
}

}}  // namespace glassworks::analysis
