#include "analysis/report/safe_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the UTF-8 sequence at the start of the text, 0 if it is none (overlong, surrogate, beyond U+10FFFF, cut).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

/// C0 without tab and newline, DEL, C1 (in UTF-8: C2 80 to C2 9F).
bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return (first < 0x20 && first != '\t' && first != '\n') || first == 0x7F;
  return sequence.size() == 2 && first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    clean += length == 0 || is_control(sequence) ? replacement : sequence;
    text.remove_prefix(sequence.size());
  }
  return clean;
}

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : clean_text(text)) {
    switch (c) {  // numbers for the quotes: plotly.js does not know their names
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&#34;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string csv_cell(std::string_view text) {
  std::string cell = clean_text(text);
  for (char& c : cell) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  for (std::size_t i = cell.find('"'); i != std::string::npos; i = cell.find('"', i + 2)) cell.insert(i, 1, '"');
  return '"' + cell + '"';
}

}}  // namespace glassworks::analysis
