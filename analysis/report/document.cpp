#include "analysis/report/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <system_error>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {
namespace fs = std::filesystem;
namespace {

/// Notes a name, which must be new.
void claim(std::set<std::string>& names, const std::string& id) {
  if (!names.insert(file_stem(id)).second) {
    throw std::invalid_argument(
        fmt::format("the report cannot be written (two of its parts are called '{}'). Give every section, figure and "
                    "table an id of its own.",
                    id));
  }
}

}  // namespace

void check_figure(const Figure& figure) {
  for (const Series& series : figure.series) {
    const auto fits = [&](const std::vector<double>& errors) {
      return errors.empty() || errors.size() == series.x.size();
    };
    if (series.y.size() != series.x.size() || !fits(series.y_error) || !fits(series.x_error)) {
      throw std::invalid_argument(fmt::format(
          "figure {} cannot be drawn (series '{}' has {} x, {} y, {} errors of y and {} of x). Give as many "
          "of each, or no errors.",
          figure.id, series.name, series.x.size(), series.y.size(), series.y_error.size(), series.x_error.size()));
    }
  }
}

void check_document(const Document& document) {
  std::set<std::string> sections, items;
  for (const Section& section : document.sections) {
    claim(sections, section.id);
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) {
        claim(items, figure->id);
        check_figure(*figure);
      } else {
        claim(items, std::get<Table>(item).id);
      }
    }
  }
}

std::string file_stem(std::string_view id) {
  std::string stem(id);
  for (char& c : stem) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
  }
  return stem.empty() ? "_" : stem;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!fs::is_directory(directory)) {
    throw InputError(InputFault::unusable_file, directory.string(),
                     fmt::format("the directory {} cannot be made ({}). Name another one.", directory.string(),
                                 error ? error.message() : "a file has this name"));
  }
}

}}  // namespace glassworks::analysis
