#pragma once

#include <string>

#include "analysis/averages/analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Tidy rows with the heading L,T,observable,mean,error,realizations: every observable of make_estimators at every slot
/// of every size (acceptance: of the slots t, t+1 at T_t, none at the last). Shortest decimals that read back to the
/// same double; "nan" where there is no number.
///
/// Where realizations share random words (multi-spin coding), three more columns: error_over ("realizations" or
/// "groups of 128 realizations", what `error` is over), error_over_realizations, error_over_groups.
[[nodiscard]] std::string csv_text(const AnalysisResult& result);

/// A text as a field: in quotes where it needs them (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);

}}  // namespace glassworks::analysis
