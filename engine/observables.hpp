#pragma once

#include "engine/config.hpp"
#include "kernels/rounds/chain_observables.hpp"

namespace glassworks::inline engine {

/// What the bins and samples of a campaign hold.
[[nodiscard]] ChainObservables observables_of(const Config& config);

}  // namespace glassworks::inline engine
