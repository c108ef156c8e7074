#include "engine/ladder/ladder_adaptation.hpp"

#include <math.h>  // first: pchip.hpp of Boost 1.74 calls the global isnan

#include <algorithm>
#include <boost/math/interpolators/pchip.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {
namespace {

template <class Count>
void add(std::vector<Count>& sum, const std::vector<Count>& more) {
  std::ranges::transform(sum, more, sum.begin(), std::plus<>());
}

bool distinct_in_single_precision(const std::vector<double>& temperatures) {
  const auto equal = [](double low, double high) {
    return !(static_cast<float>(1.0 / low) > static_cast<float>(1.0 / high));
  };
  return std::ranges::adjacent_find(temperatures, equal) == temperatures.end();
}

/// Halves all intervals until there are the four points that the interpolation needs; straight lines stay straight.
void refine(std::vector<double>& x) {
  while (x.size() < 4) {
    std::vector<double> fine;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) fine.insert(fine.end(), {x[i], 0.5 * (x[i] + x[i + 1])});
    fine.push_back(x.back());
    x = std::move(fine);
  }
}

/// Betas at equal increments of a quantity that grows by `increments` (> 0) from slot to slot; a part `even` of the
/// result is a ladder with equal steps of beta.
std::vector<double> place(const std::vector<double>& temperatures, const std::vector<double>& increments, int slots) {
  std::vector<double> cumulative{0.0}, beta;
  for (const double increment : increments) cumulative.push_back(cumulative.back() + increment);
  for (const double T : temperatures) beta.push_back(1.0 / T);
  const double total = cumulative.back(), first = beta.front(), range = beta.back() - beta.front();
  refine(cumulative);
  refine(beta);
  const boost::math::interpolators::pchip<std::vector<double>> beta_of(std::move(cumulative), std::move(beta));

  std::vector<double> placed(static_cast<std::size_t>(slots));
  const auto try_place = [&](double even) {
    for (int k = 1; k + 1 < slots; ++k) {
      const double part = static_cast<double>(k) / (slots - 1);
      placed[static_cast<std::size_t>(k)] =
          1.0 / ((1.0 - even) * beta_of(total * part) + even * (first + range * part));
    }
    placed.front() = temperatures.front();
    placed.back() = temperatures.back();
    return distinct_in_single_precision(placed);
  };
  if (try_place(0.0)) return placed;
  // A jump of the rejection within a narrow range: spread as little as single precision asks for.
  for (double even = 1.0 / 1024; even <= 1.0; even *= 2.0) {
    if (try_place(even)) return placed;
  }
  return temperatures;
}

/// Neighbouring slots whose fractions f are pooled.
struct Pool {
  double up = 0.0, all = 0.0;
  double first = 0.0, last = 0.0;  ///< slots
  [[nodiscard]] double fraction() const { return up / all; }
  [[nodiscard]] double centre() const { return 0.5 * (first + last); }
};

