#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// The check of linear response at one time: the field switched on (zero-field-cooled) and off (remanent) against the
/// field that was always on, for the same realizations.
struct SuperpositionPoint {
  std::uint64_t t = 0;
  double sum = 0.0;                      ///< (M_ZFC + M_TRM)/h
  double field_cooled = 0;               ///< M_FC/h
  double difference = 0.0, error = 0.0;  ///< sum - field_cooled, with its error over the paired realizations
  int realizations = 0;                  ///< that have measured the time in all three
};

/// Of one size and slot.
struct Superposition {
  int L = 0;
  std::size_t slot = 0;
  double T = 0.0;
  std::uint64_t switched = 0;              ///< last common time at which no field has changed; 0: none
  std::vector<SuperpositionPoint> points;  ///< of the common times since then
  /// chi^2 of the differences at some of these times with their covariance (Hotelling's T^2), and the probability of a
  /// larger one by chance; NaN with fewer than four realizations.
  double chi_squared = std::numeric_limits<double>::quiet_NaN(), p = std::numeric_limits<double>::quiet_NaN();
  std::size_t times = 0;           ///< behind it
  bool holds = false;              ///< p is not below the level of the family of tests
  double largest = 0.0, at = 0.0;  ///< relative difference of the largest |difference|/error among these, and its time
  double relative_error = 0.0;     ///< median of error/|M_FC/h|
};

/// Compares three campaigns with courses: every size and slot that all have. Times at which nothing has changed yet are
/// left out; realizations are paired by their numbers.
///
/// Throws InputError where they do not fit: other model, seed, protocol or temperatures, a response that none has (no
/// constant field), fields that do not add up, f_ZFC(t) + f_TRM(t) = f_FC(t), or no common time after a switch.
[[nodiscard]] std::vector<Superposition> superpose(const CourseAnalysis& zero_field_cooled,
                                                   const CourseAnalysis& remanent, const CourseAnalysis& field_cooled);

/// One sentence: whether M_ZFC + M_TRM = M_FC within errors, and how small these are.
[[nodiscard]] std::string superposition_verdict(const Superposition& check);

/// Tables of the points and the verdicts.
[[nodiscard]] std::string superposition_text(const std::vector<Superposition>& checks);

/// Tidy rows with the heading L,slot,T,t,sum,field_cooled,difference,error,realizations.
[[nodiscard]] std::string superposition_csv(const std::vector<Superposition>& checks);

}}  // namespace glassworks::analysis
