#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// A moment of a course at which its field jumps, and then stays.
struct FieldSwitch {
  std::uint64_t t = 0;               ///< t_w: the last time before the first step in the new field
  std::uint64_t until = 0;           ///< last time at which the field is still the new one
  double before = 0.0, after = 0.0;  ///< factors of the fields
};

/// The switches of a course, ascending; none at time 0, where a history begins.
[[nodiscard]] std::vector<FieldSwitch> field_switches(const CourseConfig& course);

/// Adds to a slot that has the curve "response" two curves for each switch, from t_w on:
///
///     response(t_w)         M/h
///     relaxation_rate(t_w)  S(t, t_w) = d(M/h)/d ln(t - t_w), by straight lines over half to twice the time since t_w
void add_response_curves(const CourseConfig& course, const SizeSeries& series, SlotAnalysis& slot);

/// M/h and S against the time since each switch, as tables of text; empty without a switch.
[[nodiscard]] std::string response_text(const CourseConfig& course, const SizeSeries& series, const SlotAnalysis& slot);

/// The same as figures; without points where there is no switch.
[[nodiscard]] std::vector<Figure> response_figures(const CourseAnalysis& analysis);

}}  // namespace glassworks::analysis
