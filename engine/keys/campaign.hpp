#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glassworks::inline engine {

struct CampaignConfig {
  std::uint64_t seed = 1;
  std::filesystem::path directory;
  std::string note;
};

/// Rows of the keys campaign.*; see KeyRows.
template <class Rows>
void campaign_keys(const Rows& rows) {
  rows.value("campaign.seed", "0 to 2^64 - 1", &CampaignConfig::seed, "seed of every random number of the campaign");
  rows.value("campaign.directory", "path", &CampaignConfig::directory,
             "where the campaign is kept; NAME: the configuration file without its suffix")
      .with_default("campaigns/NAME")
      .of_run();
  rows.value("campaign.note", "text", &CampaignConfig::note,
             "what the campaign is for; kept with it and shown in its report")
      .with_default("none")
      .of_run()
      .only_of([](const auto& config) { return !config.note.empty(); });
}

}  // namespace glassworks::inline engine
