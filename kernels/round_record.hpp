#pragma once

#include "kernels/chain.hpp"
#include "kernels/observables.hpp"

namespace glassworks {

/// A record of the right shape, all zero.
[[nodiscard]] RoundRecord empty_record(const Chain& chain, const ObservableLayout& layout);

/// Adds the temperature walk as it stands at a measurement.
void record_walk(const Chain& chain, const ChainState& state, RoundRecord& record);

/// Turns the sums over measurements into means.
void finish_record(const Chain& chain, RoundRecord& record);

}  // namespace glassworks
