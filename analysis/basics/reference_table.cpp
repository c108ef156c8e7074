#include "analysis/basics/reference_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/text_file.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 26;
constexpr std::size_t longest_line = 1 << 16;

/// Cells without blanks; commas between double quotes do not end one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r' && c != ' ') {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace

ReferenceTable::ReferenceTable(const std::filesystem::path& file, const char* heading)
    : file_(file), text_(read_text_file(file, "reference file", most_bytes)) {
  if (!read_cells(heading_)) {
    fail(InputFault::missing, "holds no line", fmt::format("Give a CSV file with the heading {}", heading));
  }
  for (std::size_t i = 0; i < heading_.size(); ++i) {
    if (columns_.emplace(heading_[i], i).second) continue;
    fail(InputFault::repeated, fmt::format("names the column {} twice", in_quotes(heading_[i])),
         "Remove one of the two");
  }
}

std::optional<std::size_t> ReferenceTable::column(const std::string& name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? std::nullopt : std::optional(found->second);
}

bool ReferenceTable::next() {
  if (!read_cells(cells_)) return false;
  if (cells_.size() != heading_.size()) {
    fail(InputFault::malformed, fmt::format("has {} columns in line {}, not {}", cells_.size(), line_, heading_.size()),
         "Correct that line");
  }
  return true;
}

bool ReferenceTable::read_cells(std::vector<std::string>& cells) {
  while (place_ < text_.size()) {
    ++line_;
    const std::string_view left = std::string_view(text_).substr(place_), text = left.substr(0, left.find('\n'));
    place_ = std::min(place_ + text.size() + 1, text_.size());
    if (text.empty() || text.front() == '#' || text == "\r") continue;
    if (text.size() > longest_line) {
      fail(InputFault::malformed, fmt::format("has {} bytes in line {}", text.size(), line_),
           "Check that it is the right file");
    }
    cells = cells_of(text);
    return true;
  }
  return false;
}

double ReferenceTable::number_or_nan(std::size_t column) const {
  return cells_[column] == "nan" ? std::numeric_limits<double>::quiet_NaN() : number(column);
}

double ReferenceTable::number(std::size_t column) const {
  const std::string& text = cells_[column];
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    refuse(InputFault::out_of_range, column, "it is beyond the range of a double");
  if (error != std::errc() || end != text.data() + text.size())
    refuse(InputFault::malformed, column, "it is not a number");
  if (!std::isfinite(value)) refuse(InputFault::malformed, column, "it is not finite");
  return value;
}

void ReferenceTable::refuse(InputFault fault, std::size_t column, const char* why) const {
  fail(fault,
       fmt::format("cannot be used (line {}: {} = {}, {})", line_, heading_[column], in_quotes(cells_[column]), why),
       "Correct that line");
}

void ReferenceTable::fail(InputFault fault, const std::string& what, const std::string& suggestion) const {
  throw InputError(fault, file_.string(),
                   fmt::format("The reference file {} {}. {}.", file_.string(), what, suggestion));
}

}}  // namespace glassworks::analysis
