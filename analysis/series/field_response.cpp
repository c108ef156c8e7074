#include "analysis/series/field_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/series/curve_figure.hpp"
#include "analysis/series/series_text.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double factor_of_window = 2.0;
constexpr std::size_t most_rows = 13;

std::string name_since(const char* quantity, std::uint64_t t_w) { return fmt::format("{}({})", quantity, t_w); }

/// A curve between two times, NaN elsewhere.
TimeCurve part_of(const SizeSeries& series, const TimeCurve& whole, const FieldSwitch& one) {
  TimeCurve part = whole;
  part.name = name_since("response", one.t);
  part.since = one.t;
  for (std::size_t k = 0; k < series.times.size(); ++k) {
    if (series.times[k] >= one.t && series.times[k] <= one.until) continue;
    part.value[k] = part.error[k] = nan;
    std::ranges::fill(part.without[k], nan);
  }
  return part;
}

/// Places of the times after a switch, thinned.
std::vector<std::size_t> times_after(const SizeSeries& series, const FieldSwitch& one, std::size_t most) {
  std::vector<std::uint64_t> since;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < series.times.size(); ++k) {
    if (series.times[k] <= one.t || series.times[k] > one.until) continue;
    since.push_back(series.times[k] - one.t);
    places.push_back(k);
  }
  std::vector<std::size_t> chosen;
  if (since.empty()) return chosen;
  for (const std::size_t place : thinned_times(since, most)) chosen.push_back(places[place]);
  return chosen;
}

Figure since_switch(const CourseAnalysis& analysis, Figure frame, const char* quantity) {
  frame.x = {"t - t_{w} [sweeps]", true};
  const std::vector<FieldSwitch> switches = field_switches(analysis.series.config.course);
  for_each_slot(analysis, [&](const SizeAnalysisInTime& size, const SlotAnalysis& slot) {
    for (const FieldSwitch& one : switches) {
      const TimeCurve* const curve = slot.find(name_since(quantity, one.t));
      if (curve == nullptr) continue;
      Series drawn{.name = fmt::format("{}, t_{{w}} = {}", curve_label(analysis, size, slot), one.t),
                   .style = SeriesStyle::points_and_line};
      for (const std::size_t k : times_after(*size.series, one, size.series->times.size())) {
        add_point(drawn, static_cast<double>(size.series->times[k] - one.t), curve->value[k], curve->error[k]);
      }
      add_series(frame, std::move(drawn));
    }
  });
  return frame;
}

}  // namespace

std::vector<FieldSwitch> field_switches(const CourseConfig& course) {
  std::vector<FieldSwitch> switches;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < course.segments.size(); ++i) {
    const CourseSegment& segment = course.segments[i];
    const std::uint64_t end =
        segment.sweeps.count > 0 ? begin + segment.sweeps.count : std::numeric_limits<std::uint64_t>::max();
    const bool stays = segment.first_field == segment.last_field;
    if (i > 0 && stays && course.segments[i - 1].last_field == segment.first_field) {
      if (!switches.empty() && switches.back().until == begin) switches.back().until = end;
    } else if (i > 0 && stays) {
      switches.push_back({begin, end, course.segments[i - 1].last_field, segment.first_field});
    }
    begin = end;
  }
  return switches;
}

void add_response_curves(const CourseConfig& course, const SizeSeries& series, SlotAnalysis& slot) {
  for (const FieldSwitch& one : field_switches(course)) {
    const TimeCurve* const response = slot.find("response");
    if (response == nullptr || series.times.empty() || series.times.back() <= one.t) return;
    TimeCurve part = part_of(series, *response, one);
    const auto since = static_cast<double>(one.t);
    TimeCurve rate = local_slopes(
        series, part, name_since("relaxation_rate", one.t), factor_of_window,
        [=](double t) { return t > since ? std::log(t - since) : nan; }, [](double M) { return M; },
        [](double slope) { return slope; });
    rate.since = one.t;
    slot.derived.push_back(std::move(part));
    slot.derived.push_back(std::move(rate));
  }
}

std::string response_text(const CourseConfig& course, const SizeSeries& series, const SlotAnalysis& slot) {
  std::string text;
  for (const FieldSwitch& one : field_switches(course)) {
    const TimeCurve *const response = slot.find(name_since("response", one.t)), *const rate = slot.find(name_since(
                                                                                    "relaxation_rate", one.t));
    if (response == nullptr || rate == nullptr) continue;
    std::vector<std::vector<std::string>> rows = {{"t - t_w", "M/h", "S"}};
    for (const std::size_t k : times_after(series, one, most_rows)) {
      const auto cell = [k](const TimeCurve& curve) {
        return std::isnan(curve.value[k]) ? std::string("-") : format_value(curve.value[k], curve.error[k]);
      };
      rows.push_back({fmt::format("{}", series.times[k] - one.t), cell(*response), cell(*rate)});
    }
    if (rows.size() == 1) continue;
    text += fmt::format("Response since the field went from {:g} to {:g} at t_w = {}, S = d(M/h)/d ln(t - t_w):\n{}",
                        one.before, one.after, one.t, format_table(rows));
  }
  return text;
}

std::vector<Figure> response_figures(const CourseAnalysis& analysis) {
  return {since_switch(analysis,
                       {.id = "response_since_switch",
                        .title = "Response since the field was switched",
                        .caption = "Magnetization along the field, per field_strength; t_{w}: when it was switched.",
                        .y = {"M/h"}},
                       "response"),
          since_switch(analysis,
                       {.id = "relaxation_rate_since_switch",
                        .title = "Relaxation rate since the field was switched",
                        .caption = "S(t, t_{w}) = d(M/h)/d ln(t - t_{w}), by straight lines over half to twice the "
                                   "time since t_{w}.",
                        .y = {"S"}},
                       "relaxation_rate")};
}

}}  // namespace glassworks::analysis
