#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace analysis {

/// Throws std::invalid_argument with one sentence if the lists of a series have different lengths.
void check_figure(const Figure& figure);

/// Checks every figure, and that no two sections, figures or tables have the same name of file.
void check_document(const Document& document);

/// The id as a name of files and anchors: everything but ASCII letters, digits, - and _ becomes _.
[[nodiscard]] std::string file_stem(std::string_view id);

/// Makes a directory and those above it. Throws InputError.
void make_directory(const std::filesystem::path& directory);

}}  // namespace glassworks::analysis
