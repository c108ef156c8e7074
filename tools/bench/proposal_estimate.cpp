#include "tools/bench/proposal_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/distributions.hpp"
#include "engine/bins/looks.hpp"
#include "scheduler/campaign/work_order.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double known_width = 0.6, known_pilots = 2.0;  // of ln(rounds), before any pilot
constexpr double one_sided = 0.05;

/// The next look after so many rounds.
double look_after(const ConvergenceConfig& config, double rounds) {
  const double last = config.max_rounds;
  return rounds >= last ? last : first_look_from(config, static_cast<std::uint32_t>(std::max(rounds, 1.0)));
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Expectation of the largest of `draws` values.
double largest_of(std::vector<double> values, int draws) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto rank = static_cast<double>(i);
    sum += values[i] * (std::pow((rank + 1.0) / n, draws) - std::pow(rank / n, draws));
  }
  return sum;
}

/// Lengths where groups stop together: none is shorter than that within which group_share of the members end, and the
/// others need no more than group_n_tau.
std::vector<double> lengths_in_groups(std::vector<double> values, const ConvergenceConfig& config) {
  if (config.group_share == 0.0) return values;
  std::vector<double> ascending = values;
  std::ranges::sort(ascending);
  const double place = std::ceil(config.group_share * static_cast<double>(values.size())) - 1.0;
  const double stop = ascending[static_cast<std::size_t>(std::max(place, 0.0))];
  const double part = config.group_n_tau > 0.0 && config.n_tau > 0.0 ? config.group_n_tau / config.n_tau : 1.0;
  for (double& x : values) x = std::max(stop, part * x);
  return values;
}

/// Mean rounds of a realization that its word takes.
double paid_rounds(const std::vector<double>& alone, const WordCost& words, int realizations,
                   const ConvergenceConfig& config) {
  const std::vector<double> values = lengths_in_groups(alone, config);
  const double mean = mean_of(values);
  const int lanes = std::min(words.lanes, realizations);
  return lanes < 2 ? mean : mean + words.shared * (largest_of(values, lanes) - mean);
}

/// 1.645 standard errors (more of few pilots) of the logarithm of the mean.
double relative_error(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double x : values) logs.push_back(std::log(x));
  const double mean = mean_of(logs), n = static_cast<double>(logs.size());
  double squares = 0.0;
  for (const double x : logs) squares += (x - mean) * (x - mean);
  const double freedom = n - 1.0 + known_pilots;
  const double variance = (squares + known_pilots * known_width * known_width) / freedom;
  return student_quantile(freedom, one_sided) * std::sqrt(variance / n + variance * variance / (2.0 * freedom));
}

Ranged bounded(const Ranged& e, const ConvergenceConfig& config) {
  const double least = config.min_rounds, most = config.max_rounds;
  return {std::clamp(e.value, least, most), std::clamp(e.low, least, most), std::clamp(e.high, least, most)};
}

/// What a pilot needs, free of min_rounds and looks [measurements].
double demand_of(const PilotLength& pilot, int measurements, const ConvergenceConfig& config) {
  constexpr double overshoot = 1.12;  // a look comes after up to a quarter too much
  const double needed = pilot.ended ? pilot.rounds : pilot.expected, asked = config.n_tau * pilot.tau;
  return needed > config.min_rounds ? std::max(asked, needed * measurements / overshoot) : asked;
}

}  // namespace

Ranged mean_rounds(std::span<const PilotLength> pilots, const ConvergenceConfig& config, int realizations,
                   const WordCost& words) {
  std::vector<double> least, expected, most;
  bool all_ended = true;
  for (const PilotLength& p : pilots) {
    const double last = config.max_rounds, needed = p.ended ? p.rounds : std::max(p.expected, p.rounds + 1.0);
    all_ended = all_ended && p.ended;
    least.push_back(p.ended ? needed : std::min(look_after(config, p.rounds + 1.0), needed));
    expected.push_back(std::min(needed, last));
    most.push_back(p.ended ? needed : std::min(WorkOrder::doubt * needed, last));
  }
  const double n = static_cast<double>(pilots.size());
  const double unknown = std::sqrt(std::max(1.0 - n / realizations, 0.0));
  const double error = std::exp(unknown * relative_error(expected));
  const auto paid = [&](const std::vector<double>& lengths) {
    return paid_rounds(lengths, words, realizations, config);
  };
  return bounded({paid(expected), paid(least) / error, paid(most) * error}, config);
}

Growth growth_of_tau(std::span<const PilotedSize> sizes) {
  struct Point {
    double x, y, weight;
  };
  std::vector<Point> points;
  Growth growth;
  for (const PilotedSize& size : sizes) {
    std::vector<double> tau;
    for (const PilotLength& p : size.pilots) {
      if (p.tau > 0.0) tau.push_back(p.tau);
    }
    if (tau.empty()) continue;
    points.push_back({std::log(size.L), std::log(mean_of(tau)), static_cast<double>(tau.size())});
    growth.sizes.push_back(size.L);
  }
  if (points.size() < 2) return {.exponent = 4.0, .low = 2.0, .high = 8.0, .sizes = {}};
  double sum = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, scatter = 0.0;
  for (const Point& p : points) sum += p.weight, x += p.weight * p.x, y += p.weight * p.y;
  x /= sum, y /= sum;
  for (const Point& p : points) {
    xx += p.weight * (p.x - x) * (p.x - x);
    xy += p.weight * (p.x - x) * (p.y - y);
  }
  growth.exponent = std::max(xy / xx, 0.0);
  for (const Point& p : points) {
    const double off = p.y - y - growth.exponent * (p.x - x);
    scatter += p.weight * off * off;
  }
  const double freedom = static_cast<double>(points.size()) - 2.0;
  const double error = freedom > 0.0 ? 2.0 * std::sqrt(scatter / freedom / xx) : 1.0;
  growth.low = std::max(growth.exponent - std::max(0.25 * growth.exponent, error), 0.0);
  growth.high = growth.exponent + std::max(0.5 * growth.exponent, error);
  return growth;
}

Ranged extrapolated_rounds(const PilotedSize& from, const Growth& growth, int L, int measurements,
                           const ConvergenceConfig& config, int realizations, const WordCost& words) {
  constexpr int none_of_them = std::numeric_limits<int>::max();
  const auto grown = [&](double exponent) {
    std::vector<PilotLength> pilots = from.pilots;
    const double factor = std::pow(static_cast<double>(L) / from.L, exponent);
    for (PilotLength& p : pilots) {
      const double demand = factor * demand_of(p, from.measurements, config) / measurements;
      p.rounds = look_after(config, std::ceil(demand));
      p.ended = true;
    }
    return mean_rounds(pilots, config, none_of_them, {std::min(words.lanes, realizations), words.shared});
  };
  return {grown(growth.exponent).value, grown(growth.low).low, grown(growth.high).high};
}

}}  // namespace glassworks::tools
