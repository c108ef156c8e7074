#include "analysis/statistics/group_correlation.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "analysis/basics/test_family.hpp"
#include "analysis/statistics/estimator_curves.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr int fewest_orders = 499, most_as_large = 5;
constexpr double rounding = 1e-13;  // relative: leave-one-out values that differ by less are equal

using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// sum_g (sum_{i in g} d_iv)^2 of every value v, groups taken from the realizations in this order.
Eigen::RowVectorXd squares_of_groups(const GroupDeviations& deviations, std::span<const std::size_t> limits,
                                     std::span<const std::size_t> order) {
  const auto values = static_cast<Eigen::Index>(deviations.values);
  Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(values), sum(values);
  for (std::size_t g = 0; g + 1 < limits.size(); ++g) {
    sum.setZero();
    for (std::size_t i = limits[g]; i < limits[g + 1]; ++i) {
      sum += Row(deviations.of.data() + order[i] * deviations.values, values);
    }
    squares += sum.cwiseAbs2();
  }
  return squares;
}

void shuffle(std::vector<std::size_t>& order, std::mt19937_64& engine) {
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[boost::random::uniform_int_distribution<std::size_t>(0, i)(engine)]);
  }
}

/// An observable at a temperature, of every realization.
struct Tested {
  std::string observable;
  double T;
};

Ensemble at_temperature(const Ensemble& ensemble, std::size_t t) {
  Ensemble one{.L = ensemble.L,
               .temperatures = {ensemble.temperatures[t]},
               .columns = ensemble.columns,
               .realizations = ensemble.realizations,
               .values = {}};
  one.values.reserve(one.realizations.size() * one.columns.size());
  for (std::size_t r = 0; r < one.realizations.size(); ++r) {
    const std::span<const double> x = ensemble.at(r, t);
    one.values.insert(one.values.end(), x.begin(), x.end());
  }
  return one;
}

/// Leave-one-out values of a curve at its only temperature, centred and of norm 1; empty if it cannot be tested.
std::vector<double> normalized(const Curve& curve) {
  if (curve.temperatures.empty()) return {};
  const double n = static_cast<double>(curve.sampled.size());
  std::vector<double> x;  // from the first: exactly 0 where all are equal
  for (const std::vector<double>& sample : curve.sampled) x.push_back(curve.sampled.front().front() - sample.front());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double squares = 0.0;
  for (double& deviation : x) {
    deviation -= mean;
    squares += deviation * deviation;
  }
  if (!(std::sqrt(squares / n) > rounding * std::abs(curve.value.front()))) return {};  // or NaN
  for (double& deviation : x) deviation /= std::sqrt(squares);
  return x;
}

}  // namespace

int most_orders(double level) {
  constexpr double part_of_level = 5.0;
  return std::max(fewest_orders, static_cast<int>(std::ceil(part_of_level / level)) - 1);
}

GroupTest test_groups(const GroupDeviations& deviations, std::span<const std::size_t> limits, double level,
                      std::uint64_t seed) {
  GroupTest test;
  const std::size_t n = limits.back();
  if (deviations.values == 0 || limits.size() < 3) return test;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double G = static_cast<double>(limits.size()) - 1.0, count = static_cast<double>(n);
  Eigen::Index place = 0;
  const double observed = squares_of_groups(deviations, limits, order).maxCoeff(&place);
  test.value = static_cast<std::size_t>(place);
  test.largest = G / (G - 1.0) * (count - 1.0) / count * observed;

  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
  std::mt19937_64 engine(words);
  const int most = most_orders(level);
  int as_large = 0;
  for (int orders = 1; orders <= most; ++orders) {
    shuffle(order, engine);
    if (squares_of_groups(deviations, limits, order).maxCoeff() < observed) continue;
    if (++as_large < most_as_large) continue;
    test.p_value = static_cast<double>(as_large) / orders;
    return test;
  }
  test.p_value = (as_large + 1.0) / (most + 1.0);
  return test;
}

GroupCorrelation group_correlation(const Config& config, const Columns& columns, const Ensemble& ensemble) {
  GroupCorrelation result;
  result.group = config.realizations_per_group();
  if (result.group == 1 || ensemble.realizations.empty()) return result;
  const std::vector<std::size_t> limits = group_limits(ensemble.realizations, result.group);
  result.groups = static_cast<int>(limits.size()) - 1;
  result.state = GroupState::few_groups;
  if (result.groups < fewest_groups) return result;

  const std::size_t n = ensemble.realizations.size();
  std::vector<Tested> tested;
  std::vector<std::vector<double>> of_value;
  for (std::size_t t = 0; t < ensemble.temperatures.size(); ++t) {
    const Ensemble one = at_temperature(ensemble, t);
    const ResampledAverages averages(one, {.samples = static_cast<int>(n)});
    for (const Curve& curve : make_curves(config, columns, one, averages)) {
      std::vector<double> deviations = normalized(curve);
      if (deviations.empty()) continue;
      tested.push_back({curve.observable, ensemble.temperatures[t]});
      of_value.push_back(std::move(deviations));
    }
  }
  GroupDeviations deviations{.values = tested.size(), .of = std::vector<double>(n * tested.size())};
  for (std::size_t v = 0; v < tested.size(); ++v) {
    for (std::size_t r = 0; r < n; ++r) deviations.of[r * tested.size() + v] = of_value[v][r];
    of_value[v] = {};
  }
  result.state = GroupState::independent;
  if (tested.empty()) return result;
  result.level = family::shared_random_numbers.each(config.model.L.size());
  const GroupTest test = test_groups(deviations, limits, result.level, static_cast<std::uint64_t>(ensemble.L));
  result.largest = test.largest;
  result.observable = tested[test.value].observable;
  result.T = tested[test.value].T;
  result.p_value = test.p_value;
  if (test.p_value <= result.level) result.state = GroupState::correlated;
  return result;
}

Resampling GroupCorrelation::applied(Resampling resampling) const {
  if (state == GroupState::correlated) resampling.group = group;
  return resampling;
}

std::string GroupCorrelation::unit() const {
  return state == GroupState::correlated ? fmt::format("groups of {} realizations", group) : "realizations";
}

std::string GroupCorrelation::sentence() const {
  const std::string where =
      std::isnan(p_value)
          ? std::string()
          : fmt::format(" (largest ratio of squared errors {:.2g}, {} at T = {:.5g}; p = {:.2g}, level {:.2g})",
                        largest, observable, T, p_value, level);
  switch (state) {
    case GroupState::none:
      return {};
    case GroupState::few_groups:
      return fmt::format(
          "{} realizations share random numbers (multi-spin coding); whether this correlates them cannot be tested "
          "with "
          "{} {} (at least {} are needed).",
          group, groups, groups == 1 ? "group" : "groups", fewest_groups);
    case GroupState::independent:
      return fmt::format(
          "{} realizations share random numbers (multi-spin coding); no correlation between them is seen in {} "
          "groups{}.",
          group, groups, where);
    case GroupState::correlated:
      return fmt::format(
          "The {} realizations that share random numbers (multi-spin coding) are correlated: errors are those over {} "
          "groups, not over realizations{}.",
          group, groups, where);
  }
  return {};
}

}}  // namespace glassworks::analysis
