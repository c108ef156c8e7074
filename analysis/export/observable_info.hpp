#pragma once

#include <string>

namespace glassworks {

/// What a number is, for the attributes of exported arrays.
struct ObservableInfo {
  std::string units;     ///< "J", "k_B", "1" (none), ...
  std::string equation;  ///< in the notation of README.md
};

/// Of a derived observable of make_estimators, or of a column of the bins and averages ("overlap_k(1,0,0)", ...).
/// Unknown names have the equation "".
[[nodiscard]] ObservableInfo describe_observable(const std::string& name);

/// One line on the notation that all equations share.
[[nodiscard]] const char* notation();

}  // namespace glassworks
