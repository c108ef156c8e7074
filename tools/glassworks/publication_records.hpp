#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/published_folder.hpp"

namespace glassworks { inline namespace tools {

/// Rounds of a realization that digests.csv lets compare without the campaign.
struct FirstRounds {
  std::uint32_t rounds = 0;  ///< with this digest
  std::string bins, state;   ///< of the state: empty unless these are all rounds
};
inline constexpr std::uint32_t most_first_rounds = 4;  ///< that are simulated again, but of courses

/// The configuration of a realization, and the place of its size there.
struct PublishedOrigin {
  std::size_t configuration = 0, size = 0;
};

/// What a published folder says of its campaigns; complete: every realization that its configurations have stands in
/// realizations.csv, and every one with N rounds has rows in digests.csv for 1, 2, 4, 8, ... and N rounds, of which the
/// last agrees with realizations.csv.
struct PublicationRecords {
  std::vector<Config> configurations;  ///< with their files in the folder
  std::vector<std::string> names;      ///< of them: configuration/NAME.cfg
  std::map<int, std::vector<double>> temperatures;
  /// Of realizations with rounds, ascending: 1, 2, 4, ... and all rounds.
  std::map<RealizationKey, std::vector<FirstRounds>> first_rounds;
  std::uint64_t realizations = 0, rounds = 0;  ///< of all campaigns

  /// Throws std::runtime_error where no configuration has it.
  [[nodiscard]] PublishedOrigin origin_of(RealizationKey key) const;
};

/// Throws std::runtime_error, one clause, for the first thing that is missing or does not fit the rest.
[[nodiscard]] PublicationRecords read_records(const PublishedFolder& folder);

/// Digests by name from the list of the folder. Lines that are none, names that lead out, what every publication has
/// and the list does not name, and a list that is not its own go to `problems`.
[[nodiscard]] std::map<std::string, std::string> read_digest_list(const PublishedFolder& folder,
                                                                  std::vector<std::string>& problems);

}}  // namespace glassworks::tools
