#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"

namespace glassworks { inline namespace engine {

/// Numbers of disorder files are 0 or lie between these in size.
constexpr double smallest_in_file = 1e-6, largest_in_file = 1e6;

/// A line of a file in columns, with the place for messages. `#` begins a comment.
class FileLine {
 public:
  FileLine(const std::filesystem::path& file, int number, std::string_view text);

  [[nodiscard]] std::size_t columns() const { return count_; }
  [[nodiscard]] std::string_view text(std::size_t column) const { return columns_[column]; }

  [[nodiscard]] InputError error(InputFault fault, const std::string& problem) const;
  [[nodiscard]] InputError beyond(const char* name, std::string_view shown) const;

  /// A whole number from 0 to count - 1. Throws InputError.
  [[nodiscard]] std::int64_t index(std::size_t column, const char* name, std::int64_t count) const;
  /// A number of size up to largest_in_file. Throws InputError.
  [[nodiscard]] double value(std::size_t column, const char* name) const;
  /// A number in single precision, as it was written. Throws InputError.
  [[nodiscard]] float single(std::size_t column, const char* name) const;

 private:
  template <class Number>
  [[nodiscard]] Number number(std::size_t column, const char* name, const char* expected) const;

  const std::filesystem::path& file_;
  int number_;
  std::array<std::string_view, 12> columns_;  ///< those that can be of use; a line may hold millions
  std::size_t count_ = 0;
};

/// Calls read(line) for every line that holds anything, and there must be one; wants `columns` columns, named by
/// `format`. Throws InputError; none: why a file without any cannot be used
void for_each_line(const std::filesystem::path& file, std::string_view text, std::size_t columns, const char* format,
                   const char* none, const std::function<void(const FileLine&)>& read);

/// Marks what a line gives; throws InputError where another line has given it. what: names it in the message
void claim(std::vector<bool>& seen, std::size_t index, const FileLine& line, const std::function<std::string()>& what);

}}  // namespace glassworks::engine
