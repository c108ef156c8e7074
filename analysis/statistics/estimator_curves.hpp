#pragma once

#include <vector>

#include "analysis/basics/columns.hpp"
#include "analysis/statistics/curve.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Curves of all derived observables of a campaign (make_estimators) from one set of resampled averages: tables, plots
/// and fits that use them have the same errors and covariances. An observable of pairs of slots (acceptance) has its
/// values at the lower temperature of each pair, and none at the highest temperature.
///
/// columns   of the campaign at this size; the ensemble's columns are found by name. An ensemble may have fewer (those
///           that were reweighted), also under the names of joint samples: "overlap_kmin" stands for overlap_k at each
///           k_min, "overlap_2" for overlap_k at k = 0, "chi_1_zero" and "chi_1_kmin" for chi_1, and so on. Observables
///           that need a column which is missing are left out.
[[nodiscard]] std::vector<Curve> make_curves(const Config& config, const Columns& columns, const Ensemble& ensemble,
                                             const ResampledAverages& averages);

/// nullptr if there is none of that name.
[[nodiscard]] const Curve* find_curve(const std::vector<Curve>& curves, const std::string& observable);

}}  // namespace glassworks::analysis
