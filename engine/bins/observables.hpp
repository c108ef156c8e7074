#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/rounds/chain_observables.hpp"

namespace glassworks { inline namespace engine {

/// What the bins and samples of a campaign hold.
[[nodiscard]] ChainObservables observables_of(const Config& config);
/// The same where stored bins hold the observables of these names, in this order.
[[nodiscard]] ChainObservables observables_of(const Config& config, std::vector<std::string> stored);

}}  // namespace glassworks::engine
