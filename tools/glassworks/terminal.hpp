#pragma once

#include <string>

namespace glassworks {

/// Columns and rows of the terminal behind the standard output; 0 where they are not known.
struct TerminalSize {
  int columns = 0, rows = 0;
};
[[nodiscard]] TerminalSize terminal_size();

/// The text, cut to one line of the terminal.
[[nodiscard]] std::string fit(std::string line, int columns);

/// Control sequence: clears from the cursor to the end of its line.
inline constexpr const char* clear_to_end_of_line = "\x1b[K";

}  // namespace glassworks
