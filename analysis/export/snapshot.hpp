#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/averages/verdict.hpp"
#include "analysis/basics/campaign_set.hpp"
#include "analysis/statistics/curve.hpp"
#include "analysis/statistics/group_correlation.hpp"
#include "analysis/statistics/history.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// A campaign at one moment. Rounds are only ever appended, so exactly the first `rounds` rounds of each row are that
/// moment's data, also if the campaign runs on while they are read.
struct CampaignSnapshot {
  struct Size {
    SizeRow size;
    std::vector<RealizationRow> rows;  ///< of all realizations, also without a round
  };
  std::string config_text;      ///< as CampaignSet::config_text
  std::string parameters_text;  ///< each key once; of several campaigns that of `config`
  Config config;
  std::vector<Size> sizes;
};

/// Rows and configuration as they are now.
///
/// L  if given, of this size only; throws InputError if the campaign does not have it
/// Throws std::runtime_error if no realization has a round.
[[nodiscard]] CampaignSnapshot take_snapshot(const CampaignSet& campaigns, std::optional<int> L = std::nullopt);

/// A realization with at least one round, and what was made of it.
struct ExportedRealization {
  RealizationRow row;
  RoundRange averaged;      ///< rounds of the averages
  std::string bins_digest;  ///< of its rounds: Database::bins_digest at the moment of the snapshot
};

/// One lattice size with its disorder averages.
struct ExportedSize {
  SizeRow size;
  RealizationCounts counts;
  std::vector<RealizationRow> unstarted;          ///< without a round
  std::vector<ExportedRealization> realizations;  ///< with one, ascending ids
  Ensemble averages;                              ///< of each of them over its equilibrated rounds
  GroupCorrelation groups;                        ///< of realizations that share random words
  std::vector<Curve> curves;                      ///< every observable: make_curves, errors as in `observables`
  std::vector<ObservableResult> observables;      ///< the same with both errors
};

/// Called for each realization with data, in order of its number, with its rounds in the snapshot.
using HistoryVisitor = std::function<void(const ExportedRealization&, std::span<const RoundRow>)>;

/// Reads one size, a few histories in memory at a time, and forms disorder averages with their jackknife samples.
///
/// progress(L, done, total)  after each realization; may be empty, and may throw to give up
/// Throws std::runtime_error with one sentence where data are damaged.
[[nodiscard]] ExportedSize read_size(const CampaignSet& campaigns, const Config& config,
                                     const CampaignSnapshot::Size& snapshot, const HistoryVisitor& visit,
                                     const std::function<void(int, int, int)>& progress);

}}  // namespace glassworks::analysis
