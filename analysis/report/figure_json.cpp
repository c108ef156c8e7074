#include <fmt/format.h>

#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/series_look.hpp"
#include "analysis/report/text.hpp"

namespace glassworks::inline analysis {
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

std::string json_of(const Axis& axis) {
  return fmt::format(R"({{"label":{},"log":{}}})", json_text(html_label(axis.label)), axis.logarithmic);
}

/// name: with markup; cell: the same as figure_csv writes it.
std::string names(const std::string& label) {
  return fmt::format(R"("name":{},"cell":{})", json_text(html_label(label)), json_text(csv_cell(plain_label(label))));
}

}  // namespace

std::string figure_json(const Figure& figure) {
  std::string json = fmt::format(R"({{"file":{},"x":{},"y":{},"series":[)", json_text(file_stem(figure.id)),
                                 json_of(figure.x), json_of(figure.y));
  const FigureLooks looks = figure_looks(figure);
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const SeriesLook& look = looks.series[i];
    json += fmt::format(R"({}{{{},"legend":{},"style":"{}","colour":{},"symbol":{},"open":{},"dash":{},"rows":{}}})",
                        i > 0 ? "," : "", names(series.name),
                        json_text(html_label(short_label(look.legend, longest_in_legend))), name_of(series.style),
                        look.colour, look.symbol, look.open, look.dash, json_text(series_rows(series)));
  }
  json += R"(],"kinds":[)";
  for (std::size_t i = 0; i < looks.kinds.size(); ++i) {
    const LegendKind& kind = looks.kinds[i];
    json += fmt::format(R"({}{{"legend":{},"points":{},"open":{},"dash":{}}})", i > 0 ? "," : "",
                        json_text(html_label(kind.text)), kind.points, kind.open, kind.dash);
  }
  json += R"(],"guides":[)";
  for (std::size_t i = 0; i < figure.guides.size(); ++i) {
    const Guide& guide = figure.guides[i];
    json += fmt::format(R"({}{{{},"vertical":{},"row":{}}})", i > 0 ? "," : "", names(guide.label),
                        guide.direction == Guide::Direction::vertical, json_text(guide_row(guide)));
  }
  return json + "]}";
}

}  // namespace glassworks::inline analysis
