#include "tools/glassworks/print_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/report/plot_range.hpp"
#include "analysis/report/series_look.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"

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

/// Widths of the columns of Physical Review journals, whose letters are 2 mm high at least. Other options go before.
void apply_style(const std::string& style, const ParsedArguments& parsed, PrintOptions& options) {
  const bool wide = style == "prl-wide";
  if (!wide && style != "prl") {
    throw InputError(InputFault::unknown, "--style",
                     fmt::format("--style cannot be '{}' (it is prl or prl-wide). Use one of these, or --width and "
                                 "--font-size.",
                                 style));
  }
  options.width = wide ? 17.8 : 8.6;
  options.font_size = 9.0;
  if (wide && !parsed.has("panels")) options.height = 8.0;
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

PanelGrid grid_of(const std::string& text) {
  constexpr int most = 5;  // 25 labels
  PanelGrid grid;
  const std::size_t cross = text.find('x');
  const auto read = [&](const std::string& part, int& number) {
    const std::optional<double> value = number_in(part);
    number = value ? static_cast<int>(*value) : 0;
    return value && *value == number && number >= 1 && number <= most;
  };
  if (cross != std::string::npos && read(text.substr(0, cross), grid.rows) &&
      read(text.substr(cross + 1), grid.columns)) {
    return grid;
  }
  throw InputError(
      InputFault::malformed, "--panels",
      fmt::format("--panels cannot be '{}' (it is rows x columns, 1 to {} of each). Write 2x2, for example.", text,
                  most));
}

/// Only series of these sizes, and those of no size. Crossings and insets belong to all sizes.
std::vector<Figure> of_sizes(std::vector<Figure> figures, const std::vector<int>& sizes) {
  std::set<int> known;
  const auto size_of = [](const Series& series) {
    return size_of_label(!series.group.empty() ? series.group : !series.legend.empty() ? series.legend : series.name);
  };
  for (const Figure& figure : figures) {
    for (const Series& series : figure.series) {
      if (const std::optional<int> L = size_of(series)) known.insert(*L);
    }
  }
  for (const int L : sizes) {
    if (known.contains(L)) continue;
    throw InputError(InputFault::unknown, "--L",
                     fmt::format("--L cannot be {} (these figures have {}). Choose among these.", L,
                                 known.empty() ? "no sizes" : fmt::format("L = {}", fmt::join(known, ", "))));
  }
  std::vector<Figure> kept;
  for (Figure& figure : figures) {
    const auto is_of_size = [&](const Series& series) { return size_of(series).has_value(); };
    const bool had_sizes = std::ranges::any_of(figure.series, is_of_size);
    const auto dropped = std::erase_if(figure.series, [&](const Series& series) {
      const std::optional<int> L = size_of(series);
      return L && std::ranges::find(sizes, *L) == sizes.end();
    });
    if (dropped > 0) {
      figure.inset.reset();
      std::erase_if(figure.series, [](const Series& series) { return series.name == crossings_name; });
    }
    if (!had_sizes || std::ranges::any_of(figure.series, is_of_size)) kept.push_back(std::move(figure));
  }
  return kept;
}

}  // namespace

std::vector<Option> print_option_rows() {
  return {choice("format", "FORMAT", "pdf, svg, png or eps (default pdf)", {"pdf", "svg", "png", "eps"}),
          choice("style", "STYLE",
                 "prl: one column of a Physical Review (8.6 cm), letters of 9 points; prl-wide: two (17.8 cm)",
                 {"prl", "prl-wide"}),
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
  if (parsed.has("style")) apply_style(parsed.options.at("style"), parsed, options);
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

std::vector<Option> arrangement_option_rows() {
  return {{"L", "L,L", "series of these sizes only (default: all)"},
          {"panels", "RxC", "figures as panels of one drawing: rows x columns, with labels (a), (b), ..."},
          {"inset", "A:B", "enlarges this part of the x axis in a corner; none: no inset (default: of crossings)"}};
}

Arrangement arrangement_of(const ParsedArguments& parsed) {
  Arrangement result;
  if (parsed.has("L")) read_value(ConfigEntry{"--L", parsed.options.at("L"), "command line"}, result.sizes);
  if (parsed.has("panels")) result.panels = grid_of(parsed.options.at("panels"));
  if (!parsed.has("inset")) return result;
  if (parsed.options.at("inset") == "none") {
    result.insets = Arrangement::Insets::none;
    return result;
  }
  result.insets = Arrangement::Insets::of_range;
  result.inset = range_of(parsed, "inset");
  if (!result.inset.low || !result.inset.high) {
    throw InputError(InputFault::missing, "--inset",
                     fmt::format("--inset cannot be '{}' (it needs both ends). Write A:B, for example 0.1:0.3.",
                                 parsed.options.at("inset")));
  }
  return result;
}

std::vector<Figure> arranged(std::vector<Figure> figures, const Arrangement& arrangement) {
  if (!arrangement.sizes.empty()) figures = of_sizes(std::move(figures), arrangement.sizes);
  for (Figure& figure : figures) {
    if (arrangement.insets == Arrangement::Insets::none) figure.inset.reset();
    if (arrangement.insets != Arrangement::Insets::of_range) continue;
    figure.inset = inset_around(figure, *arrangement.inset.low, *arrangement.inset.high);
    if (figure.inset) continue;
    throw InputError(InputFault::out_of_range, "--inset",
                     fmt::format("--inset cannot be {:g}:{:g} (figure {} has no point there). Choose the figures by "
                                 "--figures, or another part of their x axis.",
                                 *arrangement.inset.low, *arrangement.inset.high, figure.id));
  }
  const std::size_t places = arrangement.panels ? static_cast<std::size_t>(arrangement.panels->rows) *
                                                      static_cast<std::size_t>(arrangement.panels->columns)
                                                : figures.size();
  if (figures.size() > places) {
    throw InputError(InputFault::conflict, "--panels",
                     fmt::format("--panels has {} panels for {} figures. Choose figures by --figures, or more panels.",
                                 places, figures.size()));
  }
  return figures;
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
