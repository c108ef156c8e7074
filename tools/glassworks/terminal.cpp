#include "tools/glassworks/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace glassworks { inline namespace tools {

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

bool output_can_be_redrawn() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && !(kind != nullptr && std::string_view(kind) == "dumb");
}

bool output_has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  return output_can_be_redrawn() && (none == nullptr || *none == '\0');
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

std::vector<std::string> wrap(const std::string& line, int columns) {
  constexpr int fewest_columns = 20;
  const std::string indent(4, ' ');
  std::vector<std::string> lines;
  std::string rest = visible_line(line);
  while (columns >= fewest_columns) {
    std::string shown = fit(rest, columns);
    if (shown.size() == rest.size()) break;
    const std::size_t text = lines.empty() ? 0 : indent.size(), blank = rest.rfind(' ', shown.size());
    const std::size_t end = blank == std::string::npos || blank <= text ? shown.size() : blank;
    lines.push_back(rest.substr(0, end));
    rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
    rest.insert(0, indent);
  }
  lines.push_back(std::move(rest));
  return lines;
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

}}  // namespace glassworks::tools
