#include "analysis/report/palette.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/json_writer.hpp"

namespace glassworks { inline namespace analysis {

std::string look_json() {
  JsonWriter json;
  json.begin_object();
  const auto list = [&](const char* name, const auto& all, const auto& text_of) {
    json.key(name).begin_array();
    for (const auto& one : all) json.value(text_of(one));
    json.end_array();
  };
  const auto itself = [](const char* colour) { return colour; };
  list("light", palette, itself);
  list("dark", dark_palette, itself);
  list("symbols", markers, [](const Marker& marker) { return marker.page; });
  return json.end_object().script();
}

std::string palette_style() {
  const auto classes = [](const auto& colours) {
    std::string text;
    for (std::size_t i = 0; i < colours.size(); ++i) text += fmt::format(".c{} {{ color: {}; }} ", i, colours[i]);
    return text;
  };
  return classes(palette) + "\n@media (prefers-color-scheme: dark) { " + classes(dark_palette) + "}\n";
}

std::string gnuplot_look() {
  std::vector<int> points;
  for (const Marker& marker : markers) points.push_back(marker.filled);
  return fmt::format(
      "# Colours and markers of the page and of `glassworks plot` (analysis/report/palette.hpp), for the scripts "
      "here.\n"
      "colours = '{}'\npoints = '{}'\n",
      fmt::join(palette, " "), fmt::join(points, " "));
}

}}  // namespace glassworks::analysis
