#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// The words of a part of a value, from the first on.
class Words {
 public:
  Words(const ConfigEntry& entry, std::string_view part) : entry_(entry), part_(part) {
    const ConfigEntry words{entry.key, std::string(part), entry.where};
    for (const std::string_view word : split_list(words)) words_.emplace_back(word);
  }

  [[nodiscard]] bool empty() const { return next_ == words_.size(); }
  [[nodiscard]] std::string_view peek() const { return empty() ? std::string_view() : words_[next_]; }
  std::string take() { return empty() ? std::string() : words_[next_++]; }
  /// Whether the next word is this one, which is then taken.
  bool take_if(std::string_view word) {
    const bool found = peek() == word;
    if (found) ++next_;
    return found;
  }
  [[noreturn]] void reject(const std::string& problem, const char* suggestion,
                           InputFault fault = InputFault::malformed) const {
    throw InputError(
        fault, entry_.key,
        fmt::format("{}: {} {} ({}). {}", entry_.key, in_quotes(part_), problem, entry_.where, suggestion));
  }
  [[nodiscard]] double number(const char* suggestion) {
    const std::string word = take();
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
      reject(word.empty() ? "ends too early" : fmt::format("has {} in place of a number", in_quotes(word)), suggestion);
    }
    return value;
  }
  [[nodiscard]] SweepCount sweeps(const char* suggestion) {
    const double value = number(suggestion);
    if (value != std::floor(value)) {
      reject(fmt::format("has {} in place of a whole number of sweeps", value), suggestion);
    }
    if (!(value >= 0.0 && value <= 0x1p40)) {
      reject(fmt::format("has {:.0f} in place of a number from 0 to 2^40", value), suggestion,
             InputFault::out_of_range);
    }
    return {static_cast<std::uint64_t>(value)};
  }

 private:
  const ConfigEntry& entry_;
  std::string_view part_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

constexpr const char* segment_form = "Write segments such as 1000 at 0.8, 500 from 2 to 0.5, at T.";
constexpr const char* times_form = "Write 10 per decade, 4 per octave, every 100, or a list of times.";

std::optional<double> read_temperature(Words& words) {
  if (words.take_if("T")) return std::nullopt;
  return words.number(segment_form);
}

CourseSegment read_segment(const ConfigEntry& entry, std::string_view part) {
  Words words(entry, part);
  CourseSegment segment;
  if (words.peek() != "at" && words.peek() != "from") {
    segment.sweeps = words.sweeps(segment_form);
    if (segment.sweeps.count == 0) words.reject("has no sweeps", segment_form);
  }
  if (words.take_if("at")) {
    segment.first_T = segment.last_T = read_temperature(words);
  } else if (words.take_if("from")) {
    segment.first_T = read_temperature(words);
    if (!words.take_if("to")) words.reject("lacks the temperature that it goes to", segment_form);
    segment.last_T = read_temperature(words);
  } else {
    words.reject("does not say its temperature", segment_form);
  }
  while (!words.empty()) {
    if (words.take_if("geometric")) {
      segment.shape = RampShape::geometric;
    } else if (words.take_if("stair")) {
      segment.stair = words.sweeps(segment_form);
      if (segment.stair.count == 0) words.reject("has stairs of no sweeps", segment_form);
    } else if (words.take_if("field")) {
      segment.first_field = segment.last_field = words.number(segment_form);
      if (words.take_if("to")) segment.last_field = words.number(segment_form);
    } else {
      words.reject(fmt::format("has the unknown word {}", in_quotes(words.peek())), segment_form);
    }
  }
  return segment;
}

std::string write_temperature(const std::optional<double>& T) { return T ? write_value(*T) : "T"; }

std::string write_segment(const CourseSegment& segment) {
  std::string text = segment.sweeps.count > 0 ? write_value(segment.sweeps) + " " : "";
  const bool moves = segment.first_T != segment.last_T;
  text += moves ? fmt::format("from {} to {}", write_temperature(segment.first_T), write_temperature(segment.last_T))
                : "at " + write_temperature(segment.first_T);
  if (segment.shape == RampShape::geometric) text += " geometric";
  if (segment.stair.count > 1) text += fmt::format(" stair {}", write_value(segment.stair));
  if (segment.first_field != 1.0 || segment.last_field != 1.0) text += " field " + write_value(segment.first_field);
  if (segment.first_field != segment.last_field) text += " to " + write_value(segment.last_field);
  return text;
}

}  // namespace

void read_value(const ConfigEntry& entry, SweepCount& value) {
  Words words(entry, entry.value);
  value = words.sweeps("Give a whole number such as 100000 or 1e5.");
  if (!words.empty()) words.reject("is more than one number", "Give a whole number such as 100000 or 1e5.");
}

void read_value(const ConfigEntry& entry, std::vector<SweepCount>& value) {
  value.clear();
  Words words(entry, entry.value);
  if (words.take_if("none")) {
    if (!words.empty()) words.reject("goes on after none", "Give whole numbers such as 100, 1000, 1e4, or none.");
    return;
  }
  while (!words.empty()) value.push_back(words.sweeps("Give whole numbers such as 100, 1000, 1e4, or none."));
}

void read_value(const ConfigEntry& entry, std::vector<CourseSegment>& value) {
  value.clear();
  for (std::string_view rest = entry.value; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    value.push_back(read_segment(entry, rest.substr(0, end)));
    if (end + 1 == rest.size()) {
      throw InputError(InputFault::malformed, entry.key,
                       fmt::format("{} ends in a comma ({}). Remove it.", entry.key, entry.where));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void read_value(const ConfigEntry& entry, CourseTimes& value) {
  Words words(entry, entry.value);
  value = {};
  if (words.take_if("every")) {
    value.rule = CourseTimes::Rule::every;
    value.number = words.sweeps(times_form);
  } else {
    const SweepCount first = words.sweeps(times_form);
    if (words.take_if("per")) {
      const std::string unit = words.take();
      if (unit != "decade" && unit != "octave") words.reject("names neither decade nor octave", times_form);
      value.rule = unit == "decade" ? CourseTimes::Rule::per_decade : CourseTimes::Rule::per_octave;
      value.number = first;
    } else {
      value.rule = CourseTimes::Rule::listed;
      value.listed.push_back(first);
      while (!words.empty()) value.listed.push_back(words.sweeps(times_form));
    }
  }
  if (!words.empty()) words.reject("goes on where it should end", times_form);
  if (value.rule != CourseTimes::Rule::listed && value.number.count == 0) words.reject("is no number", times_form);
}

std::string write_value(SweepCount value) { return fmt::format("{}", value.count); }
std::string write_value(const std::vector<SweepCount>& value) {
  std::string text;
  for (const SweepCount one : value) text.append(text.empty() ? "" : ", ").append(write_value(one));
  return text;
}
std::string write_value(const std::vector<CourseSegment>& value) {
  std::string text;
  for (const CourseSegment& one : value) text.append(text.empty() ? "" : ", ").append(write_segment(one));
  return text;
}
std::string write_value(const CourseTimes& value) {
  switch (value.rule) {
    case CourseTimes::Rule::per_decade:
      return write_value(value.number) + " per decade";
    case CourseTimes::Rule::per_octave:
      return write_value(value.number) + " per octave";
    case CourseTimes::Rule::every:
      return "every " + write_value(value.number);
    case CourseTimes::Rule::listed:
      break;
  }
  return write_value(value.listed);
}

}}  // namespace glassworks::engine
