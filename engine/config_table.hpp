#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/config_value.hpp"

namespace glassworks {

/// What a key belongs to.
enum class KeyScope {
  campaign,      ///< fixed for the life of a campaign
  threshold,     ///< may be raised while a campaign goes on: it touches no chain
  run,           ///< may change from run to run
  file_path,     ///< where a file of the campaign lies; its content counts, not its place
  file_content,  ///< digest of such a file; written and read by the program only
};

/// A key tied to its member of Config: the one place that names it.
struct KeyBinding {
  ConfigKey key;
  KeyScope scope;
  std::function<void(Config&, const ConfigEntry&)> read;
  std::function<std::string(const Config&)> write;
  std::function<double(const Config&)> number;  ///< value of a threshold; empty for the other scopes
  /// Whether a campaign has this key, so that its canonical text holds it; empty: every campaign.
  std::function<bool(const Config&)> exists = {};
};

/// All keys in the order of the canonical text.
[[nodiscard]] const std::vector<KeyBinding>& key_bindings();

}  // namespace glassworks
