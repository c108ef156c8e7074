#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.hpp"

/// Where the values of keys come from, before they are read: the text of a configuration and what overrides it. Both
/// are parsed and united by Boost.Program_options, which gets the keys from their table (config_table.hpp).
namespace glassworks { inline namespace engine {

/// The place of entries that override those of a text.
inline constexpr const char* command_line = "command line";

/// Whether keys that the program alone writes are known.
enum class TextOrigin { person, database };

/// Entries of a configuration: `section.key = value` lines, sections as prefixes of the keys below them, comments from
/// '#' on. Each with its line. Throws InputError for other lines, unknown keys and keys that stand twice.
///
/// source  what messages call the text
[[nodiscard]] std::vector<ConfigEntry> text_entries(std::string_view text, const std::string& source,
                                                    TextOrigin origin);

/// Entries of texts `section.key=value`, in their order. Throws InputError for others and for unknown keys.
[[nodiscard]] std::vector<ConfigEntry> override_entries(const std::vector<std::string>& overrides);

/// One entry of each key: the last of the overrides, or else that of the text.
[[nodiscard]] std::map<std::string, ConfigEntry> united_entries(const std::vector<ConfigEntry>& overrides,
                                                                const std::vector<ConfigEntry>& text);

/// Throws InputError for a name that is no key, with one that may be meant.
void require_key(const std::string& name, const std::string& where, TextOrigin origin);

}}  // namespace glassworks::engine
