#pragma once

#include <string_view>

namespace glassworks { inline namespace base {

/// A text without blanks at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}}  // namespace glassworks::base
