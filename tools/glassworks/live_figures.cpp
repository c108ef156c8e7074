#include "tools/glassworks/live_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "analysis/basics/columns.hpp"
#include "analysis/basics/jackknife.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_ratios = 2;

std::string label_of(const SizeState& size) { return fmt::format("L = {}", size.L); }

/// Averages of the latest rounds at every slot [slot]: rows of realizations.
std::vector<SampleTable> latest_averages(const SizeState& size, const Columns& columns) {
  std::vector<SampleTable> tables(size.temperatures.size(), SampleTable(columns.size()));
  for (const auto& [key, round] : size.latest) {
    const RealizationSummary summary = summarize(key, {&round, 1}, columns, tables.size());
    for (std::size_t slot = 0; slot < tables.size(); ++slot) {
      tables[slot].add(std::span(summary.mean).subspan(slot * columns.size(), columns.size()));
    }
  }
  return tables;
}

Series series_of(const SizeState& size, const std::vector<SampleTable>& tables, const Estimator& estimator) {
  Series series{label_of(size), SeriesStyle::points_and_line};
  for (std::size_t slot = 0; slot < tables.size(); ++slot) {
    const double T = size.temperatures[slot];
    const Estimate value =
        jackknife(tables[slot], [&](std::span<const double> averages) { return estimator.value(averages, 1.0 / T); });
    series.x.push_back(T);
    series.y.push_back(value.mean);
    series.y_error.push_back(value.error);
  }
  return series;
}

bool is_ratio(const std::string& name) { return name.ends_with("over_L"); }

/// Names of the observables to be drawn, of those that some size has.
std::vector<const Observable*> chosen(const CampaignState& state, const std::vector<Estimator>& there) {
  std::vector<const Observable*> all, ratios;
  for (const Observable* row : observables_by_place([](const Observable& o) { return o.figure.place; })) {
    if (!row->is_shown(state.config) || std::ranges::count(there, row->name, &Estimator::name) == 0) continue;
    all.push_back(row);
    if (is_ratio(row->name) && ratios.size() < most_ratios) ratios.push_back(row);
  }
  if (!ratios.empty() || all.empty()) return ratios;
  return {all.front()};
}

std::string sample_words(const CampaignState& state) {
  std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const SizeState& size : state.sizes) {
    if (size.latest.empty()) continue;
    least = std::min(least, size.latest.size());
    most = std::max(most, size.latest.size());
  }
  return fmt::format("{} {} of each size", least == most ? std::to_string(most) : fmt::format("{} to {}", least, most),
                     most == 1 ? "realization" : "realizations");
}

void add_observables(const CampaignState& state, std::vector<Figure>& figures) {
  std::map<std::string, Figure> of_name;
  std::vector<std::string> order;
  for (const SizeState& size : state.sizes) {
    if (size.latest.empty()) continue;
    const Columns columns(state.config, SizeRow{size.L, size.temperatures, size.observables});
    const std::vector<Estimator> estimators = make_estimators(state.config, size.L, columns);
    const std::vector<SampleTable> tables = latest_averages(size, columns);
    for (const Observable* row : chosen(state, estimators)) {
      auto [place, added] = of_name.try_emplace(row->name);
      if (added) {
        order.push_back(row->name);
        place->second = {row->name,
                         row->figure.title + ", so far",
                         fmt::format("Latest round of {}: a first look, also at realizations that have not converged. "
                                     "`glassworks report` averages over all.",
                                     sample_words(state)),
                         {"T", false},
                         {row->figure.label, row->figure.logarithmic}};
      }
      const auto estimator = std::ranges::find(estimators, row->name, &Estimator::name);
      place->second.series.push_back(series_of(size, tables, *estimator));
    }
  }
  for (const std::string& name : order) figures.push_back(std::move(of_name.at(name)));
}

