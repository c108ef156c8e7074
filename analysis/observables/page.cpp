#include <fmt/format.h>

#include "analysis/observables/families.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string unit_of(const Observable& row) { return row.units == "1" ? "" : row.units; }

std::string text_of(const std::vector<Condition>& conditions) {
  std::string text;
  for (const Condition& condition : conditions) text += fmt::format("{}{}", text.empty() ? "" : "; ", condition.text);
  return text;
}

/// "two copies or more; no field", "all", "stored column; true where: Swendsen-Wang".
std::string where(const Observable& row) {
  std::string text = text_of(row.holds);
  if (!row.estimator) return text.empty() ? "stored column" : "stored column; true where: " + text;
  if (text.empty()) text = "all";
  return row.shown.empty() ? text : text + " (figure and column: " + text_of(row.shown) + ")";
}

}  // namespace

std::string observables_page() {
  std::string text =
      "# Observables\n\n"
      "Printed by `glassworks describe observables`. Everything is per site unless it has a factor N.\n\n"
      "**Results** are in the CSV file of `analyze`, in exported files and, where they have a figure, in the report; "
      "their errors come\nfrom the spread over realizations. **Stored columns** are in the bins only (`export`).\n\n"
      "The last column has the conditions that a campaign meets if the equation is true of it. A result that does not "
      "hold is left\nout everywhere, of campaigns of earlier versions too.\n\n"
      "## Notation\n\n";
  for (const std::string& line : notation_lines()) text += "    " + line + "\n";
  for (const auto& [title, rows] : observable_families) {
    text += fmt::format("\n## {}\n\n| name | unit | equation | of which campaigns |\n|---|---|---|---|\n", title);
    for (const Observable& row : rows()) {
      text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, unit_of(row), code_cell(row.equation),
                          markdown_cell(where(row)));
    }
  }
  return text;
}

}}  // namespace glassworks::analysis
