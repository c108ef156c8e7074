#include "scheduler/batch_size.hpp"

#include <algorithm>

#include "engine/memory.hpp"

namespace glassworks::inline scheduler {

int automatic_batch(const Chain& chain, int preferred, double seconds_per_round, double bytes) {
  constexpr double target_seconds = 3.0, guessed_seconds_per_update = 1.0e-9, smallest = 8.0, largest = 256.0;
  const double one =
      seconds_per_round > 0.0 ? seconds_per_round : chain.updates_per_round() * guessed_seconds_per_update;
  const double wanted = preferred > 0 ? preferred : std::clamp(target_seconds / one, smallest, largest);
  const double fitting = bytes / realization_bytes(chain.lattice, chain.slots(), chain.copies, chain.model);
  return static_cast<int>(std::max(std::min(wanted, fitting), 1.0));
}

}  // namespace glassworks::inline scheduler
