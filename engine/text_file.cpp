#include "engine/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>

#include "engine/config.hpp"
#include "engine/digest.hpp"

namespace glassworks {

std::string read_text_file(const std::filesystem::path& file, const std::string& what, std::uintmax_t max_bytes) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw InputError(
        fmt::format("Cannot read the {} '{}' (it is a directory). Give the path of a text file.", what, file.string()));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(fmt::format("Cannot read the {} '{}' ({}). Check the path and its permissions.", what,
                                 file.string(), std::strerror(errno)));
  }
  std::string text;
  char buffer[1U << 16];
  while (stream.read(buffer, sizeof buffer), stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_bytes) {
      throw InputError(fmt::format("The {} '{}' is too large (more than {} bytes). Check that it is the right file.",
                                   what, file.string(), max_bytes));
    }
  }
  if (stream.bad()) {
    throw InputError(fmt::format("Cannot read the {} '{}' ({}). Check the disk that holds it.", what, file.string(),
                                 std::strerror(errno)));
  }
  return text;
}

std::string text_digest(const std::string& text) { return Digest().bytes(std::as_bytes(std::span(text))).hex(); }

}  // namespace glassworks
