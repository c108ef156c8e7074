#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "analysis/basics/campaign_set.hpp"
#include "analysis/export/export.hpp"
#include "analysis/export/staging.hpp"

namespace glassworks { inline namespace analysis {

/// Which realizations are exported; without a number all of them.
struct RealizationChoice {
  std::optional<int> L, realization;

  [[nodiscard]] bool takes(RealizationKey key) const {
    return (!L || *L == key.L) && (!realization || static_cast<std::int64_t>(*realization) == key.realization);
  }
};

/// Writes series/L008-r000012.csv for every realization with data: raw bins as a table that other programs read at
/// once, a row for each round and slot,
///
///     round,slot,T,measurements,acceptance,OBSERVABLE,...
///
/// acceptance: accepted part of the exchanges of slots t, t+1 in this round, nan at the last slot. With a course, a row
/// for each measurement time and slot: t,slot,T,OBSERVABLE,..., T in the step before t. Shortest decimals that read
/// back to the same number.
///
/// summary  of the same export: each realization has the rounds that it names; without sizes those that it has now
/// progress(L, done, total)  after each realization; may be empty, and may throw to give up
/// Throws std::runtime_error with one sentence where data are damaged.
void export_series(const CampaignSet& campaigns, const ExportSummary& summary, const RealizationChoice& choice,
                   Staging& staging, const std::function<void(int L, int done, int total)>& progress);

}}  // namespace glassworks::analysis
