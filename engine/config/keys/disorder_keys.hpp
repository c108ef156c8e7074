#pragma once

#include <vector>

namespace glassworks { inline namespace engine {

struct DisorderConfig {
  std::vector<int> realizations;  ///< one entry: for all sizes; else one per size
  int first_realization = 0;      ///< number of the first one of every size
};

/// Rows of the keys disorder.*; see KeyRows.
template <class Rows>
void disorder_keys(const Rows& rows) {
  rows.threshold("disorder.realizations", {1, 1e7}, &DisorderConfig::realizations,
                 "disorder realizations of each size, or independent runs where all J are 1")
      .required();
  rows.number("disorder.first", {0, 1e7}, &DisorderConfig::first_realization,
              "number of the first realization: campaigns that differ in it have different disorder and can be "
              "analysed together")
      .only_of([](const auto& config) { return config.disorder.first_realization != 0; });
}

}}  // namespace glassworks::engine
