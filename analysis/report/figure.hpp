#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Figures and tables as data: the page, the files for print and the CSV all show the same numbers.
namespace glassworks { inline namespace analysis {

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
  /// text of the legend.
  std::string group = {};
  /// Text of the legend; empty: the name. Series of one text share the entry. Of "L = 8, median" the part after the
  /// comma is a kind, with an entry of its own (series_looks).
  std::string legend = {};
};

/// A straight line across the figure with a label: T_c, zero, a known value.
struct Guide {
  enum class Direction { vertical, horizontal } direction = Direction::vertical;
  double at = 0.0;
  double error = 0.0;  ///< drawn as a band if not 0
  std::string label = {};
};

/// A part of a figure that is drawn enlarged in an empty corner of it, with linear axes: where curves cross.
struct Inset {
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
};

struct Figure {
  std::string id;  ///< unique in a document; name of files: "xi_over_L"
  std::string title = {}, caption = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Guide> guides = {};
  /// All lattice sizes of the document, ascending: each has one colour and marker in all figures. Empty: those of this
  /// figure.
  std::vector<int> sizes = {};
  std::optional<Inset> inset = {};
};

/// A table of text, first row the heading; numbers are already formatted.
struct Table {
  std::string id = {}, title = {}, caption = {};
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::string> csv_heading = {};  ///< of the CSV file; empty: the first row without markup
  /// What the page shows in place of a cell: "ξ_{L}/L" of "xi_over_L". The CSV file keeps the cell.
  std::map<std::string, std::string> shown = {};
};

using Item = std::variant<Figure, Table>;

struct Section {
  std::string id, title;
  std::vector<std::string> paragraphs;  ///< plain sentences, before the items
  std::vector<Item> items;
  bool folded = false;  ///< closed until a reader opens it; the page shows its title
};

/// A whole report.
struct Document {
  std::string title;
  std::string headline = {};         ///< one line: what was simulated, when and at what cost
  std::vector<std::string> verdict;  ///< in words: what the table of the verdict, if there is one, does not say
  std::vector<Section> sections;
  std::vector<std::vector<std::string>> provenance;  ///< rows of (what, value)
  std::string configuration;                         ///< canonical text
  /// Above the sentences of the verdict, a row for each size; empty: there is none. It is no item of a section.
  Table verdict_table = {};
};

}}  // namespace glassworks::analysis
