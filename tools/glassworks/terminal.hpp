#pragma once

#include <string>

#include "tools/glassworks/output.hpp"

namespace glassworks::inline tools {

/// Columns and rows of the terminal behind the standard output; 0 where they are not known.
struct TerminalSize {
  int columns = 0, rows = 0;
};
[[nodiscard]] TerminalSize terminal_size();

/// The text as it may be shown, cut to one line of the terminal; 0 columns: not cut.
[[nodiscard]] std::string fit(const std::string& line, int columns);

/// Writes the text in the place of the line where the cursor is.
void rewrite_line(Channel channel, const std::string& line);
/// Leaves that line empty.
void clear_line(Channel channel);

/// Control sequence: clears from the cursor to the end of its line.
inline constexpr const char* clear_to_end_of_line = "\x1b[K";

}  // namespace glassworks::inline tools
