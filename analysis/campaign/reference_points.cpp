#include "analysis/campaign/reference_points.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <utility>

#include "analysis/basics/reference_table.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// The whole number from 1 of a cell.
int size_of(const ReferenceTable& table, std::size_t column) {
  const std::string& text = table.cell(column);
  int L = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), L);
  if (error != std::errc() || end != text.data() + text.size() || L < 1) {
    table.refuse(InputFault::malformed, column, "it is not a whole number from 1");
  }
  return L;
}

}  // namespace

std::vector<ReferencePoints> read_reference(const std::filesystem::path& file) {
  ReferenceTable table(file, "L,T,observable,mean,error");
  std::map<std::string, std::size_t> column;
  for (const char* name : {"L", "T", "observable", "mean", "error"}) {
    const auto place = table.column(name);
    if (!place) {
      table.fail(InputFault::missing, fmt::format("has no column '{}'", name),
                 "Its first line must name L, T, observable, mean and error");
    }
    column[name] = *place;
  }
  std::map<std::pair<std::string, int>, ReferencePoints> found;
  while (table.next()) {
    const int L = size_of(table, column["L"]);
    const std::string& name = table.cell(column["observable"]);
    if (name.empty()) {
      table.fail(InputFault::missing, fmt::format("names no observable in line {}", table.line()), "Correct that line");
    }
    ReferencePoints& points = found[{name, L}];
    points.observable = name;
    points.L = L;
    points.temperatures.push_back(table.number(column["T"]));
    if (!(points.temperatures.back() > 0.0)) table.refuse(InputFault::out_of_range, column["T"], "it is not positive");
    points.mean.push_back(table.number_or_nan(column["mean"]));  // nan in tables that Glassworks writes
    points.error.push_back(table.number_or_nan(column["error"]));
    if (points.error.back() < 0.0) table.refuse(InputFault::out_of_range, column["error"], "it is negative");
  }
  std::vector<ReferencePoints> all;
  for (auto& [key, points] : found) all.push_back(std::move(points));
  return all;
}

}}  // namespace glassworks::analysis
