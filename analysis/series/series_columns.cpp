#include "analysis/series/series_columns.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace glassworks { inline namespace analysis {
namespace {

/// The first whole number in "family(number)" or "family(number,...)", if the name has this form.
std::optional<std::uint64_t> argument_of(std::string_view name, std::string_view family) {
  if (!name.starts_with(family) || name.size() < family.size() + 3 || name[family.size()] != '(') return std::nullopt;
  name.remove_prefix(family.size() + 1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end == name.data() + name.size() || (*end != ')' && *end != ',')) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::size_t> columns_by_distance(const SizeSeries& series, const std::string& family) {
  std::vector<std::size_t> columns;
  for (std::size_t r = 0;; ++r) {
    const auto column = column_of(series, family + '(' + std::to_string(r) + ')');
    if (!column) return columns;
    columns.push_back(*column);
  }
}

std::optional<std::size_t> column_of(const SizeSeries& series, const std::string& name) {
  const auto place = std::ranges::find(series.observables, name);
  if (place == series.observables.end()) return std::nullopt;
  return static_cast<std::size_t>(place - series.observables.begin());
}

std::string why_no_distances(const SizeSeries& series) {
  if (!column_of(series, "overlap_2") || column_of(series, "c4_axis(0)")) return {};
  return column_of(series, "overlap_kmin") ? "sites of this graph are no grid"
                                           : "sites of this graph have no positions";
}

std::vector<std::uint64_t> waiting_times(const SizeSeries& series) {
  std::vector<std::uint64_t> times;
  for (const std::string& name : series.observables) {
    if (const auto t_w = argument_of(name, "correlation")) times.push_back(*t_w);
  }
  std::ranges::sort(times);
  return times;
}

std::vector<std::uint64_t> reference_times(const SizeSeries& series) {
  std::vector<std::uint64_t> times;
  for (const std::string& name : series.observables) {
    std::optional<std::uint64_t> t_w;
    for (const char* family : {"correlation", "link_correlation", "correlation_kmin", "c22_axis"}) {
      if (!t_w) t_w = argument_of(name, family);
    }
    times.push_back(t_w.value_or(0));
  }
  return times;
}

}}  // namespace glassworks::analysis
