#pragma once

#include <string>
#include <vector>

#include "tools/glassworks/output.hpp"

namespace glassworks { inline namespace tools {

/// Columns and rows of the terminal behind the standard output; 0 where they are not known.
struct TerminalSize {
  int columns = 0, rows = 0;
};
[[nodiscard]] TerminalSize terminal_size();

/// Whether the standard output is a terminal on which lines can be rewritten: not one of TERM = dumb.
[[nodiscard]] bool output_can_be_redrawn();
/// Whether it shows colours, too: not if NO_COLOR is set (no-color.org).
[[nodiscard]] bool output_has_colours();

/// The text as it may be shown, cut to one line of the terminal; 0 columns: not cut.
[[nodiscard]] std::string fit(const std::string& line, int columns);

/// The text as it may be shown, in lines of the terminal: broken at blanks, or where a word is longer than a line, with
/// four blanks before what continues a line. 0 columns, or fewer than 20: one line.
[[nodiscard]] std::vector<std::string> wrap(const std::string& line, int columns);

/// Writes the text in the place of the line where the cursor is.
void rewrite_line(Channel channel, const std::string& line);
/// Leaves that line empty.
void clear_line(Channel channel);

/// Control sequence: clears from the cursor to the end of its line.
inline constexpr const char* clear_to_end_of_line = "\x1b[K";

}}  // namespace glassworks::tools
