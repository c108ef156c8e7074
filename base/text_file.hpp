#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/regular_file.hpp"

namespace glassworks { inline namespace base {

/// A file of the system, as /proc/cpuinfo; empty where it cannot be read.
[[nodiscard]] std::string system_text(const std::filesystem::path& file);

/// Contents of a text file that the user gave: a regular file in UTF-8 or another superset of ASCII, without control
/// characters except tabs and line ends. A UTF-8 byte order mark at its start is skipped.
///
/// what     names the file in messages: "configuration file", "coupling file"
/// links    refused: of a file that is not the person's own
/// returns  at most `max_bytes` bytes
/// Throws InputError where it is missing, no regular file, unreadable, larger, UTF-16, or no text (with its line).
[[nodiscard]] std::string read_text_file(const std::filesystem::path& file, const std::string& what,
                                         std::uintmax_t max_bytes, Links links = Links::followed);

/// XXH3-128 of a text, 32 hexadecimal digits, most significant first.
[[nodiscard]] std::string text_digest(const std::string& text);

}}  // namespace glassworks::base
