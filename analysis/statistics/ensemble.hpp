#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace glassworks { inline namespace analysis {

/// Thermal averages of every realization of one lattice size at a list of temperatures: the slots of its ladder, or any
/// temperatures in between (reweighting). What all resampling starts from.
struct Ensemble {
  int L = 0;
  std::vector<double> temperatures;         ///< ascending
  std::vector<std::string> columns;         ///< names of the averaged quantities
  std::vector<std::uint32_t> realizations;  ///< ids, ascending
  std::vector<double> values;               ///< [realization][temperature][column]

  /// Averages of one realization at one temperature [column].
  [[nodiscard]] std::span<const double> at(std::size_t realization, std::size_t temperature) const {
    return std::span(values).subspan((realization * temperatures.size() + temperature) * columns.size(),
                                     columns.size());
  }
};

}}  // namespace glassworks::analysis
