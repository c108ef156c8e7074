#pragma once

#include "analysis/campaign/offline_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// About how much memory analyze_offline takes beside the histories that it reads [B]: averages of every realization
/// and resampled curves, at the slots and on the grid.
[[nodiscard]] double memory_need(const CampaignSet& campaigns, const OfflineOptions& options);

/// Throws InputError where that is more than half of `physical_bytes`.
void check_memory(const CampaignSet& campaigns, const OfflineOptions& options, double physical_bytes);
void check_memory(const CampaignSet& campaigns, const OfflineOptions& options);

}}  // namespace glassworks::analysis
