#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// A text without blanks at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The candidate closest to a mistyped word; empty if none is close. A candidate is close if at most one letter, or at
/// most a third of the letters, differ (left out, added, changed or swapped with its neighbour; case is ignored), if it
/// begins with the whole word (three or more letters), or, among names with sections ("model.L"), if the section is
/// missing, doubled or wrong.
[[nodiscard]] std::string_view near_name(std::string_view word, std::span<const std::string_view> candidates);

/// "Did you mean PREFIXNAME?" with the near name, or `otherwise` if none is near.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                                     std::string_view otherwise, std::string_view prefix = "");

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string enumeration(std::span<const std::string> names);

/// Text that is safe to print on a terminal. Characters that would move the cursor, clear the screen, change colours or
/// reverse the writing direction are shown as escapes: \n, \r, \t, \x1b for control characters, \u009b for those beyond
/// ASCII, \xff for each byte that is not UTF-8. All other characters stay, of every script.
/// visible_text keeps newlines and tabs: for text that the program composed.
/// visible_line escapes them too: for a name or message from outside.
///
/// Files that programs read have escapes of their own.
[[nodiscard]] std::string visible_text(std::string_view text);
[[nodiscard]] std::string visible_line(std::string_view text);

/// A piece of a file for a message: in quotes, at most 40 characters, without control characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The first character of a UTF-8 text: its length in bytes and its code point; 0 bytes if the text does not start with
/// a valid one.
struct Utf8Character {
  std::size_t bytes = 0;
  char32_t number = 0;
};
[[nodiscard]] Utf8Character utf8_character(std::string_view text);

/// A number >= 0 for people with three significant digits and no exponent: "8600", "2.00", "0.00412".
[[nodiscard]] std::string three_digits(double x);

/// Shortest decimals that read back to the same double: "nan", "inf", "-inf" where there is no number.
[[nodiscard]] std::string shortest(double x);

/// A time in s for people: "12 s", "3 min 20 s", "5 h 10 min", "2 d 4 h".
[[nodiscard]] std::string duration_text(double seconds);

/// Prefix of a remaining time: "about" for an estimate, "at least" for a lower bound.
[[nodiscard]] constexpr const char* estimate_word(bool is_least) { return is_least ? "at least" : "about"; }

/// A text as a cell of a table in Markdown, where `|` ends a cell.
[[nodiscard]] inline std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

/// The same as inline code (backquotes), in which no other character is special.
[[nodiscard]] inline std::string code_cell(const std::string& text) { return "`" + markdown_cell(text) + "`"; }

}}  // namespace glassworks::base
