#include "engine/config/config_value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "engine/config/foreign_words.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class Number>
Number read_number(const ConfigEntry& entry, std::string_view token) {
  constexpr bool whole = std::is_integral_v<Number>;
  constexpr const char* suggestion = whole ? "Give a whole number in digits only." : "Give a number such as 0.35.";
  const auto reject = [&](InputFault fault, const char* problem) {
    return InputError(fault, entry.key,
                      fmt::format("{}: {} {} ({}). {}", entry.key, in_quotes(token), problem, entry.where, suggestion));
  };
  if (token.empty())
    throw InputError(InputFault::missing, entry.key,
                     fmt::format("{} has no value ({}). {}", entry.key, entry.where, suggestion));
  if (std::is_unsigned_v<Number> && token.front() == '-') throw reject(InputFault::out_of_range, "is negative");
  Number value{};
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range)
    throw reject(InputFault::out_of_range, whole ? "is too large" : "is beyond the range of a double");
  if (error != std::errc() || end != token.data() + token.size()) {
    throw reject(InputFault::malformed, whole ? "is not a whole number" : "is not a number");
  }
  if constexpr (!whole) {
    if (!std::isfinite(value)) throw reject(InputFault::malformed, "is not a finite number");
  }
  return value;
}

template <class Number>
void read_list(const ConfigEntry& entry, std::vector<Number>& value) {
  value.clear();
  for (const std::string_view token : split_list(entry)) value.push_back(read_number<Number>(entry, token));
}

}  // namespace

std::vector<std::string_view> split_list(const ConfigEntry& entry) {
  std::vector<std::string_view> tokens;
  std::string_view rest = entry.value;
  const auto skip_blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size())); };
  skip_blanks();
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find_first_of(" \t\r\n,"), rest.size());
    if (length == 0)
      throw InputError(InputFault::malformed, entry.key,
                       fmt::format("{} has an empty entry ({}). Remove the extra comma.", entry.key, entry.where));
    tokens.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
    skip_blanks();
    if (rest.empty() || rest.front() != ',') continue;
    rest.remove_prefix(1);
    skip_blanks();
    if (rest.empty())
      throw InputError(InputFault::malformed, entry.key,
                       fmt::format("{} ends in a comma ({}). Remove it.", entry.key, entry.where));
  }
  return tokens;
}

void read_value(const ConfigEntry& entry, int& value) { value = read_number<int>(entry, entry.value); }
void read_value(const ConfigEntry& entry, std::uint64_t& value) {
  value = read_number<std::uint64_t>(entry, entry.value);
}
void read_value(const ConfigEntry& entry, double& value) { value = read_number<double>(entry, entry.value); }
bool fits_a_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '#' || static_cast<unsigned char>(c) < 0x20; });
}

void read_value(const ConfigEntry& entry, std::string& value) {
  if (!fits_a_line(entry.value)) {
    throw InputError(
        InputFault::malformed, entry.key,
        fmt::format("{} = {} cannot be stored ({}: a text must not hold '#' or control characters). Leave them out.",
                    entry.key, in_quotes(entry.value), entry.where));
  }
  value = entry.value;
}
void read_value(const ConfigEntry& entry, std::filesystem::path& value) { value = entry.value; }
void read_value(const ConfigEntry& entry, std::vector<int>& value) { read_list(entry, value); }
void read_value(const ConfigEntry& entry, std::vector<double>& value) { read_list(entry, value); }

void read_value(const ConfigEntry& entry, std::vector<LatticeShape>& value) {
  value.clear();
  for (std::string_view token : split_list(entry)) {
    LatticeShape& shape = value.emplace_back();
    for (bool more = true; more;) {
      const std::size_t end = token.find('x');
      shape.lengths.push_back(read_number<int>(entry, token.substr(0, end)));
      more = end != std::string_view::npos;
      if (more) token.remove_prefix(end + 1);
    }
  }
}

std::size_t read_name(const ConfigEntry& entry, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), entry.value);
  if (found == names.end()) {
    throw InputError(
        InputFault::unknown, entry.key,
        fmt::format("{}: {} is none of {} ({}). {}", entry.key, in_quotes(entry.value), fmt::join(names, ", "),
                    entry.where, advice_for(entry.key, entry.value, names, "Use one of these.")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::string write_value(int value) { return fmt::format("{}", value); }
std::string write_value(std::uint64_t value) { return fmt::format("{}", value); }
std::string write_value(double value) { return fmt::format("{}", value); }
std::string write_value(const std::string& value) { return value; }
std::string write_value(const std::filesystem::path& value) { return value.string(); }
std::string write_value(const std::vector<int>& value) { return fmt::format("{}", fmt::join(value, ", ")); }
std::string write_value(const std::vector<double>& value) { return fmt::format("{}", fmt::join(value, ", ")); }

std::string write_value(const LatticeShape& value) { return fmt::format("{}", fmt::join(value.lengths, "x")); }
std::string write_value(const std::vector<LatticeShape>& value) {
  std::string text;
  for (const LatticeShape& shape : value) text.append(text.empty() ? "" : ", ").append(write_value(shape));
  return text;
}

}}  // namespace glassworks::engine
