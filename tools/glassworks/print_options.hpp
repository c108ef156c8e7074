#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/print_figure.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Options of a verb that draws figures for print: format, sizes, font, ranges.
[[nodiscard]] std::vector<Option> print_option_rows();

/// Their values. Throws InputError with one sentence.
[[nodiscard]] PrintOptions print_options_of(const ParsedArguments& parsed);

/// "pdf": the end of the file's name.
[[nodiscard]] std::string suffix_of(PrintFormat format);

/// The format of a file whose name ends with ".pdf"; none if figures have no such format.
[[nodiscard]] std::optional<PrintFormat> format_of_suffix(std::string_view suffix);

}}  // namespace glassworks::tools
