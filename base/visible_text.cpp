#include "base/visible_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace glassworks { inline namespace base {
namespace {

/// Characters beyond ASCII that are not shown themselves but change what is: C1 controls, line separators, and those
/// that turn the direction of writing.
bool is_control_point(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

std::string shown_ascii(unsigned char c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\x{:02x}", c);
}

enum class LineEnds { kept, shown };

std::string visible(std::string_view text, LineEnds ends) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const Utf8Character c = utf8_character(text);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", first);
    } else if (first < 0x20 || first == 0x7f) {
      const bool kept = ends == LineEnds::kept && (first == '\n' || first == '\t');
      out += kept ? std::string(1, text.front()) : shown_ascii(first);
    } else if (c.bytes > 1 && is_control_point(c.number)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c.number));
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return out;
}

}  // namespace

Utf8Character utf8_character(std::string_view text) {
  if (text.empty()) return {};
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  char32_t number = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xc0U) != 0x80U) return {};
    number = number << 6U | (at(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && number < 0x800) || (bytes == 4 && number < 0x10000);
  if (overlong || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return {};
  return {bytes, number};
}

std::string visible_text(std::string_view text) { return visible(text, LineEnds::kept); }
std::string visible_line(std::string_view text) { return visible(text, LineEnds::shown); }

}}  // namespace glassworks::base
