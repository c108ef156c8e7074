#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "engine/config/config.hpp"

/// Values of configuration keys as text and back. Reading rejects whatever is not wholly and exactly a value.
///
/// An enumeration has a function enum_names: the names of its enumerators in the order of their declaration.
namespace glassworks { inline namespace engine {

/// One `key = value` with the place it was read from, for messages: "line 3 of a.cfg", "command line".
struct ConfigEntry {
  std::string key, value, where;
};

/// Whether a line of a configuration can hold a text: no '#', no control characters.
[[nodiscard]] bool fits_a_line(std::string_view text);

/// Reads one value, or a list separated by commas or blanks (an empty text is an empty list or path). Throws
/// InputError.
void read_value(const ConfigEntry& entry, int& value);
void read_value(const ConfigEntry& entry, std::uint64_t& value);
void read_value(const ConfigEntry& entry, double& value);
void read_value(const ConfigEntry& entry, std::string& value);
void read_value(const ConfigEntry& entry, std::filesystem::path& value);
void read_value(const ConfigEntry& entry, std::vector<int>& value);
void read_value(const ConfigEntry& entry, std::vector<double>& value);
void read_value(const ConfigEntry& entry, std::vector<LatticeShape>& value);
/// "swendsen-wang 1, over-relaxation 5, heat-bath 1": commas between the moves alone.
void read_value(const ConfigEntry& entry, MoveList& value);

/// Of courses (engine/config/keys/course_keys.hpp).
void read_value(const ConfigEntry& entry, SweepCount& value);
void read_value(const ConfigEntry& entry, std::vector<SweepCount>& value);
void read_value(const ConfigEntry& entry, std::vector<CourseSegment>& value);
void read_value(const ConfigEntry& entry, CourseTimes& value);

/// Index of the value among `names`. Throws InputError that lists them.
[[nodiscard]] std::size_t read_name(const ConfigEntry& entry, std::span<const std::string_view> names);

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const ConfigEntry& entry, Enum& value) {
  const auto names = enum_names(Enum{});
  value = static_cast<Enum>(read_name(entry, names));
}

/// The entries of a list, which commas or blanks separate. Throws InputError.
[[nodiscard]] std::vector<std::string_view> split_list(const ConfigEntry& entry);

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const ConfigEntry& entry, std::vector<Enum>& value) {
  value.clear();
  for (const std::string_view token : split_list(entry)) {
    read_value(ConfigEntry{entry.key, std::string(token), entry.where}, value.emplace_back());
  }
}

/// The text that read_value turns into the same value; doubles with the fewest digits that do.
[[nodiscard]] std::string write_value(int value);
[[nodiscard]] std::string write_value(std::uint64_t value);
[[nodiscard]] std::string write_value(double value);
[[nodiscard]] std::string write_value(const std::string& value);
[[nodiscard]] std::string write_value(const std::filesystem::path& value);
[[nodiscard]] std::string write_value(const std::vector<int>& value);
[[nodiscard]] std::string write_value(const std::vector<double>& value);
[[nodiscard]] std::string write_value(const LatticeShape& value);
[[nodiscard]] std::string write_value(const std::vector<LatticeShape>& value);
[[nodiscard]] std::string write_value(const MoveList& value);
[[nodiscard]] std::string write_value(SweepCount value);
[[nodiscard]] std::string write_value(const std::vector<SweepCount>& value);
[[nodiscard]] std::string write_value(const std::vector<CourseSegment>& value);
[[nodiscard]] std::string write_value(const CourseTimes& value);

template <class Enum>
requires std::is_enum_v<Enum> std::string write_value(Enum value) {
  return std::string(enum_names(Enum{})[static_cast<std::size_t>(value)]);
}

template <class Enum>
requires std::is_enum_v<Enum> std::string write_value(const std::vector<Enum>& value) {
  std::string text;
  for (const Enum entry : value) text.append(text.empty() ? "" : ", ").append(write_value(entry));
  return text;
}

/// "gaussian | bimodal | ..."
template <class Enum>
std::string value_names() {
  std::string text;
  for (const std::string_view name : enum_names(Enum{})) text.append(text.empty() ? "" : " | ").append(name);
  return text;
}

}}  // namespace glassworks::engine
