#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "base/output_file.hpp"

namespace glassworks { inline namespace analysis {

/// Tidy rows with the heading series,x,y,y_error,x_error: every number of the figure, series by series, then its
/// guides (a vertical one has only x and x_error, a horizontal one only y and y_error). Shortest decimals that read
/// back to the same double; "nan" where there is no number, nothing where there is no error. Names without markup.
[[nodiscard]] std::string figure_csv(const Figure& figure);

/// The lines x,y,y_error,x_error of one series; the parts of figure_csv after the name.
[[nodiscard]] std::string series_rows(const Series& series);
/// The line x,y,y_error,x_error of a guide.
[[nodiscard]] std::string guide_row(const Guide& guide);

/// The cells of a table, without markup.
[[nodiscard]] std::string table_csv(const Table& table);

/// Names of the files that write_figures_csv writes.
[[nodiscard]] std::vector<std::string> csv_names(const Document& document);

/// Writes ID.csv for every figure and table into a directory, which is made if it is missing. Throws as write_output.
void write_figures_csv(const std::filesystem::path& directory, const Document& document, Existing existing);

}}  // namespace glassworks::analysis
