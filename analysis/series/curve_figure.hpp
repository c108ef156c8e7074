#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/series/reference_series.hpp"
#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// The name of a curve in legends: the size, the temperature, or both, as the campaign has several of them.
[[nodiscard]] std::string curve_label(const CourseAnalysis& analysis, const SizeAnalysisInTime& size,
                                      const SlotAnalysis& slot);

/// Calls for all sizes and slots, in order.
void for_each_slot(const CourseAnalysis& analysis,
                   const std::function<void(const SizeAnalysisInTime&, const SlotAnalysis&)>& use);

/// A stored column or a derived quantity of all sizes and temperatures against time, on a logarithmic axis of time.
///
/// name     of the quantity
/// more     further quantities in the same figure, with the part that the legend adds: {"xi_c12_perpendicular", "⊥"}
[[nodiscard]] Figure figure_against_time(const CourseAnalysis& analysis, Figure frame, const std::string& name,
                                         const std::vector<std::pair<std::string, std::string>>& more = {});

/// Adds the references of a quantity that fit a size and temperature of the analysis.
void add_references(const CourseAnalysis& analysis, const std::vector<ReferenceSeries>& references,
                    const std::string& name, Figure& figure);

/// Appends a figure that has points, sharing nothing with others; else nothing.
void append_figure(Figure figure, std::vector<Item>& items);

}}  // namespace glassworks::analysis
