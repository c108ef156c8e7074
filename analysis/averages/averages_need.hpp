#pragma once

#include "analysis/basics/campaign_set.hpp"

namespace glassworks { inline namespace analysis {

/// Refuses to read the averages of campaigns at their slots where these take more memory than there is. Throws
/// InputError.
void require_memory_of_averages(const CampaignSet& campaigns);

}}  // namespace glassworks::analysis