/// Fraction f of replicas that come from the coldest slot, falling from 1 to 0 [slot]: neighbours that rise are pooled
/// (isotonic regression), and straight lines connect the centres of the pools.
std::vector<double> falling_fractions(const LadderStage& statistics) {
  const std::size_t slots = statistics.walk_up.size();
  const auto last_slot = static_cast<double>(slots - 1);
  std::vector<Pool> pools;
  for (std::size_t t = 1; t + 1 < slots; ++t) {
    const auto up = static_cast<double>(statistics.walk_up[t]), down = static_cast<double>(statistics.walk_down[t]);
    if (up + down == 0.0) continue;
    Pool pool{up, up + down, static_cast<double>(t), static_cast<double>(t)};
    while (!pools.empty() && pools.back().fraction() <= pool.fraction()) {
      pool = {pool.up + pools.back().up, pool.all + pools.back().all, pools.back().first, pool.last};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  std::vector<std::pair<double, double>> points{{0.0, 1.0}};
  for (const Pool& pool : pools) points.emplace_back(pool.centre(), pool.fraction());
  points.emplace_back(last_slot, 0.0);

  std::vector<double> fractions;
  for (std::size_t t = 0, k = 0; t < slots; ++t) {
    const auto x = static_cast<double>(t);
    while (k + 2 < points.size() && points[k + 1].first < x) ++k;
    const auto [x0, f0] = points[k];
    const auto [x1, f1] = points[k + 1];
    fractions.push_back(f0 + (f1 - f0) * ((x - x0) / (x1 - x0)));
  }
  return fractions;
}

/// Stages that the ladder is adapted with; the others keep the ladder that will be frozen.
int adapting_stages(int adapt_rounds) { return adapt_rounds - std::max(1, adapt_rounds / 4); }

}  // namespace

LadderStage sum_of_stages(std::span<const LadderStage> stages) {
  LadderStage sum = stages.back();
  for (const LadderStage& stage : stages.first(stages.size() - 1)) {
    sum.measurements += stage.measurements;
    add(sum.exchange_attempts, stage.exchange_attempts);
    add(sum.exchange_accepted, stage.exchange_accepted);
    add(sum.walk_up, stage.walk_up);
    add(sum.walk_down, stage.walk_down);
    sum.round_trips += stage.round_trips;
  }
  return sum;
}

std::vector<double> pair_rejections(const LadderStage& statistics) {
  const auto sum = [](const std::vector<std::uint64_t>& counts) {
    return static_cast<double>(std::reduce(counts.begin(), counts.end()));
  };
  // Half an attempt that was accepted and half of one that was rejected keep the mean from being 0 or 1.
  const double attempts = sum(statistics.exchange_attempts), accepted = sum(statistics.exchange_accepted);
  const double mean = (attempts - accepted + 0.5) / (attempts + 1.0);
  std::vector<double> rejections;
  for (std::size_t i = 0; i < statistics.exchange_attempts.size(); ++i) {
    const auto tried = static_cast<double>(statistics.exchange_attempts[i]);
    rejections.push_back((tried - static_cast<double>(statistics.exchange_accepted[i]) + mean) / (tried + 1.0));
  }
  return rejections;
}

std::vector<double> pair_lengths(const LadderStage& statistics) {
  std::vector<double> lengths = pair_rejections(statistics);
  for (double& r : lengths) r /= std::sqrt(std::sqrt(std::sqrt(std::max(1.0 - r, 1e-4))));
  return lengths;
}

double communication_barrier(const LadderStage& statistics) {
  double sum = 0.0;
  for (const double l : pair_lengths(statistics)) sum += l;
  return sum;
}

int suggested_slots(double Lambda) {
  return static_cast<int>(std::clamp(std::round(2.0 * Lambda + 1.0), 2.0, static_cast<double>(max_slots)));
}

double round_trip_rate_bound(double Lambda) { return 1.0 / (2.0 + 2.0 * Lambda); }

std::vector<double> equal_rejection_ladder(const LadderStage& statistics, int slots) {
  return place(statistics.temperatures, pair_lengths(statistics), slots);
}

std::vector<double> feedback_ladder(const LadderStage& statistics, int slots) {
  const std::vector<double> fractions = falling_fractions(statistics);
  const double least = 0.01 / static_cast<double>(fractions.size() - 1);
  std::vector<double> increments;
  for (std::size_t i = 0; i + 1 < fractions.size(); ++i) {
    increments.push_back(std::sqrt(std::max(fractions[i] - fractions[i + 1], least)));
  }
  return place(statistics.temperatures, increments, slots);
}

bool placement_due(int stages, int adapt_rounds) {
  for (int due = adapting_stages(adapt_rounds); due > 0; due /= 2) {
    if (due == stages) return true;
  }
  return false;
}

std::vector<double> next_temperatures(const LadderConfig& ladder, std::span<const LadderStage> stages) {
  const std::vector<double>& present = stages.back().temperatures;
  const int count = static_cast<int>(stages.size());
  if (!placement_due(count, ladder.adapt_rounds)) return present;

  std::size_t same = 1;
  while (same < stages.size() && stages[stages.size() - same - 1].temperatures == present) ++same;
  const LadderStage window = sum_of_stages(stages.last(same));
  const bool free_number = ladder.slots.empty() && count == adapting_stages(ladder.adapt_rounds);
  const int slots = free_number ? suggested_slots(communication_barrier(window)) : static_cast<int>(present.size());
  const bool walked = window.round_trips >= 10 * present.size();
  return ladder.adapt == LadderAdaptation::feedback && walked ? feedback_ladder(window, slots)
                                                              : equal_rejection_ladder(window, slots);
}

}}  // namespace glassworks::engine
