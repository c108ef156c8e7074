#pragma once

#include <string>

#include "analysis/campaign/offline_analysis.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Answers that need more than the campaign itself, one sentence each.
struct RefereeFacts {
  std::string stopping_bias = "Not shown: it takes longer histories of the same realizations, paired with these.";
  std::string starts = "Not shown: it takes a second history of the same realizations from another start.";
  std::string copies =
      "When a realization stops, the energies of its copies have been compared. Distributions P_{J}(q) of single "
      "realizations have not.";
  std::string generator = "All numbers come from Philox4x32-10. Nothing was repeated with another generator.";
};

/// The questions that a referee asks of equilibration and scaling, with what this campaign shows for each, or that it
/// shows nothing.
[[nodiscard]] Section referee_section(const OfflineAnalysis& analysis, const RefereeFacts& facts = {});

}}  // namespace glassworks::analysis
