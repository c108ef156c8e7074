#pragma once

#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Everything that round.observables may name.
[[nodiscard]] LocalSelection all_local_observables();
/// Those that a model has.
[[nodiscard]] LocalSelection local_observables_of(const SpinModel& model);
/// Whether the terms of those of a selection, all of which are of single replicas, are defined on graphs.
[[nodiscard]] bool are_on_graphs(LocalSelection selection);
/// Names of those of a selection, in the order of its bits.
[[nodiscard]] std::vector<std::string> local_names(LocalSelection selection);

}}  // namespace glassworks::rounds
