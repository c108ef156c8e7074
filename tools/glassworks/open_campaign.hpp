#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/basics/campaign_set.hpp"
#include "db/database.hpp"

namespace glassworks { inline namespace tools {

/// Opens the campaign of a directory for reading. Throws InputError if there is none, or if another machine works on
/// it: what it has written last lies in shared memory there.
[[nodiscard]] Database open_campaign(const std::filesystem::path& directory);

/// Campaigns that are open for reading and analysed as one.
class OpenCampaigns {
 public:
  /// Throws InputError as open_campaign does, and where they do not fit together.
  explicit OpenCampaigns(const std::vector<std::string>& directories);

  [[nodiscard]] const CampaignSet& set() const { return set_; }

 private:
  std::vector<std::unique_ptr<Database>> databases_;
  CampaignSet set_;
};

/// Age and origin of the published copy of a campaign that another machine works on.
struct PublishedCopy {
  double age_seconds = 0.0;
  std::string host;

  /// "As of 4 s ago, on node n1, where it runs."
  [[nodiscard]] std::string text() const;
};

/// A campaign as `status` and `watch` read it.
struct ViewedCampaign {
  Database database;
  std::optional<PublishedCopy> copy;  ///< if it is the copy that another machine publishes
};

/// Opens the campaign, or its published copy while another machine works on it. Throws InputError if there is neither.
[[nodiscard]] ViewedCampaign open_for_viewing(const std::filesystem::path& directory);

}}  // namespace glassworks::tools
