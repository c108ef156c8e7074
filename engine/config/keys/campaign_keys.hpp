#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/core/random.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

class StoredStarts;

/// How second histories of a part of the realizations begin; none: there are none.
enum class SecondStart { none, annealed, ordered };

struct CampaignConfig {
  std::uint64_t seed = 1;
  std::filesystem::path directory;
  std::string note;
  SecondStart second_start = SecondStart::none;
  double second_start_fraction = 0.125;
  Start start = Start::random;
  std::filesystem::path start_from;  ///< stored: a campaign, or a folder of files with spins
  std::string start_digest;          ///< of what its histories begin with, set by load_config: a campaign is tied to it
  std::shared_ptr<const StoredStarts> starts;  ///< where that lies, once it was looked up
  int history = 0;                             ///< number of the history of each realization; see size_key
  Generator generator = Generator::philox4x32;
};

constexpr auto enum_names(SecondStart) { return std::to_array<std::string_view>({"none", "annealed", "ordered"}); }
constexpr auto enum_names(Start) {
  return std::to_array<std::string_view>({"random", "ordered", "annealed", "stored"});
}
constexpr auto enum_names(Generator) { return std::to_array<std::string_view>({"philox4x32", "threefry4x32"}); }

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
      .only_of([](const auto& config) { return !config.campaign.note.empty(); });
  rows.choice("campaign.second_start", &CampaignConfig::second_start,
              "start of second histories of the same disorder with other random numbers, simulated in the folder "
              "second of the campaign when its first histories are finished and compared with them; annealed: cooled "
              "slowly from the top of the ladder; ordered: all spins parallel; none: no second histories")
      .of_run()
      .only_of([](const auto& config) { return config.campaign.second_start != SecondStart::none; });
  rows.number("campaign.second_start_fraction", {0, 1}, &CampaignConfig::second_start_fraction,
              "part of the realizations of each size that have a second history, at least 8 of them or all")
      .of_run()
      .only_of([](const auto& config) { return config.campaign.second_start != SecondStart::none; });
  rows.choice("campaign.start", &CampaignConfig::start,
              "what every history begins with; stored: the spins of campaign.start_from")
      .only_of([](const auto& config) { return config.campaign.start != Start::random; });
  rows.value("campaign.start_from", "path", &CampaignConfig::start_from,
             "of stored: a campaign, whose last checkpoints are taken, or a folder of files as `glassworks export "
             "--spins` writes, L008-r000012.txt for realization 12 of L = 8. Copies and slots are matched by number; "
             "temperatures may differ")
      .file_path()
      .only_of([](const auto& config) { return config.campaign.start == Start::stored; });
  rows.value("campaign.start_digest", "32 hexadecimal digits", &CampaignConfig::start_digest,
             "content of what the histories begin with")
      .file_content()
      .only_of([](const auto& config) { return config.campaign.start == Start::stored; });
  rows.number("campaign.history", {0, 1e6}, &CampaignConfig::history,
              "number of the history of every realization: another one has the same disorder and other random numbers")
      .only_of([](const auto& config) { return config.campaign.history != 0; });
  rows.choice("campaign.generator", &CampaignConfig::generator,
              "random number generator of the chains, at the same addresses; the disorder is always that of "
              "philox4x32; threefry4x32 needs backend.kind = reference")
      .only_of([](const auto& config) { return config.campaign.generator != Generator::philox4x32; });
}

}}  // namespace glassworks::engine
