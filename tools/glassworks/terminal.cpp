#include "tools/glassworks/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace glassworks {

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

std::string fit(std::string line, int columns) {
  const auto width = static_cast<std::size_t>(columns);
  if (columns > 0 && line.size() >= width) line.resize(width - 1);
  return line;
}

}  // namespace glassworks
