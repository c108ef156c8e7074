#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glassworks::inline engine {

/// The whole of a text file that a person has given: a regular file of UTF-8 or a kin of ASCII, without control
/// characters but tabs and line ends. A byte order mark of UTF-8 at its start is skipped.
///
/// what     names the file in messages: "configuration file", "coupling file"
/// returns  at most `max_bytes` bytes
/// Throws InputError where it is missing, no regular file, unreadable, larger, UTF-16, or no text (with its line).
[[nodiscard]] std::string read_text_file(const std::filesystem::path& file, const std::string& what,
                                         std::uintmax_t max_bytes);

/// XXH3-128 of a text, 32 hexadecimal digits, most significant first.
[[nodiscard]] std::string text_digest(const std::string& text);

}  // namespace glassworks::inline engine
