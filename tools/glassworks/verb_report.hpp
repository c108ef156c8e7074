#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// `glassworks report DIR`: writes the page.
int write_report(const Arguments& arguments);
/// `glassworks plot DIR`: draws figures for print.
int plot_figures(const Arguments& arguments);

[[nodiscard]] const VerbSyntax& report_syntax();
[[nodiscard]] const VerbSyntax& plot_syntax();

/// The figures with these ids ("a,b"), in that order; all of them if there are no names. Throws InputError for a name
/// that the document does not have.
[[nodiscard]] std::vector<Figure> select_figures(const Document& document, const std::string& names);

}}  // namespace glassworks::tools
