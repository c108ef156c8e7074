#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/report/print_figure.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Options of a verb that draws figures for print: format, sizes, font, ranges.
[[nodiscard]] std::vector<Option> print_option_rows();

/// Their values. Throws InputError with one sentence.
[[nodiscard]] PrintOptions print_options_of(const ParsedArguments& parsed);

/// Options of `plot` that choose and arrange: sizes, panels, inset.
[[nodiscard]] std::vector<Option> arrangement_option_rows();

/// What they say.
struct Arrangement {
  std::vector<int> sizes = {};           ///< empty: all
  std::optional<PanelGrid> panels = {};  ///< none: a file for each figure
  enum class Insets { where_given, none, of_range } insets = Insets::where_given;
  GivenRange inset = {};  ///< of_range: both ends
};
[[nodiscard]] Arrangement arrangement_of(const ParsedArguments& parsed);

/// The figures as arranged: series of the sizes wanted, with the insets wanted; figures of none of these sizes are left
/// out. Throws InputError for a size that no figure has, a range without a point, and more figures than panels.
[[nodiscard]] std::vector<Figure> arranged(std::vector<Figure> figures, const Arrangement& arrangement);

/// "pdf": the end of the file's name.
[[nodiscard]] std::string suffix_of(PrintFormat format);

/// The format of a file whose name ends with ".pdf"; none if figures have no such format.
[[nodiscard]] std::optional<PrintFormat> format_of_suffix(std::string_view suffix);

}}  // namespace glassworks::tools
