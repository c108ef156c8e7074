#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace glassworks { inline namespace base {

namespace {

constexpr std::size_t longest_word = 64;  ///< longer words are not taken for misspelt names

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// Number of letters to delete, insert, change or swap with their neighbour (edit distance with transpositions).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

/// "model" and "L" of "model.L"; no section without a dot.
std::pair<std::string_view, std::string_view> parts(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// Whether one of the names is the other behind a section: "L" and "model.L".
bool differs_by_section(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return !a.empty() && b.ends_with(a) && b.size() > a.size() && b[b.size() - a.size() - 1] == '.';
}

/// Distance of a name from a word, for ranking; empty if the name is not close.
std::optional<std::pair<std::size_t, std::size_t>> distance_if_near(std::string_view word, std::string_view name) {
  constexpr std::size_t shortest_beginning = 3;
  const std::size_t distance = edit_distance(word, name);
  if (differs_by_section(word, name)) return std::pair(std::size_t{0}, distance);
  const auto [word_section, word_key] = parts(word);
  const auto [name_section, name_key] = parts(name);
  const auto within = [](std::string_view a, std::string_view b) {
    const std::size_t longest = std::max(a.size(), b.size());
    return edit_distance(a, b) <= (longest < 2 ? 0 : std::max<std::size_t>(longest / 3, 1));
  };
  const bool same_key = word_key == name_key, same_section = word_section == name_section;
  if (same_key && (word_key.size() > 1 || within(word_section, name_section))) return std::pair(distance, distance);
  if (!same_section && !within(word_section, name_section)) return std::nullopt;
  if (within(word_key, name_key)) return std::pair(distance, distance);
  if (same_section && word_key.size() >= shortest_beginning && name_key.starts_with(word_key)) {
    return std::pair(std::min<std::size_t>(distance, 2), distance);
  }
  return std::nullopt;
}

}  // namespace

std::string_view near_name(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > longest_word) return {};
  std::string_view nearest;
  std::pair least(std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max());
  const std::string small = lower(word);
  for (const std::string_view candidate : candidates) {
    const auto cost = distance_if_near(small, lower(candidate));
    if (!cost || *cost >= least) continue;
    least = *cost;
    nearest = candidate;
  }
  return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates, std::string_view otherwise,
                       std::string_view prefix) {
  const std::string_view name = near_name(word, candidates);
  return name.empty() ? std::string(otherwise) : fmt::format("Did you mean {}{}?", prefix, name);
}

std::string enumeration(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

namespace {

/// Characters beyond ASCII that are not shown themselves but change what is: C1 controls, line separators, and those
/// that turn the direction of writing.
bool is_control_point(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

std::string shown_ascii(unsigned char c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\x{:02x}", c);
}

enum class LineEnds { kept, shown };

std::string visible(std::string_view text, LineEnds ends) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    const Utf8Character c = utf8_character(text);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", first);
    } else if (first < 0x20 || first == 0x7f) {
      const bool kept = ends == LineEnds::kept && (first == '\n' || first == '\t');
      out += kept ? std::string(1, text.front()) : shown_ascii(first);
    } else if (c.bytes > 1 && is_control_point(c.number)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c.number));
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return out;
}

}  // namespace

Utf8Character utf8_character(std::string_view text) {
  if (text.empty()) return {};
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  char32_t number = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xc0U) != 0x80U) return {};
    number = number << 6U | (at(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && number < 0x800) || (bytes == 4 && number < 0x10000);
  if (overlong || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return {};
  return {bytes, number};
}

std::string visible_text(std::string_view text) { return visible(text, LineEnds::kept); }
std::string visible_line(std::string_view text) { return visible(text, LineEnds::shown); }

std::string three_digits(double x) {
  constexpr int most_decimals = 9;
  const int decimals = x > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(x))), 0, most_decimals) : 0;
  return fmt::format("{:.{}f}", x, decimals);
}

std::string duration_text(double seconds) {
  constexpr double day = 86400.0, year = 365.25 * day, many_years = 1e6;
  if (seconds >= many_years * year) return "more than a million years";
  if (seconds >= 10.0 * year) return fmt::format("{:.0f} years", seconds / year);
  if (seconds >= year) return fmt::format("{:.1f} years", seconds / year);
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {} h", s / 86400, s / 3600 % 24);
}

std::string shortest(double x) { return std::isnan(x) ? "nan" : fmt::format("{}", x); }

std::string in_quotes(std::string_view text) {
  std::string shown(text.substr(0, 40));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return fmt::format("'{}{}'", shown, text.size() > 40 ? "..." : "");
}

}}  // namespace glassworks::base
