#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/diagnostics/temperature_walk.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Walks = std::span<const TemperatureWalk* const>;

Figure acceptance_figure(Walks sizes) {
  Figure f{
      "acceptance",
      "Acceptance of exchanges",
      "Accepted part of the exchanges between neighbouring temperatures, at the lower of the two; errors from the "
      "spread over realizations. A dip is a bottleneck of the walk through temperatures: more temperatures are needed "
      "there. Far below 0.2 the ladder is too thin, far above 0.5 it has more temperatures than it needs.",
      {"T", false},
      {"acceptance", false}};
  for (const TemperatureWalk* walk : sizes) {
    const std::span<const double> lower = std::span(walk->size().temperatures).first(walk->size().slots() - 1);
    f.series.push_back(against_temperatures(size_label(walk->size().L), lower,
                                            [&](std::size_t pair) { return walk->acceptance(pair); }));
  }
  return f;
}

Figure direction_figure(Walks sizes) {
  Figure f{
      "walk_direction",
      "Direction of the walk through temperatures",
      "f(T): of the replicas at T that have visited an end of the ladder, the part that visited the lowest temperature "
      "last. It falls from 1 to 0, in equal steps from temperature to temperature where replicas drift evenly. A steep "
      "step marks the temperatures that hold replicas back; a curve that does not reach from 1 to 0 smoothly, or large "
      "error bars, mean that replicas hardly make the round trip.",
      {"T", false},
      {"f(T)", false}};
  for (const TemperatureWalk* walk : sizes) {
    f.series.push_back(against_temperatures(size_label(walk->size().L), walk->size().temperatures,
                                            [&](std::size_t slot) { return walk->up_fraction(slot); }));
  }
  return f;
}

Figure rate_figure(Walks sizes) {
  Figure f{
      "round_trip_rate",
      "Rate of round trips",
      "Round trips T_{1} → T_{max} → T_{1} of one copy per exchange step, all its replicas together, and the upper "
      "bound 1/(2 + 2Λ), Λ = Σ (1 - acceptance), of the even-odd schedule with independent energies at every step. The "
      "distance to the bound is what the slow motion of the spins at low temperature costs.",
      {"L", true},
      {"round trips per exchange step", true}};
  Series rate = make_series("measured", SeriesStyle::points_and_line);
  Series bound = make_series("1/(2 + 2Λ)", SeriesStyle::points_and_line);
  for (const TemperatureWalk* walk : sizes) {
    if (walk->round_trip_rate().mean > 0.0) add_point(rate, walk->size().L, walk->round_trip_rate());
    add_point(bound, walk->size().L, walk->rate_bound());
  }
  f.series = {std::move(rate), std::move(bound)};
  return f;
}

Table rate_table(Walks sizes) {
  Table t{
      "round_trips", "Motion through the ladder",
      "Λ is the sum of rejections 1 - acceptance over the ladder; the rate is that of one copy per exchange step. A "
      "small part of the bound means that replicas are slowed down by more than exchanges."};
  t.rows.push_back(
      {"L", "temperatures", "smallest acceptance", "at T", "Λ", "rate", "bound 1/(2 + 2Λ)", "rate / bound"});
  for (const TemperatureWalk* walk : sizes) {
    const DiagnosedSize& size = walk->size();
    Estimate smallest{std::numeric_limits<double>::infinity(), 0.0, 0};
    double at = 0.0;
    for (std::size_t pair = 0; pair + 1 < size.slots(); ++pair) {
      const Estimate a = walk->acceptance(pair);
      if (!(a.mean < smallest.mean)) continue;
      smallest = a;
      at = size.temperatures[pair];
    }
    const Estimate Lambda = walk->rejections(), rate = walk->round_trip_rate(), bound = walk->rate_bound();
    t.rows.push_back({std::to_string(size.L), std::to_string(size.slots()), format_value(smallest.mean, smallest.error),
                      fmt::format("{:.5g}", at), format_value(Lambda.mean, Lambda.error),
                      format_value(rate.mean, rate.error), format_value(bound.mean, bound.error),
                      fmt::format("{:.3g}", rate.mean / bound.mean)});
  }
  return t;
}

}  // namespace

std::vector<Item> walk_items(Walks sizes) {
  std::vector<const TemperatureWalk*> walking;  // one temperature: nothing is exchanged
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(walking),
               [](const TemperatureWalk* w) { return w->realizations() > 0 && w->size().has_walk(); });
  if (walking.empty()) return {};
  return {acceptance_figure(walking), direction_figure(walking), rate_figure(walking), rate_table(walking)};
}

std::vector<Item> walk_distribution_items(Walks sizes) {
  struct Entry {
    Quantity quantity;
    Distribution (TemperatureWalk::*values)() const;
    bool of_walk;  ///< exists with several temperatures only
    const char* caption;
  };
  const bool walking = std::any_of(sizes.begin(), sizes.end(), [](const auto* w) { return w->size().has_walk(); });
  const char* tau_caption =
      walking
          ? "Largest integrated autocorrelation time of the temperature walk at the last decision about a "
            "realization; a lower bound where it is not resolved. Realizations that have not been judged yet are "
            "missing."
          : "Largest integrated autocorrelation time of energy, |m|, m^{2} (and q^{2}) from round means at the last "
            "decision about a realization: half a round or more. Realizations that have not been judged yet are "
            "missing.";
  const Entry entries[] = {
      {{"round_trips", "round trips", "round trips"},
       &TemperatureWalk::round_trips,
       true,
       "Round trips through the ladder that all replicas of a realization have made in its whole history."},
      {{"round_trip_time", "time of a round trip [measurements]", "the time of a round trip"},
       &TemperatureWalk::round_trip_time,
       true,
       "Measurements that one replica takes for a round trip: history × replicas / round trips. Realizations without "
       "any round trip are missing here."},
      {{"tau", "τ [measurements]", "the autocorrelation time"}, &TemperatureWalk::tau, false, tau_caption},
      {{"history_length", "length [measurements]", "the length of histories"},
       &TemperatureWalk::history_length,
       false,
       "Measurements made. Realizations stop when they have converged, so lengths follow the autocorrelation times; "
       "steps come from the rounds at which they are looked at."}};

  std::vector<Item> items;
  Table table =
      quantile_table("walk_quantiles", "Quantiles over realizations",
                     "A mean far above the median, and a largest value many times the median, are the marks of a fat "
                     "tail: the time of the campaign goes into few realizations. ∞: no round trip yet.");
  for (const Entry& entry : entries) {
    std::vector<Distribution> distributions;
    for (const TemperatureWalk* walk : sizes) {
      if (entry.of_walk && !walk->size().has_walk()) continue;
      Distribution d = (walk->*entry.values)();
      if (!d.values.empty()) distributions.push_back(std::move(d));
    }
    if (distributions.empty()) continue;
    for (Item& item : logarithmic_distribution(entry.quantity, distributions, entry.caption)) {
      items.push_back(std::move(item));
    }
    add_quantile_rows(table, entry.quantity, distributions);
  }
  if (table.rows.size() > 1) items.emplace_back(std::move(table));
  return items;
}

}}  // namespace glassworks::analysis
