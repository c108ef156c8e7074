#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tune/tune_size.hpp"

namespace glassworks { inline namespace tools {

/// Keys that the recommendations for some sizes change, with their values. Keys of the protocol hold for all sizes of a
/// campaign: those of the largest size decide, which costs most. Slots are those of each size.
///
/// results  in ascending order of L
[[nodiscard]] std::map<std::string, std::string> recommended_keys(const Config& config,
                                                                  const std::vector<TuneResult>& results);

/// The text of a configuration file with other values: they stand at its top, and the lines that they replace become
/// comments. campaign.directory is left out, so that the file begins a campaign of its own.
///
/// comments  lines without "#" for its head
[[nodiscard]] std::string edited_configuration(std::string_view text, const std::map<std::string, std::string>& values,
                                               const std::vector<std::string>& comments);

}}  // namespace glassworks::tools
