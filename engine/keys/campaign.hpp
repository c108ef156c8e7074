#pragma once

#include <cstdint>
#include <filesystem>

namespace glassworks::inline engine {

struct CampaignConfig {
  std::uint64_t seed = 1;
  std::filesystem::path directory;
};

/// Rows of the keys campaign.*; see KeyRows.
template <class Rows>
void campaign_keys(const Rows& rows) {
  rows.value("campaign.seed", "0 to 2^64 - 1", &CampaignConfig::seed, "seed of every random number of the campaign");
  rows.value("campaign.directory", "path", &CampaignConfig::directory,
             "where the campaign is kept; NAME: the configuration file without its suffix")
      .with_default("campaigns/NAME")
      .of_run();
}

}  // namespace glassworks::inline engine
