#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace engine {

/// What a key belongs to.
enum class KeyScope {
  campaign,      ///< fixed for the life of a campaign
  threshold,     ///< may be raised while a campaign goes on: it touches no chain
  sizes,         ///< may be extended while a campaign goes on: a size touches no other
  run,           ///< may change from run to run
  file_path,     ///< where a file of the campaign lies; its content counts, not its place
  file_content,  ///< digest of such a file; written and read by the program only
};

/// The numbers that a key may have, both ends included.
struct KeyRange {
  double low, high;
  /// Which of the campaigns that have the key use it, so that its value counts; empty: all.
  bool (*used)(const Config&) = nullptr;

  /// "1 to 4"
  [[nodiscard]] std::string text() const;
};

/// A list with an entry for each size: one entry holds for all, none means auto.
struct SizeList {
  std::function<const std::vector<int>&(const Config&)> get;
  std::function<std::vector<int>&(Config&)> edit;

  explicit operator bool() const { return static_cast<bool>(get); }
};

/// A key tied to its member of Config: the one place that names it.
struct KeyBinding {
  ConfigKey key;
  KeyScope scope;
  std::function<void(Config&, const ConfigEntry&)> read;
  std::function<std::string(const Config&)> write;
  std::function<std::vector<double>(const Config&)> numbers = {};  ///< value as numbers; empty: it is none
  std::optional<KeyRange> range = {};                              ///< of each number; none: has its own check
  /// Whether a campaign has this key, so that its canonical text holds it; empty: every campaign.
  bool (*exists)(const Config&) = nullptr;
  bool (*required)(const Config&) = nullptr;  ///< whether it must be given; empty: it has a default
  SizeList per_size = {};                     ///< of a key that may have an entry for each size; else empty
};

/// All keys in the order of the canonical text.
[[nodiscard]] const std::vector<KeyBinding>& key_bindings();

}}  // namespace glassworks::engine
