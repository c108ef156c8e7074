#pragma once

#include <string>
#include <vector>

#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Which quantities a table holds.
struct SeriesSelection {
  std::vector<std::string> names;  ///< columns and derived quantities; empty: all
};

/// Names between commas; those inside parentheses, as in "c22_axis(10,2)", separate nothing.
[[nodiscard]] SeriesSelection parse_selection(const std::string& text);

/// Throws InputError where the analysis has no quantity of a name.
void require_quantities(const SeriesSelection& selection, const CourseAnalysis& analysis);

/// Names of the columns of a size, then of its derived quantities.
[[nodiscard]] std::vector<std::string> quantity_names(const SizeAnalysisInTime& size);

/// Whether a quantity is a function of r, of which a size has many: "c4_axis(3)".
[[nodiscard]] bool is_of_distance(const std::string& name);

/// The time t_w that a quantity refers to, before which it has no meaning; 0 for others.
[[nodiscard]] std::uint64_t start_of(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name);

/// A column or a derived quantity of a slot; its name must be one of quantity_names.
[[nodiscard]] TimeCurve curve_of(const SizeSeries& series, const SlotAnalysis& slot, const std::string& name);

/// What each realization adds to a quantity [realization][time], NaN at times that it has not measured: of a column its
/// value; of a derived quantity f its pseudovalue n f - (n - 1) f_i, f_i without realization i of n. In both cases
/// time_covariance is their covariance over the realizations, divided by n.
[[nodiscard]] std::vector<std::vector<double>> realization_rows(const SizeSeries& series, const SlotAnalysis& slot,
                                                                const std::string& name);

/// Tidy rows with the heading L,slot,T,t,observable,mean,error,realizations: every quantity at every time. T:
/// temperature in the step before t. Times before t_w are left out of what refers to t_w. Numbers as in csv_text.
[[nodiscard]] std::string series_csv(const CourseAnalysis& analysis, const SeriesSelection& selection = {});

/// Covariances between times (time_covariance), with the heading L,slot,T,observable,t,t_other,covariance; T of the
/// slot. Without a selection functions of r are left out.
[[nodiscard]] std::string covariance_csv(const CourseAnalysis& analysis, const SeriesSelection& selection = {});

/// realization_rows at the times that each has measured, with the heading L,slot,T,t,observable,realization,value.
/// Without a selection functions of r are left out.
[[nodiscard]] std::string realizations_csv(const CourseAnalysis& analysis, const SeriesSelection& selection = {});

}}  // namespace glassworks::analysis
