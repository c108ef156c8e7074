#pragma once

#include <filesystem>

namespace glassworks { inline namespace engine {

/// Further histories of some realizations of a campaign, in folders of its directory. Each is a campaign of its own.
enum class CampaignPart {
  second_histories,  ///< another start and other random numbers
  fivefold,          ///< of `validate`: the same histories to five times their length
  other_generator    ///< of `validate`: the same with another generator at the same addresses
};

[[nodiscard]] inline std::filesystem::path part_folder(const std::filesystem::path& campaign, CampaignPart part) {
  switch (part) {
    case CampaignPart::second_histories:
      return campaign / "second";
    case CampaignPart::fivefold:
      return campaign / "validation" / "fivefold";
    case CampaignPart::other_generator:
      break;
  }
  return campaign / "validation" / "generator";
}

}}  // namespace glassworks::engine
