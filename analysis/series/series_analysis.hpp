#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/series/campaign_series.hpp"
#include "analysis/series/correlation_integrals.hpp"
#include "analysis/series/time_curve.hpp"

namespace glassworks { inline namespace analysis {

/// All curves of one size at one slot.
struct SlotAnalysis {
  std::size_t slot = 0;
  std::vector<std::vector<Estimate>> averages;  ///< of the columns [time][column]
  /// Derived quantities that the columns allow: xi_12, xi_23, xi_23/xi_12 (xi_ratio), xi_12_diagonal, xi_kmin;
  /// xi_12_cut (plain sums up to the first C_4 < plain_cut, without correction and tail);
  /// xi_c12_parallel, xi_c12_perpendicular, xi_c_kmin_parallel, xi_c_kmin_perpendicular; response; z, z_c_parallel,
  /// z_c_perpendicular, relaxation_rate; response(t_w) and relaxation_rate(t_w) of every t_w at which the field jumps.
  std::vector<TimeCurve> derived;
  std::vector<NoiseCut> cuts;  ///< of C_4 along the axes [time]; empty without it
  std::vector<double> tails;   ///< what lies beyond them, as a part of xi_12 [time]

  [[nodiscard]] const TimeCurve* find(const std::string& name) const;
};

struct SizeAnalysisInTime {
  const SizeSeries* series = nullptr;
  std::vector<SlotAnalysis> slots;
};

struct CourseAnalysis {
  CampaignSeries series;
  std::vector<SizeAnalysisInTime> sizes;  ///< refer to the series

  CourseAnalysis() = default;
  CourseAnalysis(CourseAnalysis&&) = default;  // a moved vector keeps its elements in place
  CourseAnalysis& operator=(CourseAnalysis&&) = default;
  CourseAnalysis(const CourseAnalysis&) = delete;
  CourseAnalysis& operator=(const CourseAnalysis&) = delete;
  ~CourseAnalysis() = default;
};

/// Whether a size has a derived quantity.
[[nodiscard]] bool has_curve(const CourseAnalysis& analysis, const std::string& name);

/// Averages, correlation lengths, exponents and responses of all sizes and slots.
///
/// xi from k_min is the second-moment length sqrt(C_4(0)/C_4(k_min) - 1)/(2 sin(pi/L)). z = d ln t/d ln xi by straight
/// lines over [t/2, 2t], of courses whose temperature and field stay as they are. The response is the magnetization
/// along the constant field of the model per field_strength, the relaxation rate S = dM/d ln t of it, t since the last
/// change of the field.
[[nodiscard]] CourseAnalysis analyze_course(CampaignSeries series);

}}  // namespace glassworks::analysis
