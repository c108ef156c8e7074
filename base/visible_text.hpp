#pragma once

#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// Text as people may see it on a terminal. What would move the cursor, clear the screen, change colours or turn the
/// direction of writing is shown instead of done: \n, \r, \t, \x1b for control characters, \u009b for those beyond
/// ASCII, \xff for each byte that is not UTF-8. Everything else stays, letters of all scripts included.
///
/// visible_text keeps line ends and tabulators: for a text that was composed.
/// visible_line shows them too: for a name or a message that came from outside.
///
/// Files that programs read have escapes of their own.
[[nodiscard]] std::string visible_text(std::string_view text);
[[nodiscard]] std::string visible_line(std::string_view text);

/// What text starts with, if that is one character in UTF-8: its bytes and its number; 0 bytes if it is none.
struct Utf8Character {
  std::size_t bytes = 0;
  char32_t number = 0;
};
[[nodiscard]] Utf8Character utf8_character(std::string_view text);

}}  // namespace glassworks::base
