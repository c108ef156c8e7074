#pragma once

#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// Text that is safe to print on a terminal. Characters that would move the cursor, clear the screen, change colours or
/// reverse the writing direction are shown as escapes: \n, \r, \t, \x1b for control characters, \u009b for those beyond
/// ASCII, \xff for each byte that is not UTF-8. All other characters stay, of every script.
/// visible_text keeps newlines and tabs: for text that the program composed.
/// visible_line escapes them too: for a name or message from outside.
///
/// Files that programs read have escapes of their own.
[[nodiscard]] std::string visible_text(std::string_view text);
[[nodiscard]] std::string visible_line(std::string_view text);

/// The first character of a UTF-8 text: its length in bytes and its code point; 0 bytes if the text does not start with
/// a valid one.
struct Utf8Character {
  std::size_t bytes = 0;
  char32_t number = 0;
};
[[nodiscard]] Utf8Character utf8_character(std::string_view text);

}}  // namespace glassworks::base
