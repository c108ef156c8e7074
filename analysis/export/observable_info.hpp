#pragma once

#include <string>

#include "analysis/observables/observable.hpp"

namespace glassworks { inline namespace analysis {

/// What a number is, for the attributes of exported arrays.
struct ObservableInfo {
  std::string units;     ///< "J", "k_B", "1" (none), ...
  std::string equation;  ///< in the notation of docs/observables.md
};

/// Of a derived observable of make_estimators, or of a column of the bins and averages ("overlap_k(1,0,0)", ...).
/// Unknown names have the equation "".
[[nodiscard]] ObservableInfo describe_observable(const std::string& name);

}}  // namespace glassworks::analysis