void add_walk(const CampaignState& state, std::vector<Figure>& figures) {
  Figure acceptance{
      "acceptance",
      "Acceptance of exchanges",
      fmt::format("Between neighbouring temperatures, at the lower one; latest round of {}.", sample_words(state)),
      {"T", false},
      {"accepted part", false}};
  Figure direction{"walk",
                   "Walk of the replicas through the temperatures",
                   "Part of the replicas that visited the lowest temperature last. It falls from 1 to 0, without steep "
                   "steps where the walk is free.",
                   {"T", false},
                   {"f(T)", false}};
  for (const SizeState& size : state.sizes) {
    const std::size_t slots = size.temperatures.size();
    if (size.latest.empty() || slots < 2) continue;
    std::vector<double> attempts(slots - 1), accepted(slots - 1), up(slots), down(slots);
    for (const auto& [key, round] : size.latest) {
      for (std::size_t slot = 0; slot < slots; ++slot) {
        up[slot] += round.record.walk_up[slot];
        down[slot] += round.record.walk_down[slot];
        if (slot + 1 == slots) continue;
        attempts[slot] += static_cast<double>(round.record.exchange_attempts[slot]);
        accepted[slot] += static_cast<double>(round.record.exchange_accepted[slot]);
      }
    }
    Series part{label_of(size), SeriesStyle::points_and_line}, f{label_of(size), SeriesStyle::points_and_line};
    for (std::size_t slot = 0; slot < slots; ++slot) {
      f.x.push_back(size.temperatures[slot]);
      f.y.push_back(up[slot] + down[slot] > 0.0 ? up[slot] / (up[slot] + down[slot]) : no_value);
      if (slot + 1 == slots || attempts[slot] == 0.0) continue;
      part.x.push_back(size.temperatures[slot]);
      part.y.push_back(accepted[slot] / attempts[slot]);
    }
    if (part.x.empty()) continue;  // no exchanges, no walk
    acceptance.series.push_back(std::move(part));
    direction.series.push_back(std::move(f));
  }
  if (acceptance.series.empty()) return;
  figures.push_back(std::move(acceptance));
  figures.push_back(std::move(direction));
}

}  // namespace

std::vector<Figure> live_figures(const CampaignState& state) {
  std::vector<Figure> figures;
  add_observables(state, figures);
  add_walk(state, figures);
  std::vector<int> sizes;
  for (const SizeState& size : state.sizes) sizes.push_back(size.L);
  for (Figure& figure : figures) figure.sizes = sizes;
  return figures;
}

void LiveHistory::add(double seconds, double done, double rate) {
  points_.push_back({seconds, done, rate});
  if (points_.size() <= most_points) return;
  std::vector<Point> kept;  // every second one, the first and the last among them
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (i % 2 == 0 || i + 1 == points_.size()) kept.push_back(points_[i]);
  }
  points_ = std::move(kept);
}

std::vector<Figure> LiveHistory::figures() const {
  if (points_.size() < 3) return {};
  const double span = points_.back().seconds - points_.front().seconds;
  const std::pair<double, const char*> unit = span < 180.0    ? std::pair(1.0, "s")
                                              : span < 10800  ? std::pair(60.0, "min")
                                              : span < 259200 ? std::pair(3600.0, "h")
                                                              : std::pair(86400.0, "d");
  const Axis time{fmt::format("time since the first look [{}]", unit.second), false};
  Figure done{"done", "Finished part", "Since this page was begun.", time, {"finished [%]", false}};
  Figure rate{"rate", "Rate", "Commits of the last minute.", time, {"spin updates/ns", false}};
  done.series = {Series{"finished", SeriesStyle::line}};
  rate.series = {Series{"rate", SeriesStyle::line}};
  for (const Point& point : points_) {
    const double t = (point.seconds - points_.front().seconds) / unit.first;
    done.series[0].x.push_back(t);
    done.series[0].y.push_back(100.0 * point.done);
    rate.series[0].x.push_back(t);
    rate.series[0].y.push_back(point.rate > 0.0 ? point.rate : no_value);
  }
  if (points_.back().done > 0.0) return {std::move(done), std::move(rate)};
  return {std::move(rate)};
}

}}  // namespace glassworks::tools
