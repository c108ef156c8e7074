#pragma once

#include <string>
#include <string_view>

/// Text of any origin, made safe for a place. Bytes that are not UTF-8 and control characters become U+FFFD (blanks for
/// tabs and ends of lines, which html_text keeps).
namespace glassworks { inline namespace analysis {

/// Well-formed UTF-8 without control characters except tab and newline.
[[nodiscard]] std::string clean_text(std::string_view text);

/// Between tags and in quoted attributes.
[[nodiscard]] std::string html_text(std::string_view text);

/// A cell of a CSV file after RFC 4180: quoted if it has to be.
[[nodiscard]] std::string csv_cell(std::string_view text);

}}  // namespace glassworks::analysis
