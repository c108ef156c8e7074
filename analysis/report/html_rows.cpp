#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/report/html_parts.hpp"
#include "analysis/report/label.hpp"

namespace glassworks { inline namespace analysis {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_nothing(const std::string& cell) {
  return cell.empty() || cell == "-" || cell == "nan" || cell == "none" || cell == "–" || cell == "—";
}

/// With their errors and units: "0.4504(75)", "-3.1", "98 %".
bool is_number(std::string_view cell) {
  const std::size_t first = cell.starts_with('-') || cell.starts_with('+') ? 1 : cell.starts_with("−") ? 3 : 0;
  return first < cell.size() && is_digit(cell[first]) &&
         std::count_if(cell.begin(), cell.end(), [](unsigned char c) { return std::isalpha(c) != 0; }) < 2;
}

/// "-1.500(30)e-09" in the markup of labels: "−1.500(30) · 10^{−9}".
std::string typeset(std::string number) {
  if (const std::size_t e = number.find('e'); e != std::string::npos && e + 2 < number.size()) {
    std::size_t digits = e + 1;
    if (number[digits] == '+' || number[digits] == '-') ++digits;
    const bool negative = number[e + 1] == '-';
    while (digits + 1 < number.size() && number[digits] == '0') ++digits;
    if (std::all_of(number.begin() + static_cast<std::ptrdiff_t>(digits), number.end(), is_digit)) {
      number = fmt::format("{} · 10^{{{}{}}}", number.substr(0, e), negative ? "−" : "", number.substr(digits));
    }
  }
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

}  // namespace

std::size_t columns_of(const Table& table) {
  std::size_t columns = 0;
  for (const std::vector<std::string>& row : table.rows) columns = std::max(columns, row.size());
  return columns;
}

Table without_empty_columns(const Table& table) {
  if (table.rows.size() < 2) return table;
  Table result = table;
  for (std::size_t column = columns_of(table); column-- > 1;) {
    const auto has_nothing = [&](const std::vector<std::string>& row) {
      return column >= row.size() || (row[column] != "none" && is_nothing(row[column]));
    };
    if (!std::all_of(table.rows.begin() + 1, table.rows.end(), has_nothing)) continue;
    for (std::vector<std::string>& row : result.rows) {
      if (column < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
  }
  return result;
}

std::string html_rows(const Table& table) {
  const std::vector<std::vector<std::string>>& cells = table.rows;
  const std::size_t columns = columns_of(table);
  std::vector<bool> numeric(columns, true);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    for (std::size_t j = 0; j < cells[i].size(); ++j) {
      numeric[j] = numeric[j] && (is_nothing(cells[i][j]) || is_number(cells[i][j]));
    }
  }
  std::string html;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* begin = i == 0 ? "th scope=\"col\"" : "td";
    const char* end = i == 0 ? "th" : "td";
    html += i == 0 ? "<thead><tr>" : i == 1 ? "<tbody><tr>" : "<tr>";
    for (std::size_t j = 0; j < columns; ++j) {
      const std::string cell = j < cells[i].size() ? cells[i][j] : "";
      const auto words = i > 0 ? table.shown.find(cell) : table.shown.end();
      const std::string text = words != table.shown.end() ? words->second
                               : i > 0 && is_number(cell) ? typeset(cell)
                                                          : cell;
      html += fmt::format("<{}{}>{}</{}>", begin, numeric[j] ? " class=\"n\"" : "", html_label(text), end);
    }
    html += i == 0 ? "</tr></thead>\n" : "</tr>\n";
  }
  if (cells.size() > 1) html += "</tbody>";
  return html;
}

}}  // namespace glassworks::analysis
