#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

struct PublicationCheck {
  std::size_t files = 0;              ///< compared with their digests
  std::size_t realizations = 0;       ///< whose requested rounds were all simulated again and compared
  std::size_t rounds = 0;             ///< of these
  std::size_t chosen = 0;             ///< realizations that were to be
  std::vector<std::string> problems;  ///< sentences without a full stop
  std::vector<std::string> unlisted;  ///< files that the list of digests does not have
};

struct PublicationOptions {
  int recompute = 0;  ///< realizations to simulate again
  /// Neither the digests nor the simulation may take longer [s].
  double seconds_allowed = 600.0;
  std::function<void(const std::string& stage, std::size_t done, std::size_t total)> progress;  ///< may be empty
  std::function<void(const std::string& sentence)> note;  ///< told what is to be computed and how long; may be empty
};

/// Compares every file of a published folder with its digest, proves that what it says of its realizations is complete
/// (PublicationRecords), and simulates the first rounds of some again, spread evenly over all of them: from the
/// configuration, temperatures and coupling files in the folder, without the campaign. At most four rounds of each
/// (of courses as many as a quarter of the time allows), whose bins must have the digests in digests.csv; where these
/// are all its rounds, the state too. The folder is not trusted: see PublishedFolder. What it asks for is estimated
/// before it is computed, and refused beyond the time allowed; every request that was not compared is a problem.
///
/// Throws InputError where the folder is not a publication or cannot be read.
[[nodiscard]] PublicationCheck check_publication(const std::filesystem::path& folder, const PublicationOptions& options,
                                                 RoundControl& control);

}}  // namespace glassworks::tools
