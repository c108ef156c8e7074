#pragma once

#include <vector>

namespace glassworks::inline engine {

struct DisorderConfig {
  std::vector<int> realizations;  ///< one entry: for all sizes; else one per size
};

/// Rows of the keys disorder.*; see KeyRows.
template <class Rows>
void disorder_keys(const Rows& rows) {
  rows.threshold("disorder.realizations", {1, 1e7}, &DisorderConfig::realizations,
                 "disorder realizations of each size, or independent runs where all J are 1")
      .required();
}

}  // namespace glassworks::inline engine
