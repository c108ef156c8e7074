#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/averages/analysis.hpp"
#include "analysis/diagnostics/diagnostics.hpp"
#include "analysis/field/field_section.hpp"
#include "analysis/histories/history_sections.hpp"
#include "analysis/reweighting/reweighted_ensemble.hpp"
#include "analysis/scaling/analyze_scaling.hpp"
#include "analysis/statistics/autocorrelation_report.hpp"
#include "analysis/statistics/convergence_effect.hpp"
#include "analysis/statistics/curve.hpp"

namespace glassworks { inline namespace analysis {

struct OfflineOptions {
  Selection selection = Selection::all_with_data;
  Resampling resampling;
  DistributionOptions distributions = {};
  int grid = 400;   ///< temperatures of the curves between the slots; 0: no such curves
  int threads = 0;  ///< 0: one for each processor, at most 8
  /// Progress callback: the stage, and how much of it is done; total = 0 if unknown. May be empty.
  std::function<void(const std::string& stage, int done, int total)> progress;
};

/// How the curves between the slots were made.
enum class Continuation {
  reweighted,    ///< multi-histogram reweighting of the samples of every realization
  interpolated,  ///< between the averages at the slots: the rounds keep no samples
  none           ///< one temperature, or grid = 0
};

/// One lattice size. All curves of one kind (at_slots, between) share their resampled sets.
struct SizeAnalysis {
  int L = 0;
  GroupCorrelation groups;  ///< of realizations that share random words
  std::vector<Curve> at_slots;
  std::vector<Curve> controlled;  ///< at the slots with control variates of the disorder; empty if none are applied
  std::string control;            ///< what was done about control variates, a sentence
  std::vector<Curve> between;     ///< on the grid
  Continuation continuation = Continuation::none;
  std::string continuation_remark;  ///< why curves are interpolated, or not there; may be empty
  std::optional<ReweightingSummary> reweighting;
  ConvergenceEffects convergence;
  std::vector<ObservableTau> autocorrelation;
};

/// Everything that the report shows.
struct OfflineAnalysis {
  AnalysisResult averages;
  std::vector<SizeAnalysis> sizes;           ///< those with data
  std::vector<SizeDiagnostics> diagnostics;  ///< of the same sizes
  ScalingResult scaling;
  std::vector<PartComparison> further;  ///< second histories and validations, where the campaigns have them
  /// Campaigns in a field with four copies: of the same sizes, and every pair of them compared; otherwise empty.
  std::vector<FieldCurves> field;
  std::vector<SizeComparison> field_comparisons;
};

/// Reads the campaign once and analyzes it: averages, errors over realizations (over groups of them where
/// group_correlation finds these correlated, in everything that is resampled), curves at every temperature of the
/// ladder, finite-size scaling, diagnostics. Reads only; the campaign may run meanwhile.
///
/// Throws std::runtime_error with one sentence if no realization can be used or data are damaged.
[[nodiscard]] OfflineAnalysis analyze_offline(const CampaignSet& campaigns, const OfflineOptions& options = {});

}}  // namespace glassworks::analysis
