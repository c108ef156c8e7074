#include <fmt/format.h>

#include "analysis/observables/families.hpp"
#include "engine/markdown.hpp"

namespace glassworks::inline analysis {
namespace {

std::string unit_of(const Observable& row) { return row.units == "1" ? "" : row.units; }

}  // namespace

std::string observables_page() {
  std::string text =
      "# Observables\n\n"
      "Printed by `glassworks describe observables`. Everything is per site unless it has a factor N.\n\n"
      "**Results** are in the CSV file of `analyze`, in exported files and, where they have a figure, in the report; "
      "their errors come\nfrom the spread over realizations. **Stored columns** are in the bins only (`export`).\n\n"
      "## Notation\n\n";
  for (const std::string& line : notation_lines()) text += "    " + line + "\n";
  for (const auto& [title, rows] : observable_families) {
    text += fmt::format("\n## {}\n\n| name | unit | equation | of which campaigns |\n|---|---|---|---|\n", title);
    for (const Observable& row : rows()) {
      const std::string where = row.estimator ? (row.where.empty() ? "all" : row.where) : "stored column";
      text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, unit_of(row), code_cell(row.equation), where);
    }
  }
  return text;
}

}  // namespace glassworks::inline analysis
