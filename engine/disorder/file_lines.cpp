#include "engine/disorder/file_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace engine {

FileLine::FileLine(const std::filesystem::path& file, int number, std::string_view text)
    : file_(file), number_(number) {
  text = text.substr(0, text.find('#'));
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
    if (text.empty()) return;
    const std::size_t length = std::min(text.find_first_of(" \t\r"), text.size());
    if (count_ < columns_.size()) columns_[count_] = text.substr(0, length);
    ++count_;
    text.remove_prefix(length);
  }
}

InputError FileLine::error(InputFault fault, const std::string& problem) const {
  return InputError(fault, file_.string(), fmt::format("{}:{}: {}", file_.string(), number_, problem));
}

InputError FileLine::beyond(const char* name, std::string_view shown) const {
  return error(InputFault::out_of_range,
               fmt::format("{} = {} is out of range (0, or {} to {} in size). Rescale the values.", name, shown,
                           smallest_in_file, largest_in_file));
}

template <class Number>
Number FileLine::number(std::size_t column, const char* name, const char* expected) const {
  const std::string_view token = columns_[column];
  std::string_view digits = token;
  if (token.size() > 1 && token.front() == '+' && token[1] != '-') digits.remove_prefix(1);
  Number value{};
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || end != digits.data() + digits.size()) {
    throw error(InputFault::malformed,
                fmt::format("{} {} cannot be read (it is not {} that the program can hold). Correct the line.", name,
                            in_quotes(token), expected));
  }
  return value;
}

std::int64_t FileLine::index(std::size_t column, const char* name, std::int64_t count) const {
  const auto value = number<std::int64_t>(column, name, "a whole number");
  if (value < 0 || value >= count) {
    throw error(InputFault::out_of_range,
                fmt::format("{} {} is out of range (0 to {}). Correct the line, or model.L and model.dim.", name, value,
                            count - 1));
  }
  return value;
}

double FileLine::value(std::size_t column, const char* name) const {
  const auto x = number<double>(column, name, "a number");
  if (!std::isfinite(x) || std::abs(x) > largest_in_file) throw beyond(name, columns_[column]);
  return x;
}

float FileLine::single(std::size_t column, const char* name) const { return number<float>(column, name, "a number"); }

void for_each_line(const std::filesystem::path& file, std::string_view text, std::size_t columns, const char* format,
                   const char* none, const std::function<void(const FileLine&)>& read) {
  bool empty = true;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const FileLine line(file, number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.columns() == 0) continue;
    if (line.columns() != columns) {
      throw line.error(
          InputFault::malformed,
          fmt::format("{} columns instead of {} (a line is `{}`). Correct the line.", line.columns(), columns, format));
    }
    read(line);
    empty = false;
  }
  if (empty) {
    throw InputError(
        InputFault::missing, file.string(),
        fmt::format("The file '{}' cannot be used ({}). Give lines of the form `{}`.", file.string(), none, format));
  }
}

void claim(std::vector<bool>& seen, std::size_t index, const FileLine& line, const std::function<std::string()>& what) {
  if (seen[index]) {
    throw line.error(InputFault::repeated,
                     fmt::format("{} is given a second time (one line each). Remove one.", what()));
  }
  seen[index] = true;
}

}}  // namespace glassworks::engine
