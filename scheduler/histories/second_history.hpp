#pragma once

#include <optional>

#include "db/database.hpp"
#include "engine/bins/campaign_parts.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/campaign.hpp"

namespace glassworks { inline namespace scheduler {

/// Realizations of a size that have a second history, the first ones: a part of all, but at least 8 or all.
[[nodiscard]] int second_histories(int realizations, double fraction);

/// Configuration of the second histories of a campaign as it is now (CampaignPart::second_histories): the same
/// disorder, temperatures and criteria, another start (campaign.second_start) and other random numbers (the next
/// campaign.history). They are a campaign of their own, so that leases, checkpoints and kills are those of any
/// campaign, and nothing of the first one changes. None where neither the campaign nor the run asks for them and there
/// are none yet. Those that have begun stay, with their start, and are never fewer than before.
///
/// first  of the campaign, as stored and with its directory
/// asked  of the run: its campaign.second_start and fraction
[[nodiscard]] std::optional<Config> second_history_config(const Config& first, const CampaignConfig& asked);

/// Ties the configuration of a part of a campaign to the files of this part, couplings and starts; leaves others alone.
/// Throws InputError if those of the campaign have changed since it began.
void open_files_of_part(const Config& first, Config& config);

/// Creates the campaign of a configuration whose realizations are those of `first`, numbered from 0, or opens it, with
/// the ladders of `first`, which are frozen.
[[nodiscard]] Campaign open_campaign_part(const Database& first, const Config& config);

}}  // namespace glassworks::scheduler
