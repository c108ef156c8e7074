#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "tools/tune/tune_size.hpp"

namespace glassworks { inline namespace tools {

/// What a report says beside the results.
struct TuneSetting {
  const Config& config;
  std::string operand;                 ///< configuration file as it was given
  std::vector<std::string> keys = {};  ///< given with it, "section.key=value"
  std::string backend = {};            ///< description of what simulated
  const char* seconds_of = "core";     ///< "GPU" or "core"
  double minutes = 0.0;                ///< 0: lengths were given
};

/// The table of one size, and its recommendation in words.
[[nodiscard]] std::string tune_text(const TuneSetting& setting, const TuneResult& result);

/// All of it as one JSON document, with version, commit, machine and date.
[[nodiscard]] std::string tune_json(const TuneSetting& setting, const std::vector<TuneResult>& results);

}}  // namespace glassworks::tools
