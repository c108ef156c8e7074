#pragma once

#include <string>
#include <vector>

#include "analysis/observables/observable.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {

/// A derived observable of a campaign at one lattice size: a function of the disorder averages at one slot.
struct Estimator {
  std::string name;  ///< as in the CSV file
  AverageFunction value;
  bool of_pair = false;  ///< belongs to the slots t, t+1, so the last slot has none
};

/// All observables of the table (observables/) that the campaign has, in its order.
/// Source: Lee & Young, PRB 76, 024405 (2007); Yavors'kii & Weigel, Eur. Phys. J. Spec. Top. 210, 159 (2012), eq. (10).
[[nodiscard]] std::vector<Estimator> make_estimators(const Config& config, int L, const Columns& columns);

}}  // namespace glassworks::analysis
