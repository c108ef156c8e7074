#include "tools/glassworks/print_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr std::array<std::pair<const char*, PrintFormat>, 4> formats = {
    {{"pdf", PrintFormat::pdf}, {"svg", PrintFormat::svg}, {"png", PrintFormat::png}, {"eps", PrintFormat::eps}}};

PrintFormat format_of(const std::string& name) {
  if (const auto format = format_of_suffix("." + name)) return *format;
  throw InputError(
      InputFault::unknown, "--format",
      fmt::format("--format cannot be '{}' (figures are drawn as pdf, svg, png or eps). Use one of these.", name));
}

/// All of the text as a finite number.
std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Limits {
  double smallest, largest;
  const char *unit, *suggestion;
};

double number_of(const ParsedArguments& parsed, const std::string& name, double otherwise, const Limits& limits) {
  if (!parsed.has(name)) return otherwise;
  const std::string& text = parsed.options.at(name);
  const std::optional<double> value = number_in(text);
  if (value && *value >= limits.smallest && *value <= limits.largest) return *value;
  throw InputError(InputFault::out_of_range, fmt::format("--{}", name),
                   fmt::format("--{} cannot be '{}' (it is a number of {} from {:g} to {:g}). {}", name, text,
                               limits.unit, limits.smallest, limits.largest, limits.suggestion));
}

GivenRange range_of(const ParsedArguments& parsed, const std::string& name) {
  if (!parsed.has(name)) return {};
  const std::string& text = parsed.options.at(name);
  const std::size_t colon = text.find(':');
  const auto refuse = [&](InputFault fault, const char* why) {
    return InputError(
        fault, "--" + name,
        fmt::format("--{} cannot be '{}' ({}). Write A:B, for example 0.1:0.3, or A: or :B.", name, text, why));
  };
  if (colon == std::string::npos) throw refuse(InputFault::malformed, "it has no colon");
  GivenRange range;
  const auto end_of = [&](const std::string& part) -> std::optional<double> {
    if (part.empty()) return std::nullopt;
    const std::optional<double> value = number_in(part);
    if (!value) throw refuse(InputFault::malformed, "its ends are no numbers");
    return value;
  };
  range.low = end_of(text.substr(0, colon));
  range.high = end_of(text.substr(colon + 1));
  if (!range.low && !range.high) throw refuse(InputFault::missing, "it has no end");
  if (range.low && range.high && !(*range.low < *range.high))
    throw refuse(InputFault::out_of_range, "B has to be larger than A");
  return range;
}

/// It stands in quotes in the script of gnuplot.
std::string font_of(const ParsedArguments& parsed) {
  if (!parsed.has("font")) return {};
  const std::string& name = parsed.options.at("font");
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '-'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_plain)) return name;
  throw InputError(
      InputFault::malformed, "--font",
      fmt::format("--font cannot be '{}' (names of fonts have letters, digits, blanks and hyphens). Take a name that "
                  "`fc-list : family` shows.",
                  name));
}

}  // namespace

std::vector<Option> print_option_rows() {
  return {choice("format", "FORMAT", "pdf, svg, png or eps (default pdf)", {"pdf", "svg", "png", "eps"}),
          {"width", "CM", "of a figure (default 8.6, one column)"},
          {"height", "CM", "of a figure (default: three quarters of the width)"},
          {"x-range", "A:B", "what the x axis shows; one end may be left out (default: all points)"},
          {"y-range", "A:B", "the same of the y axis"},
          {"font", "NAME", "of all texts (default: sans serif)"},
          {"font-size", "PT", "in points (default 8)"}};
}

PrintOptions print_options_of(const ParsedArguments& parsed) {
  PrintOptions options;
  if (parsed.has("format")) options.format = format_of(parsed.options.at("format"));
  const Limits centimetres{3.0, 100.0, "cm", "Use 8.6 for one column of a journal, 17.8 for two."};
  options.width = number_of(parsed, "width", options.width, centimetres);
  options.height =
      number_of(parsed, "height", options.height, {2.0, 100.0, "cm", "Leave it out for 3/4 of the width."});
  options.font = font_of(parsed);
  options.font_size = number_of(parsed, "font-size", options.font_size, {4.0, 40.0, "points", "Leave it out for 8."});
  options.x = range_of(parsed, "x-range");
  options.y = range_of(parsed, "y-range");
  return options;
}

std::optional<PrintFormat> format_of_suffix(std::string_view suffix) {
  for (const auto& [known, format] : formats) {
    if (suffix.starts_with('.') && suffix.substr(1) == known) return format;
  }
  return std::nullopt;
}

std::string suffix_of(PrintFormat format) {
  return std::find_if(formats.begin(), formats.end(), [&](const auto& row) { return row.second == format; })->first;
}

}}  // namespace glassworks::tools
