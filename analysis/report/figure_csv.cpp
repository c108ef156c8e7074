#include "analysis/report/figure_csv.hpp"

#include <cstddef>

#include "analysis/report/document.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/safe_text.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string error_cell(const std::vector<double>& errors, std::size_t i) {
  return errors.empty() ? std::string() : shortest(errors[i]);
}

std::string cell(const std::string& label) { return csv_cell(plain_label(label)); }

}  // namespace

std::string series_rows(const Series& series) {
  std::string rows;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    rows += shortest(series.x[i]) + ',' + shortest(series.y[i]) + ',' + error_cell(series.y_error, i) + ',' +
            error_cell(series.x_error, i) + '\n';
  }
  return rows;
}

std::string guide_row(const Guide& guide) {
  const std::string at = shortest(guide.at), error = guide.error == 0.0 ? "" : shortest(guide.error);
  return guide.direction == Guide::Direction::vertical ? at + ",,," + error + '\n' : ',' + at + ',' + error + ",\n";
}

std::string figure_csv(const Figure& figure) {
  check_figure(figure);
  std::string text = "series,x,y,y_error,x_error\n";
  for (const Series& series : figure.series) {
    const std::string name = cell(series.name), rows = series_rows(series);
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = rows.find('\n', begin) + 1;
      text.append(name).append(",").append(rows, begin, end - begin);
      begin = end;
    }
  }
  for (const Guide& guide : figure.guides) text += cell(guide.label) + ',' + guide_row(guide);
  return text;
}

std::string table_csv(const Table& table) {
  std::string text;
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const std::vector<std::string>& row = k == 0 && !table.csv_heading.empty() ? table.csv_heading : table.rows[k];
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + cell(row[i]);
    text += '\n';
  }
  return text;
}

std::vector<std::string> csv_names(const Document& document) {
  std::vector<std::string> names;
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      names.push_back(file_stem(std::visit([](const auto& part) { return part.id; }, item)) + ".csv");
    }
  }
  return names;
}

void write_figures_csv(const std::filesystem::path& directory, const Document& document, Existing existing) {
  check_document(document);
  make_directory(directory);
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) {
        write_output(directory / (file_stem(figure->id) + ".csv"), figure_csv(*figure), existing);
      } else {
        const Table& table = std::get<Table>(item);
        write_output(directory / (file_stem(table.id) + ".csv"), table_csv(table), existing);
      }
    }
  }
}

}}  // namespace glassworks::analysis
