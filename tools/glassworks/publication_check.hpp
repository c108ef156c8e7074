#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/backend.hpp"

namespace glassworks::inline tools {

struct PublicationCheck {
  std::size_t files = 0;              ///< compared with their digests
  std::size_t realizations = 0;       ///< of which rounds were simulated again
  std::size_t rounds = 0;             ///< simulated again
  std::vector<std::string> problems;  ///< sentences without a full stop
  std::vector<std::string> unlisted;  ///< files that the list of digests does not have
};

/// Compares every file of a published folder with its digest, and simulates the first rounds of `recompute`
/// realizations again, spread evenly over all of them: from the configuration, temperatures and coupling files in the
/// folder, without the campaign. At most four rounds of each, whose bins must have the digests in digests.csv; where
/// these are all its rounds, the state too.
///
/// backend  nullptr: one is chosen
/// progress(stage, done, total)  may be empty
/// Throws InputError where the folder is not a publication.
[[nodiscard]] PublicationCheck check_publication(
    const std::filesystem::path& folder, int recompute, RoundControl& control, Backend* backend = nullptr,
    const std::function<void(const std::string&, std::size_t, std::size_t)>& progress = {});

}  // namespace glassworks::inline tools
