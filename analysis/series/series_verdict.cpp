#include "analysis/series/series_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/series/series_columns.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double noticeable_tail = 0.02;  // of xi_12

std::string progress_line(const SizeSeries& series) {
  const std::string failed = series.failed > 0 ? fmt::format(", {} given up", series.failed) : "";
  if (series.complete == series.total) {
    return fmt::format("all {} realizations are complete, up to t = {}", series.total, series.end);
  }
  std::string text =
      fmt::format("{} of {} realizations are complete (t = {}){}", series.complete, series.total, series.end, failed);
  if (series.realizations.empty()) return text + ", none has measured anything yet";
  std::vector<std::uint64_t> reached;
  for (const RealizationSeries& one : series.realizations) {
    if (one.reached < series.end) reached.push_back(one.reached);
  }
  if (reached.empty()) return text;
  std::ranges::sort(reached);
  const std::size_t begun = reached.size();
  return text + fmt::format("; {} on the way {} at t = {}{}", begun, begun == 1 ? "is" : "are", reached.front(),
                            reached.back() > reached.front() ? fmt::format(" to {}", reached.back()) : "");
}

std::string error_line(const SizeSeries& series) {
  const int n = series.times.empty() ? 0 : series.count(series.times.size() - 1);
  if (n == 1) return "errors need more than the one realization that has reached the last time";
  return fmt::format("errors from {} realizations at the last time are rough (at least {} are needed)", n,
                     fewest_for_errors);
}

/// Fails at every temperature alike or at some of them.
void add_length_lines(const SizeAnalysisInTime& size, std::vector<std::string>& lines) {
  bool any = false, all_hold = true;
  for (const SlotAnalysis& slot : size.slots) {
    const TimeCurve* const xi = slot.find("xi_12");
    if (xi == nullptr) return;
    any = any || std::ranges::any_of(xi->value, [](double x) { return std::isfinite(x); });
    const auto first = first_too_long(*size.series, slot);
    if (!first) continue;
    all_hold = false;
    lines.push_back(fmt::format(
        "WARNING at {}: L < {:g} ξ_{{12}} from t = {} on (ξ_{{12}} = {}), where the lattice limits the length",
        temperature_words(*size.series, slot.slot), lengths_of_lattice, size.series->times[*first],
        format_value(xi->value[*first], xi->error[*first])));
  }
  if (!any) {
    lines.emplace_back("C_{4} is nowhere above its noise, so there is no ξ_{12}");
  } else if (all_hold) {
    lines.push_back(fmt::format("L ≥ {:g} ξ_{{12}} at all times and temperatures", lengths_of_lattice));
  }
}

/// Of the slot whose tail adds most at its last time.
void add_noise_line(const SizeAnalysisInTime& size, std::vector<std::string>& lines) {
  const SlotAnalysis* worst = nullptr;
  const auto tail_of = [](const SlotAnalysis& slot) {
    const double tail = slot.tails.back();
    return std::isnan(tail) ? 1.0 : std::fabs(tail);
  };
  for (const SlotAnalysis& slot : size.slots) {
    if (slot.tails.empty() || !slot.cuts.back().found) continue;
    if (worst == nullptr || tail_of(slot) > tail_of(*worst)) worst = &slot;
  }
  if (worst == nullptr) return;
  const std::string where = fmt::format("at the last time C_{{4}} is above its noise up to r = {} ({})",
                                        worst->cuts.back().at - 1, temperature_words(*size.series, worst->slot));
  if (worst->cuts.back().at < least_cut) {
    lines.push_back("WARNING: " + where + ", too few points for ξ_{12}");
    return;
  }
  if (std::isnan(worst->tails.back())) {
    lines.push_back("WARNING: " + where + ", and noise hides what lies beyond: ξ_{12} is too small");
    return;
  }
  lines.push_back(fmt::format("{}{}; the tail beyond adds {:.2g} % to ξ_{{12}}",
                              std::fabs(worst->tails.back()) > noticeable_tail ? "WARNING: " : "", where,
                              100.0 * worst->tails.back()));
}

}  // namespace

std::optional<std::size_t> first_too_long(const SizeSeries& series, const SlotAnalysis& slot) {
  const TimeCurve* const xi = slot.find("xi_12");
  if (xi == nullptr) return std::nullopt;
  for (std::size_t k = 0; k < xi->value.size(); ++k) {
    if (series.L < lengths_of_lattice * xi->value[k]) return k;
  }
  return std::nullopt;
}

std::vector<std::string> series_verdict(const SizeAnalysisInTime& size) {
  const SizeSeries& series = *size.series;
  std::vector<std::string> lines = {progress_line(series)};
  if (series.times.empty()) return lines;
  if (series.count(series.times.size() - 1) < fewest_for_errors) lines.push_back("WARNING: " + error_line(series));
  if (const std::string why = why_no_distances(series); !why.empty()) {
    lines.push_back(fmt::format("there is no C_{{4}}(r) and no ξ_{{12}} ({})", why));
  }
  add_length_lines(size, lines);
  add_noise_line(size, lines);
  return lines;
}

std::vector<std::string> course_verdict(const CourseAnalysis& analysis) {
  std::vector<std::string> sentences;
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    for (const std::string& line : series_verdict(size)) {
      sentences.push_back(fmt::format("L = {}: {}.", size.series->L, line));
    }
  }
  if (const std::uint32_t group = analysis.series.config.realizations_per_group(); group > 1) {
    sentences.push_back(fmt::format(
        "WARNING: groups of {} realizations share random words, so their histories are correlated, and errors "
        "over realizations may be too small.",
        group));
  }
  return sentences;
}

std::string temperature_words(const SizeSeries& series, std::size_t slot) {
  std::vector<double> T;
  for (const std::vector<double>& of_time : series.temperature) {
    if (std::ranges::find(T, of_time[slot]) == T.end()) T.push_back(of_time[slot]);
  }
  if (T.empty()) T.push_back(series.temperatures[slot]);
  constexpr std::size_t most_listed = 3;
  if (T.size() <= most_listed) return fmt::format("T = {}", fmt::join(T, ", "));
  const auto [least, most] = std::ranges::minmax(T);
  return fmt::format("T from {} to {}", least, most);
}

}}  // namespace glassworks::analysis
