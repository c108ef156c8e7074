#include "analysis/campaign/reference_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/text_file.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else if (c != '\r' && c != ' ') {
      cells.back() += c;
    }
  }
  return cells;
}

class ReferenceReader {
 public:
  explicit ReferenceReader(const std::filesystem::path& file)
      : file_(file), text_(read_text_file(file, "reference file", max_bytes)), left_(text_) {}

  std::vector<ReferencePoints> read() {
    std::vector<std::string> cells;
    if (!next(cells))
      fail(InputFault::missing, "holds no line", "Give a CSV file with the heading L,T,observable,mean,error");
    std::map<std::string, std::size_t> column;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (column.emplace(cells[i], i).second) continue;
      fail(InputFault::repeated, fmt::format("names the column {} twice", in_quotes(cells[i])),
           "Remove one of the two");
    }
    for (const char* name : {"L", "T", "observable", "mean", "error"}) {
      if (!column.contains(name)) {
        fail(InputFault::missing, fmt::format("has no column '{}'", name),
             "Its first line must name L, T, observable, mean and error");
      }
    }
    const std::size_t columns = cells.size();
    std::map<std::pair<std::string, int>, ReferencePoints> found;
    while (next(cells)) {
      if (cells.size() != columns) {
        fail(InputFault::malformed, fmt::format("has {} columns in line {}, not {}", cells.size(), line_, columns),
             "Correct that line");
      }
      const int L = size(cells[column["L"]]);
      const std::string& name = cells[column["observable"]];
      if (name.empty())
        fail(InputFault::missing, fmt::format("names no observable in line {}", line_), "Correct that line");
      ReferencePoints& points = found[{name, L}];
      points.observable = name;
      points.L = L;
      points.temperatures.push_back(temperature(cells[column["T"]]));
      points.mean.push_back(value("mean", cells[column["mean"]]));
      points.error.push_back(value("error", cells[column["error"]]));
      if (points.error.back() < 0.0)
        refuse(InputFault::out_of_range, "error", cells[column["error"]], "it is negative");
    }
    std::vector<ReferencePoints> all;
    for (auto& [key, points] : found) all.push_back(std::move(points));
    return all;
  }

 private:
  static constexpr std::uintmax_t max_bytes = std::uintmax_t{1} << 26;

  bool next(std::vector<std::string>& cells) {
    while (!left_.empty()) {
      ++line_;
      const std::string_view text = left_.substr(0, left_.find('\n'));
      left_.remove_prefix(std::min(text.size() + 1, left_.size()));
      if (text.empty() || text.front() == '#' || text == "\r") continue;
      if (text.size() > longest_line) {
        fail(InputFault::malformed, fmt::format("has {} bytes in line {}", text.size(), line_),
             "Check that it is the right file");
      }
      cells = split(text);
      return true;
    }
    return false;
  }

  /// A value that could not be computed is nan in the tables that Glassworks writes.
  double value(const char* column, const std::string& text) const {
    return text == "nan" ? std::numeric_limits<double>::quiet_NaN() : number(column, text);
  }

  double number(const char* column, const std::string& text) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
      refuse(InputFault::out_of_range, column, text, "it is beyond the range of a double");
    if (error != std::errc() || end != text.data() + text.size())
      refuse(InputFault::malformed, column, text, "it is not a number");
    if (!std::isfinite(value)) refuse(InputFault::malformed, column, text, "it is not finite");
    return value;
  }

  double temperature(const std::string& text) const {
    const double T = number("T", text);
    if (!(T > 0.0)) refuse(InputFault::out_of_range, "T", text, "it is not positive");
    return T;
  }

  int size(const std::string& text) const {
    int L = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), L);
    if (error != std::errc() || end != text.data() + text.size() || L < 1) {
      refuse(InputFault::malformed, "L", text, "it is not a whole number from 1");
    }
    return L;
  }

  [[noreturn]] void refuse(InputFault fault, const char* column, const std::string& text, const char* why) const {
    fail(fault, fmt::format("cannot be used (line {}: {} = {}, {})", line_, column, in_quotes(text), why),
         "Correct that line");
  }

  [[noreturn]] void fail(InputFault fault, const std::string& what, const char* suggestion) const {
    throw InputError(fault, file_.string(),
                     fmt::format("The reference file {} {}. {}.", file_.string(), what, suggestion));
  }

  static constexpr std::size_t longest_line = 1 << 16;

  std::filesystem::path file_;
  std::string text_;
  std::string_view left_;
  int line_ = 0;
};

}  // namespace

std::vector<ReferencePoints> read_reference(const std::filesystem::path& file) { return ReferenceReader(file).read(); }

}}  // namespace glassworks::analysis
