#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/glassworks/campaign_view.hpp"
#include "tools/glassworks/live_figures.hpp"

namespace glassworks { inline namespace tools {

/// One look at a campaign.
struct LiveLook {
  std::string directory;
  CampaignState state;
  std::vector<RealizationRow> hardest;
  double rate = 0.0;         ///< [spin updates/ns]; 0: not known
  std::int64_t time_ms = 0;  ///< since 1970, UTC
};

/// Whether the page is written again.
enum class LiveCourse {
  goes_on,
  ended,   ///< the campaign is finished, or only one look was wanted
  stopped  ///< by a signal or an error
};

/// The page of `glassworks watch --html`: one self-contained file without figures in scripts, small enough to be read
/// over ssh again and again. While it goes on, it loads itself anew every `interval` seconds and says when it is old.
[[nodiscard]] std::string live_page(const LiveLook& look, const LiveHistory& history, LiveCourse course,
                                    double interval);

}}  // namespace glassworks::tools
