#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analysis/statistics/ensemble.hpp"
#include "analysis/statistics/for_each_realization.hpp"
#include "analysis/statistics/history.hpp"
#include "analysis/statistics/history_tests.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

enum class Selection {
  all_with_data,  ///< every realization with at least one round
  converged_only  ///< leaves out hard realizations: biases the disorder average
};

/// A RealizationVisitor that gets the averages of the history as well.
using SummaryVisitor =
    std::function<Keep(const RealizationRow& row, std::span<const RoundRow> rounds, const RealizationSummary& summary)>;

struct ReadingOptions {
  Selection selection = Selection::all_with_data;
  int threads = 0;                            ///< as in PassOptions
  RoundSamples samples = RoundSamples::skip;  ///< of the rounds that `also` sees
  /// Progress callback, called after each realization; may be empty.
  std::function<void(int L, int done, int total)> progress;
  /// Makes a visitor for a size that sees the same histories in the same pass; may be empty.
  std::function<SummaryVisitor(const SizeRow& size)> also;
};

/// What is kept of one lattice size of a campaign.
struct SizeEnsemble {
  SizeRow size;
  std::vector<RealizationRow> rows;           ///< of all its realizations, when its pass began
  std::vector<RealizationSummary> summaries;  ///< of those that are used, ascending
  Ensemble ensemble;                          ///< their equilibrated averages at the slots; columns: column_names()
  std::vector<bool> converged;                ///< [realization of the ensemble]
  RunBlocking blocking;                       ///< of the summaries
  FailedTests tests = {};                     ///< of all that have data, used or not
};

struct CampaignEnsembles {
  Config config;
  Selection selection = Selection::all_with_data;
  std::vector<SizeEnsemble> sizes;
};

/// Reads whole campaigns in one pass over its rounds: averages over the equilibrated part of every history
/// (equilibrated_part). Memory: the averages, 8 B x slots x columns for each realization, twice, and a few histories.
/// Throws std::runtime_error with one sentence where no realization can be used or data are damaged.
[[nodiscard]] CampaignEnsembles read_ensembles(const CampaignSet& campaigns, const ReadingOptions& options = {});

/// Names of the stored observables and of the added columns ("energy_product", "attempts", "accepted", "walkers_up",
/// "walkers_down") in the order of Columns.
[[nodiscard]] std::vector<std::string> column_names(const Columns& columns);

/// The averages of summaries of one size side by side.
[[nodiscard]] Ensemble make_ensemble(int L, std::span<const double> temperatures, const Columns& columns,
                                     std::span<const RealizationSummary> summaries);

/// An ensemble of some of its realizations, `use[realization]`.
[[nodiscard]] Ensemble select(const Ensemble& ensemble, const std::vector<bool>& use);

}}  // namespace glassworks::analysis
