#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// L >= this times xi_12, or the number carries a warning.
inline constexpr double lengths_of_lattice = 7.0;
/// Errors over fewer realizations than this are rough.
inline constexpr int fewest_for_errors = 4;

/// The first time with L < 7 xi_12; none if there is none.
[[nodiscard]] std::optional<std::size_t> first_too_long(const SizeSeries& series, const SlotAnalysis& slot);

/// What can be trusted of a size, one clause a line: how far its realizations are, how many are behind the errors, at
/// which temperatures and from which time on the lattice is too small for xi_12, and where noise ends C_4.
[[nodiscard]] std::vector<std::string> series_verdict(const SizeAnalysisInTime& size);

/// The verdicts on all sizes, each line a sentence that begins with "L = 64: ", and a warning where realizations share
/// random words, which errors over realizations do not see.
[[nodiscard]] std::vector<std::string> course_verdict(const CourseAnalysis& analysis);

/// "T = 0.7", or of a course "T = 2 to 0.5" where it changes at this slot, with as many digits as tell slots apart.
[[nodiscard]] std::string temperature_words(const SizeSeries& series, std::size_t slot);

}}  // namespace glassworks::analysis
