#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Labels use Unicode for symbols and _{...}, ^{...} for indices: "ξ_{L}/L", "χ_{SG}(k_{min})", "L^{1/ν}". Indices may
/// stand inside indices, four deep. A brace without its partner, _ and ^ without a brace are ordinary characters.
namespace glassworks { inline namespace analysis {

/// For a page and for plotly.js: <sub> and <sup>, everything else escaped.
[[nodiscard]] std::string html_label(std::string_view label);

/// For gnuplot's enhanced text, in a single-quoted string: the quotes come with it. Single quotes in
/// the label become ’.
[[nodiscard]] std::string gnuplot_label(std::string_view label);

/// For a line of text: "ξ_L/L", "L^(1/ν)": parentheses only where an index has more than letters and digits.
[[nodiscard]] std::string plain_label(std::string_view label);

/// Number of characters of plain_label.
[[nodiscard]] std::size_t label_length(std::string_view label);

/// The label itself, or its first characters without markup and an ellipsis if it is longer than `longest`: for
/// legends.
[[nodiscard]] std::string short_label(std::string_view label, std::size_t longest);

}}  // namespace glassworks::analysis
