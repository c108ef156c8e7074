#include "analysis/series/series_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/series/series_columns.hpp"
#include "base/text.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::array<std::string_view, 4> families_of_distance = {"c4_axis(", "c4_diagonal(", "chiral_axis_",
                                                                  "c22_axis("};

/// Whether a quantity is a length, or the exponent of one.
bool is_length(std::string_view name) { return name.starts_with("xi_") || name == "z" || name.ends_with("_kmin"); }

bool is_taken(const SeriesSelection& selection, const std::string& name) {
  return selection.names.empty() || std::ranges::find(selection.names, name) != selection.names.end();
}

/// The first time of a table of a quantity: what refers to t_w begins there.
std::size_t first_time(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
  const std::uint64_t since = start_of(series, slot, name);
  return static_cast<std::size_t>(std::ranges::lower_bound(series.times, since) - series.times.begin());
}

/// Calls for every size, slot and name that a table of curves holds.
template <class Use>
void for_each_curve(const CourseAnalysis& analysis, const SeriesSelection& selection, const Use& use) {
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    const std::vector<std::string> names = quantity_names(size);
    for (const SlotAnalysis& slot : size.slots) {
      for (const std::string& name : names) {
        if (!is_taken(selection, name) || (selection.names.empty() && is_of_distance(name))) continue;
        use(*size.series, slot, name);
      }
    }
  }
}

}  // namespace

SeriesSelection parse_selection(const std::string& text) {
  SeriesSelection selection;
  std::string name;
  int depth = 0;
  for (const char c : text + ',') {
    depth += static_cast<int>(c == '(') - static_cast<int>(c == ')');
    if (c == ',' && depth <= 0) {
      selection.names.push_back(std::exchange(name, {}));
    } else if (c != ' ' || !name.empty()) {
      name += c;
    }
  }
  return selection;
}

void require_quantities(const SeriesSelection& selection, const CourseAnalysis& analysis) {
  std::vector<std::string> known;
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    for (std::string& name : quantity_names(size)) known.push_back(std::move(name));
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  std::string why;
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    if (why.empty()) why = why_no_distances(*size.series);
  }
  for (const std::string& name : selection.names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    if (!why.empty() && (is_of_distance(name) || is_length(name))) {
      throw InputError(InputFault::unknown, name,
                       fmt::format("there is no quantity '{}' in this campaign ({}). `glassworks analyze DIR --csv "
                                   "FILE` lists all.",
                                   name, why));
    }
    throw InputError(InputFault::unknown, name,
                     fmt::format("there is no quantity '{}' in this campaign. {}", name,
                                 suggestion(name, candidates, "`glassworks analyze DIR --csv FILE` lists all.")));
  }
}

std::vector<std::string> quantity_names(const SizeAnalysisInTime& size) {
  std::vector<std::string> names = size.series->observables;
  if (size.slots.empty()) return names;
  for (const TimeCurve& curve : size.slots.front().derived) names.push_back(curve.name);
  return names;
}

bool is_of_distance(const std::string& name) {
  return std::ranges::any_of(families_of_distance, [&](std::string_view family) { return name.starts_with(family); });
}

std::uint64_t start_of(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
  if (const auto column = column_of(series, name)) return reference_times(series)[*column];
  return slot.find(name)->since;
}

TimeCurve curve_of(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
  if (const auto column = column_of(series, name)) return column_curve(series, slot.slot, *column);
  return *slot.find(name);
}

std::vector<std::vector<double>> realization_rows(const SizeSeries& series, const SlotAnalysis& slot,
                                                  const std::string& name) {
  const auto column = column_of(series, name);
  const TimeCurve* const curve = column ? nullptr : slot.find(name);
  std::vector<std::vector<double>> rows(series.realizations.size(), std::vector<double>(series.times.size(), nan));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < series.realizations[i].times; ++k) {
      const double n = series.count(k);
      rows[i][k] = column    ? series.row(i, k, slot.slot)[*column]
                   : n > 1.0 ? n * curve->value[k] - (n - 1.0) * curve->without[k][i]
                             : curve->value[k];
    }
  }
  return rows;
}

std::string series_csv(const CourseAnalysis& analysis, const SeriesSelection& selection) {
  std::string text = "L,slot,T,t,observable,mean,error,realizations\n";
  for (const SizeAnalysisInTime& size : analysis.sizes) {
    const SizeSeries& series = *size.series;
    const std::vector<std::uint64_t> since = reference_times(series);
    for (const SlotAnalysis& slot : size.slots) {
      for (std::size_t k = 0; k < series.times.size(); ++k) {
        const std::string head = fmt::format("{},{},{},{}", series.L, slot.slot,
                                             shortest(series.temperature[k][slot.slot]), series.times[k]);
        const auto add = [&](const std::string& name, double mean, double error, int n) {
          if (!is_taken(selection, name)) return;
          fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", head, csv_cell(name), shortest(mean),
                         shortest(error), n);
        };
        for (std::size_t column = 0; column < series.observables.size(); ++column) {
          if (series.times[k] < since[column]) continue;
          const Estimate& e = slot.averages[k][column];
          add(series.observables[column], e.mean, e.error, e.realizations);
        }
        for (const TimeCurve& curve : slot.derived) {
          if (series.times[k] >= curve.since) add(curve.name, curve.value[k], curve.error[k], series.count(k));
        }
      }
    }
  }
  return text;
}

std::string covariance_csv(const CourseAnalysis& analysis, const SeriesSelection& selection) {
  std::string text = "L,slot,T,observable,t,t_other,covariance\n";
  for_each_curve(analysis, selection, [&](const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
    const auto covariance = time_covariance(series, curve_of(series, slot, name));
    const std::string head =
        fmt::format("{},{},{},{}", series.L, slot.slot, series.temperatures[slot.slot], csv_cell(name));
    const std::size_t first = first_time(series, slot, name);
    for (std::size_t a = first; a < covariance.size(); ++a) {
      for (std::size_t b = first; b < covariance.size(); ++b) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", head, series.times[a], series.times[b],
                       shortest(covariance[a][b]));
      }
    }
  });
  return text;
}

std::string realizations_csv(const CourseAnalysis& analysis, const SeriesSelection& selection) {
  std::string text = "L,slot,T,t,observable,realization,value\n";
  for_each_curve(analysis, selection, [&](const SizeSeries& series, const SlotAnalysis& slot, const std::string& name) {
    const std::vector<std::vector<double>> rows = realization_rows(series, slot, name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = first_time(series, slot, name); k < series.realizations[i].times; ++k) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", series.L, slot.slot,
                       shortest(series.temperature[k][slot.slot]), series.times[k], csv_cell(name),
                       series.realizations[i].realization, shortest(rows[i][k]));
      }
    }
  });
  return text;
}

}}  // namespace glassworks::analysis
