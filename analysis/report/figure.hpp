#pragma once

#include <string>
#include <variant>
#include <vector>

/// Figures and tables as data: the page, the files for print and the CSV all show the same numbers.
namespace glassworks::inline analysis {

/// Text of figures uses Unicode for symbols and _{...}, ^{...} for indices: "ξ_{L}/L", "χ_{SG}(k_{min})", "L^{1/ν}".
struct Axis {
  std::string label;
  bool logarithmic = false;
};

enum class SeriesStyle {
  points,  ///< with error bars where there are errors
  line,
  points_and_line,
  band,  ///< value +- error as a shaded band around a line
  bars   ///< of a histogram; x: centres
};

struct Series {
  std::string name;  ///< in the legend
  SeriesStyle style = SeriesStyle::points;
  std::vector<double> x = {}, y = {};
  std::vector<double> y_error = {};  ///< standard errors; empty: none
  std::vector<double> x_error = {};  ///< empty: none
  /// Series of one group have one colour and marker, as measured points and the fit through them: "L = 8". Empty: the
  /// name. Series of the same name also share the entry in the legend.
  std::string group = {};
};

/// A straight line across the figure with a label: T_c, zero, a known value.
struct Guide {
  enum class Direction { vertical, horizontal } direction = Direction::vertical;
  double at = 0.0;
  double error = 0.0;  ///< drawn as a band if not 0
  std::string label = {};
};

struct Figure {
  std::string id;  ///< unique in a document; name of files: "xi_over_L"
  std::string title = {}, caption = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Guide> guides = {};
};

/// A table of text, first row the heading; numbers are already formatted.
struct Table {
  std::string id, title, caption;
  std::vector<std::vector<std::string>> rows;
};

using Item = std::variant<Figure, Table>;

struct Section {
  std::string id, title;
  std::vector<std::string> paragraphs;  ///< plain sentences, before the items
  std::vector<Item> items;
};

/// A whole report.
struct Document {
  std::string title;
  std::vector<std::string> verdict;  ///< in words; the first sentence says it all
  std::vector<Section> sections;
  std::vector<std::vector<std::string>> provenance;  ///< rows of (what, value)
  std::string configuration;                         ///< canonical text
};

}  // namespace glassworks::inline analysis
