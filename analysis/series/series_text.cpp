#include "analysis/series/series_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "analysis/basics/value_format.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/series/field_response.hpp"
#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_verdict.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t most_times_shown = 13;

/// A column of the table: its heading, and the cell of a time.
struct TextColumn {
  std::string heading;
  std::function<std::string(std::size_t time)> cell;
};

std::string estimate_cell(double value, double error) { return std::isnan(value) ? "-" : format_value(value, error); }

std::vector<TextColumn> columns_of(const SizeSeries& series, const SlotAnalysis& slot) {
  std::vector<TextColumn> columns;
  columns.push_back({"t", [&](std::size_t k) { return fmt::format("{}", series.times[k]); }});
  if (!series.is_constant()) {
    columns.push_back({"T", [&](std::size_t k) { return fmt::format("{:.5g}", series.temperature[k][slot.slot]); }});
    if (std::ranges::adjacent_find(series.field, std::ranges::not_equal_to()) != series.field.end())
      columns.push_back({"field", [&](std::size_t k) { return fmt::format("{:.4g}", series.field[k]); }});
  }
  const auto add_stored = [&](const char* heading, const char* name) {
    const auto column = column_of(series, name);
    if (!column) return;
    columns.push_back({heading, [&slot, column](std::size_t k) {
                         const Estimate& e = slot.averages[k][*column];
                         return estimate_cell(e.mean, e.error);
                       }});
  };
  const auto add_derived = [&](const char* heading, const char* name) {
    const TimeCurve* const curve = slot.find(name);
    if (curve == nullptr) return;
    columns.push_back({heading, [curve](std::size_t k) { return estimate_cell(curve->value[k], curve->error[k]); }});
  };
  add_stored("e", "energy");
  add_derived("xi_12", "xi_12");
  add_derived("xi_12_cut", "xi_12_cut");
  add_derived("xi_23/xi_12", "xi_ratio");
  add_derived("xi_kmin", "xi_kmin");
  add_derived("z", "z");
  add_derived("xi_c12 par", "xi_c12_parallel");
  add_derived("xi_c12 perp", "xi_c12_perpendicular");
  add_stored("q2", "overlap_2");
  add_stored("m", "magnetization");
  add_derived("M/h", "response");
  columns.push_back({"n", [&](std::size_t k) { return fmt::format("{}", series.count(k)); }});
  return columns;
}

std::string slot_table(const SizeSeries& series, const SlotAnalysis& slot) {
  const std::vector<TextColumn> columns = columns_of(series, slot);
  std::vector<std::vector<std::string>> rows(1);
  for (const TextColumn& column : columns) rows.front().push_back(column.heading);
  for (const std::size_t time : thinned_times(series.times, most_times_shown)) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const TextColumn& column : columns) row.push_back(column.cell(time));
  }
  return format_table(rows);
}

/// The place of the measured time that is closest to a time, if it is within a tenth of it.
std::optional<std::size_t> place_near(const std::vector<std::uint64_t>& times, double t) {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double distance = std::fabs(static_cast<double>(times[k]) - t);
    if (distance > 0.1 * t) continue;
    if (!best || distance < std::fabs(static_cast<double>(times[*best]) - t)) best = k;
  }
  return best;
}

/// C(t_w + t, t_w) at equal t/t_w, one row for each t_w: equal rows are full aging.
std::string aging_table(const SizeSeries& series, const SlotAnalysis& slot) {
  constexpr double ratios[] = {0.01, 0.1, 1.0, 10.0, 100.0};
  std::vector<std::vector<std::string>> rows = {{"t_w"}};
  for (const double ratio : ratios) rows.front().push_back(fmt::format("t = {:g} t_w", ratio));
  bool any = false;
  for (const std::uint64_t t_w : waiting_times(series)) {
    if (t_w == 0) continue;  // no ratio to it
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(fmt::format("{}", t_w));
    const std::size_t column = *column_of(series, fmt::format("correlation({})", t_w));
    for (const double ratio : ratios) {
      const double t = ratio * static_cast<double>(t_w);
      std::vector<std::uint64_t> since;  // times since t_w, 0 before it
      for (const std::uint64_t time : series.times) since.push_back(time > t_w ? time - t_w : 0);
      const auto place = t >= 1.0 ? place_near(since, t) : std::nullopt;
      row.push_back(place ? format_value(slot.averages[*place][column].mean, slot.averages[*place][column].error)
                          : "-");
      any = any || place.has_value();
    }
  }
  return any ? "C(t_w + t, t_w):\n" + format_table(rows) : "";
}

}  // namespace

std::vector<std::size_t> thinned_times(const std::vector<std::uint64_t>& times, std::size_t most) {
  std::vector<std::size_t> places;
  if (times.size() <= most) {
    for (std::size_t k = 0; k < times.size(); ++k) places.push_back(k);
    return places;
  }
  const double first = std::log(static_cast<double>(times.front())), last = std::log(static_cast<double>(times.back()));
  for (std::size_t i = 0; i < most; ++i) {
    const double wanted = first + (last - first) * static_cast<double>(i) / static_cast<double>(most - 1);
    const auto distance = [&](std::uint64_t t) { return std::fabs(std::log(static_cast<double>(t)) - wanted); };
    const auto nearest = std::ranges::min_element(times, {}, distance);
    const auto place = static_cast<std::size_t>(nearest - times.begin());
    if (places.empty() || place > places.back()) places.push_back(place);
  }
  return places;
}

std::string series_text(const CourseAnalysis& analysis) {
  std::string text =
      "Averages over realizations, which give one series each; errors from the scatter of the realizations, so those "
      "of different times are correlated.";
  if (has_curve(analysis, "xi_12")) {
    text +=
        " xi_12 = I_2/I_1 with I_k = int r^k C_4(r) dr along the axes: measured up to the first r where C_4 < 3 "
        "errors, or < 6 where it rises, and A r^-a exp(-(r/l)^b) fitted to the points before it beyond. xi_12_cut: "
        "plain sums over r up to the first r where C_4 < 0.001, and nothing beyond.";
  }
  text += '\n';
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    const SizeSeries& series = *size.series;
    for (const SlotAnalysis& slot : size.slots) {
      if (series.times.empty()) break;
      text += fmt::format("\nL = {}, {}\n{}", series.L, temperature_words(series, slot.slot), slot_table(series, slot));
      text += aging_table(series, slot);
      text += response_text(analysis.series.config.course, series, slot);
    }
  }
  text += "\nVerdict\n";
  for (const std::string& sentence : course_verdict(analysis)) text += fmt::format("  {}\n", plain_label(sentence));
  return text;
}

}}  // namespace glassworks::analysis
