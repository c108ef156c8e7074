#include "tools/glassworks/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <string_view>

namespace glassworks::inline tools {

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

std::string fit(const std::string& line, int columns) {
  std::string shown = visible_line(line);
  if (columns <= 0) return shown;
  const std::string_view text = shown;
  std::size_t bytes = 0;
  for (int column = 1; column < columns && bytes < text.size(); ++column) {
    bytes += utf8_character(text.substr(bytes)).bytes;
  }
  shown.resize(bytes);
  return shown;
}

void rewrite_line(Channel channel, const std::string& line) {
  control_terminal(channel, "\r");
  show(channel, fit(line, terminal_size().columns));
  control_terminal(channel, clear_to_end_of_line);
}

void clear_line(Channel channel) {
  control_terminal(channel, "\r");
  control_terminal(channel, clear_to_end_of_line);
}

}  // namespace glassworks::inline tools
