#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"

namespace glassworks { inline namespace analysis {

/// A CSV file with numbers from elsewhere, line by line: the one reader of `--reference`. The first line names the
/// columns; blanks, empty lines and lines that begin with # are ignored. Everything is refused with one sentence that
/// names file and line (InputError).
class ReferenceTable {
 public:
  /// Reads the file, at most 64 MiB, and its heading.
  ///
  /// heading  what it should hold, for the message where there is none: "L,T,observable,mean,error"
  ReferenceTable(const std::filesystem::path& file, const char* heading);

  [[nodiscard]] const std::vector<std::string>& heading() const { return heading_; }
  /// Place of a column; none if the heading does not name it.
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;

  /// Goes on to the next row; false at the end. Refuses a row with another number of cells than the heading.
  [[nodiscard]] bool next();
  [[nodiscard]] const std::string& cell(std::size_t column) const { return cells_[column]; }
  /// A finite number.
  [[nodiscard]] double number(std::size_t column) const;
  /// A finite number, or nan.
  [[nodiscard]] double number_or_nan(std::size_t column) const;
  [[nodiscard]] int line() const { return line_; }

  /// Refuses the cell of the present row: "it is negative".
  [[noreturn]] void refuse(InputFault fault, std::size_t column, const char* why) const;
  /// Refuses the file: "The reference file X <what>. <suggestion>."
  [[noreturn]] void fail(InputFault fault, const std::string& what, const std::string& suggestion) const;

 private:
  bool read_cells(std::vector<std::string>& cells);

  std::filesystem::path file_;
  std::string text_;
  std::size_t place_ = 0;  ///< of what has not been read, in text_
  int line_ = 0;
  std::vector<std::string> heading_, cells_;
  std::map<std::string, std::size_t> columns_;
};

}}  // namespace glassworks::analysis
