#include "scheduler/histories/further_history.hpp"

namespace glassworks { inline namespace scheduler {

void FurtherHistory::begin(Config& config) const {
  config.campaign.directory = part_folder(config.campaign.directory, part);
  config.campaign.second_start = SecondStart::none;
  config.campaign.start = start;
  config.campaign.history = history;
  config.campaign.generator = generator;
}

Judgement FurtherHistory::end(const RealizationRow& first) const {
  const std::uint32_t rounds = times * first.rounds;
  return {first.judgement.tau, times > 1 ? rounds / 2 : first.judgement.equilibration_rounds, rounds};
}

FurtherHistory further_history(const Config& first, CampaignPart part, Start second) {
  FurtherHistory further{part, first.campaign.start, first.campaign.history, first.campaign.generator, 1};
  switch (part) {
    case CampaignPart::second_histories:
      further.start = second;
      further.history = first.campaign.history + 1;
      further.times = 0;
      break;
    case CampaignPart::fivefold:
      further.times = validation_multiple;
      break;
    case CampaignPart::other_generator:
      further.generator = Generator::threefry4x32;
      break;
  }
  return further;
}

}}  // namespace glassworks::scheduler
