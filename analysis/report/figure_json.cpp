#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/plot_range.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/report/series_look.hpp"
#include "base/json_writer.hpp"

namespace glassworks { inline namespace analysis {
namespace {

const char* name_of(SeriesStyle style) {
  switch (style) {
    case SeriesStyle::points:
      return "points";
    case SeriesStyle::line:
      return "line";
    case SeriesStyle::points_and_line:
      return "points_and_line";
    case SeriesStyle::band:
      return "band";
    case SeriesStyle::bars:
      return "bars";
  }
  return "points";
}

void write_axis(JsonWriter& json, const char* name, const Axis& axis) {
  json.key(name).begin_object().field("label", html_label(axis.label)).field("log", axis.logarithmic).end_object();
}

/// name: with markup; cell: the same as figure_csv writes it.
void write_names(JsonWriter& json, const std::string& label) {
  json.field("name", html_label(label)).field("cell", csv_cell(plain_label(label)));
}

}  // namespace

std::string figure_json(const Figure& figure) {
  JsonWriter json;
  json.begin_object().field("file", file_stem(figure.id));
  write_axis(json, "x", figure.x);
  write_axis(json, "y", figure.y);
  json.key("series").begin_array();
  const FigureLooks looks = figure_looks(figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const SeriesLook& look = looks.series[i];
    json.begin_object();
    write_names(json, series.name);
    json.field("legend", html_label(short_label(look.legend, longest_in_legend)));
    json.field("style", name_of(series.style)).field("colour", look.colour).field("symbol", look.symbol);
    json.field("open", look.open).field("dash", look.dash).field("rows", series_rows(series)).end_object();
  }
  json.end_array().key("kinds").begin_array();
  for (const LegendKind& kind : looks.kinds) {
    json.begin_object().field("legend", html_label(kind.text)).field("points", kind.points);
    json.field("open", kind.open).field("dash", kind.dash).end_object();
  }
  json.end_array().key("guides").begin_array();
  for (const Guide& guide : figure.guides) {
    json.begin_object();
    write_names(json, guide.label);
    json.field("vertical", guide.direction == Guide::Direction::vertical).field("row", guide_row(guide)).end_object();
  }
  json.end_array();
  if (const std::optional<LegendPlace> place = inset_place(figure, plot_ranges(figure))) {
    const Inset& inset = *figure.inset;
    json.key("inset").begin_object();
    json.key("x").begin_array().value(inset.x_low).value(inset.x_high).end_array();
    json.key("y").begin_array().value(inset.y_low).value(inset.y_high).end_array();
    json.field("right", is_right(*place));
    json.field("top", is_top(*place)).end_object();
  }
  return json.end_object().script();
}

}}  // namespace glassworks::analysis
