#include "analysis/campaign/reference_points.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>

namespace glassworks {
namespace {

std::vector<std::string> split(const std::string& line) {
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
  explicit ReferenceReader(const std::filesystem::path& file) : file_(file), in_(file) {
    if (!in_) {
      throw std::runtime_error(fmt::format(
          "The reference file {} cannot be read (missing, or no permission). Check the path.", file.string()));
    }
  }

  std::vector<ReferencePoints> read() {
    std::vector<std::string> cells;
    if (!next(cells)) fail("holds no line", "Give a CSV file with the heading L,T,observable,mean,error");
    std::map<std::string, std::size_t> column;
    for (std::size_t i = 0; i < cells.size(); ++i) column[cells[i]] = i;
    for (const char* name : {"L", "T", "observable", "mean", "error"}) {
      if (!column.contains(name)) {
        fail(fmt::format("has no column '{}'", name), "Its first line must name L, T, observable, mean and error");
      }
    }
    const std::size_t columns = cells.size();
    std::map<std::pair<std::string, int>, ReferencePoints> found;
    while (next(cells)) {
      if (cells.size() != columns) {
        fail(fmt::format("has {} columns in line {}, not {}", cells.size(), line_, columns), "Correct that line");
      }
      const int L = static_cast<int>(number(cells[column["L"]]));
      const std::string& name = cells[column["observable"]];
      ReferencePoints& points = found[{name, L}];
      points.observable = name;
      points.L = L;
      points.temperatures.push_back(number(cells[column["T"]]));
      points.mean.push_back(number(cells[column["mean"]]));
      points.error.push_back(number(cells[column["error"]]));
    }
    std::vector<ReferencePoints> all;
    for (auto& [key, points] : found) all.push_back(std::move(points));
    return all;
  }

 private:
  bool next(std::vector<std::string>& cells) {
    std::string text;
    while (std::getline(in_, text)) {
      ++line_;
      if (text.empty() || text.front() == '#' || text == "\r") continue;
      cells = split(text);
      return true;
    }
    return false;
  }

  double number(const std::string& text) const {
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(fmt::format("has '{}' in line {} where a number must stand", text, line_), "Correct that line");
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& suggestion) const {
    throw std::runtime_error(fmt::format("The reference file {} {}. {}.", file_.string(), what, suggestion));
  }

  std::filesystem::path file_;
  std::ifstream in_;
  int line_ = 0;
};

}  // namespace

std::vector<ReferencePoints> read_reference(const std::filesystem::path& file) { return ReferenceReader(file).read(); }

}  // namespace glassworks
