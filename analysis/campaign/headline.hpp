#pragma once

#include <string>

#include "analysis/averages/analysis.hpp"

namespace glassworks { inline namespace analysis {

/// When a campaign ran and what it cost.
struct CampaignFacts {
  std::string begun, ended;  ///< "2026-11-20", UTC: creation and last change of the database; may be empty
  double updates = 0.0;      ///< spin updates in all committed rounds
  double seconds = 0.0;      ///< wall time in them, summed over the workers
};

/// Reads rows of realizations and times of rounds. Throws std::runtime_error with one sentence.
[[nodiscard]] CampaignFacts campaign_facts(const CampaignSet& campaigns);

/// What was simulated, in one line in the markup of labels: "Heisenberg model in 3D, L = 4, 6, 8, periodic; Gaussian
/// couplings, no field; 24 temperatures from 0.12 to 0.6; 2 copies; 64 realizations of each size; 2026-11-20 to
/// 2026-11-23; 3.2 × 10^{13} spin updates in 41 h 10 min of computing."
[[nodiscard]] std::string headline(const AnalysisResult& averages, const CampaignFacts& facts);

}}  // namespace glassworks::analysis
