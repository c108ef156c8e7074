#include "tools/glassworks/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double minute = 60.0, hour = 3600.0, day = 86400.0, longest = 3652 * day;

/// Takes a number from the front of a text.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T value{};
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return value;
}

/// Whole numbers between colons; nothing if there is anything else.
std::optional<std::vector<double>> fields_of(std::string_view text) {
  std::vector<double> fields;
  for (;;) {
    const auto number = take_number<unsigned>(text);
    if (!number) return std::nullopt;
    fields.push_back(*number);
    if (text.empty()) return fields;
    if (text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
  }
}

/// "[days-]a:b:c".
std::optional<double> clock_seconds(std::string_view text) {
  const auto hyphen = text.find('-');
  const bool with_days = hyphen != text.npos;
  std::vector<double> units{hour, minute, 1.0};
  double seconds = 0.0;
  if (with_days) {
    std::string_view days = text.substr(0, hyphen);
    const auto number = take_number<unsigned>(days);
    if (!number || !days.empty()) return std::nullopt;
    seconds = *number * day;
    text.remove_prefix(hyphen + 1);
  }
  const auto fields = fields_of(text);
  if (!fields || fields->size() > units.size()) return std::nullopt;
  if (!with_days) units.erase(units.begin(), units.end() - static_cast<std::ptrdiff_t>(fields->size()));
  for (std::size_t i = 0; i < fields->size(); ++i) {
    const double below = units[i] == hour ? 24.0 : 60.0;  // except in the first field there is
    if ((i > 0 || with_days) && (*fields)[i] >= below) return std::nullopt;
    seconds += (*fields)[i] * units[i];
  }
  return seconds;
}

/// "1h30m", each unit at most once, from large to small.
std::optional<double> unit_seconds(std::string_view text) {
  constexpr std::array<std::pair<char, double>, 4> units = {{{'d', day}, {'h', hour}, {'m', minute}, {'s', 1.0}}};
  double seconds = 0.0;
  auto unit = units.begin();
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto number = take_number<double>(text);
    if (!number || text.empty()) return std::nullopt;
    while (unit != units.end() && unit->first != text.front()) ++unit;
    if (unit == units.end()) return std::nullopt;
    seconds += *number * (unit++)->second;
    text.remove_prefix(1);
  }
  return seconds;
}

std::optional<double> parse_seconds(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_number<double>(rest);
  if (number && rest.empty()) return number;
  const auto clock = clock_seconds(text);
  return clock ? clock : unit_seconds(text);
}

}  // namespace

double parse_duration(const std::string& name, const std::string& text) {
  const std::optional<double> seconds = parse_seconds(text);
  if (seconds && *seconds > 0.0 && *seconds <= longest) return *seconds;
  throw InputError(
      seconds ? InputFault::out_of_range : InputFault::malformed, "--" + name,
      fmt::format("--{} = '{}' cannot be used ({}). Write seconds, or for example 15m, 12h, 1:30:00 or 2-12:00:00.",
                  name, text, seconds ? "it must be more than 0 and at most 10 years" : "it is no duration"));
}

}}  // namespace glassworks::tools
