#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glassworks { inline namespace analysis {

/// Values of an observable from elsewhere, to be shown beside those of a campaign.
struct ReferencePoints {
  std::string observable;
  int L = 0;
  std::vector<double> temperatures, mean, error;
};

/// Reads a tidy CSV file with at least the columns L, T, observable, mean, error in any order, as `glassworks analyze
/// --csv` writes it; lines that start with # are ignored. L is a whole number, T is positive; nan is allowed for a mean
/// or an error only. Throws InputError with one sentence that names file and line.
[[nodiscard]] std::vector<ReferencePoints> read_reference(const std::filesystem::path& file);

}}  // namespace glassworks::analysis
