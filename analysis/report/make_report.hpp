#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "analysis/analysis.hpp"
#include "analysis/report/figure.hpp"
#include "analysis/statistics/resampling.hpp"

namespace glassworks {

struct ReportOptions {
  Resampling resampling;   ///< jackknife blocks or bootstrap sets behind every error
  int temperatures = 400;  ///< of the curves between the slots of the ladder (reweighting)
  Selection selection = Selection::all_with_data;
  /// Called from time to time with what is being done and how much of it, 0 to 1; may be empty.
  std::function<void(const std::string& what, double part)> progress;
};

/// Everything that is known of the campaign in a directory: verdict, figures, tables, provenance, configuration. Only
/// reads. Throws std::runtime_error with one sentence if there is no campaign or nothing in it can be used.
[[nodiscard]] Document make_report(const std::filesystem::path& directory, const ReportOptions& options = {});

}  // namespace glassworks
