#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glassworks {

/// The whole of a text file that a person has given.
///
/// what     names the file in messages: "configuration file", "coupling file"
/// returns  its bytes, at most `max_bytes`
/// Throws InputError where it is missing, a directory, unreadable or larger.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& file, const std::string& what,
                                         std::uintmax_t max_bytes);

/// XXH3-128 of a text, 32 hexadecimal digits, most significant first.
[[nodiscard]] std::string text_digest(const std::string& text);

}  // namespace glassworks
