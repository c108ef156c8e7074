#pragma once

#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Everything that round.observables may name.
[[nodiscard]] LocalSelection all_local_observables();
/// Those that a model has.
[[nodiscard]] LocalSelection local_observables_of(const SpinModel& model);
/// Names of those of a selection, in the order of its bits.
[[nodiscard]] std::vector<std::string> local_names(LocalSelection selection);

}}  // namespace glassworks::rounds
