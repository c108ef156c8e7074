#pragma once

#include <cstdint>

#include "engine/bins/campaign_parts.hpp"
#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// How many times as long as the history of the campaign those of CampaignPart::fivefold are.
constexpr std::uint32_t validation_multiple = 5;

/// What the histories of a part of a campaign are: how they begin, whose random numbers they take, and where they end.
struct FurtherHistory {
  CampaignPart part = CampaignPart::second_histories;
  Start start = Start::random;
  int history = 0;  ///< campaign.history
  Generator generator = Generator::philox4x32;
  std::uint32_t times = 0;  ///< as long as the history of the campaign; 0: until it has converged by itself

  /// Gives a configuration of the campaign the folder, the start and the random numbers of these histories.
  void begin(Config& config) const;
  /// What the averages of a history leave out, and where it ends, from the one of the campaign. A longer history leaves
  /// out its first half, so that it shares nothing with that one but the end.
  [[nodiscard]] Judgement end(const RealizationRow& first) const;
};

/// second  start of second histories; others begin as those of the campaign do
[[nodiscard]] FurtherHistory further_history(const Config& first, CampaignPart part, Start second);

}}  // namespace glassworks::scheduler
