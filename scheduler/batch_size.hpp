#pragma once

#include "kernels/rounds/chain.hpp"

namespace glassworks::inline scheduler {

/// Most realizations that a worker takes at once where backend.batch is not set: what the backend prefers, or about
/// three seconds of simulation, so that a commit and its syncs are spread over them; never more than fit.
///
/// preferred          of the backend; 0: no preference
/// seconds_per_round  of one realization; 0: not measured yet
/// bytes              memory that the batch may take
[[nodiscard]] int automatic_batch(const Chain& chain, int preferred, double seconds_per_round, double bytes);

}  // namespace glassworks::inline scheduler
