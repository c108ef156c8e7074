#pragma once

#include <string>

namespace glassworks { inline namespace base {

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
