#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/averages/verdict.hpp"
#include "analysis/statistics/campaign_ensemble.hpp"
#include "analysis/statistics/group_correlation.hpp"
#include "analysis/statistics/history.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

using AnalysisOptions = ReadingOptions;

/// Everything that is known of one lattice size.
struct SizeResult {
  int L = 0;
  std::vector<double> temperatures;  ///< ascending
  RealizationCounts counts;
  Unmet unmet;                                       ///< of the realizations used
  std::vector<RealizationRow> unconverged;           ///< with at least one round
  std::uint32_t fewest_rounds = 0, most_rounds = 0;  ///< of the realizations used
  /// Histories of the realizations used in units of their own tau; 0: no tau is known.
  double shortest_history = 0.0, median_history = 0.0;
  Estimate round_trips;  ///< of all replicas of a realization in all its rounds
  std::uint64_t fewest_round_trips = 0;
  GroupCorrelation groups;                    ///< of realizations that share random words
  std::vector<ObservableResult> observables;  ///< empty if no realization is used
  std::string order_parameter = "|q|^2";      ///< second quantity of the logarithmic bins
  std::vector<LogBinStep> log_bins;
  std::vector<RunComparison> runs;  ///< where realizations are independent runs of one system
  FailedTests tests;                ///< of all realizations with data
  std::vector<CopyScatter> copies;  ///< of the realizations used
  Verdict verdict;

  /// nullptr if the campaign does not have it.
  [[nodiscard]] const ObservableResult* find(const std::string& name) const;
};

struct AnalysisResult {
  Config config;
  Selection selection = Selection::all_with_data;
  std::vector<SizeResult> sizes;
  std::vector<std::string> chosen = {};  ///< observables that the tables show, in this order; empty: the usual ones
};

/// Every observable of make_estimators with its jackknife errors: over groups of realizations where these are
/// correlated, otherwise over realizations.
[[nodiscard]] std::vector<ObservableResult> estimate_observables(const Config& config, const Columns& columns,
                                                                 const Ensemble& ensemble,
                                                                 const GroupCorrelation& groups);

/// Reduces a campaign to disorder averages with jackknife errors over realizations at every slot of every size (over
/// groups of realizations where group_correlation finds these correlated). Reads
/// each history once and keeps its averages only. Averages leave out the equilibration rounds of each realization
/// (equilibrated_part). Throws std::runtime_error with one sentence if no realization can be used or data are damaged.
[[nodiscard]] AnalysisResult analyze(const CampaignSet& campaigns, const AnalysisOptions& options = {});
/// The same of a campaign that has been read.
[[nodiscard]] AnalysisResult analyze(const CampaignEnsembles& campaign);

/// Counts states and lists what has data but has not converged. `used` is left at 0.
void count_states(std::span<const RealizationRow> rows, int max_rounds, SizeResult& result);

/// Fills everything but counts of states from the summaries of the realizations used; result.L, temperatures and
/// counts must be set, and tests where there are any.
///
/// blocking  of the summaries
void reduce_size(const Config& config, const Columns& columns, std::span<const RealizationSummary> realizations,
                 SizeResult& result, const RunBlocking& blocking = {});

}}  // namespace glassworks::analysis
