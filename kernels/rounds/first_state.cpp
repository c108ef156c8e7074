#include "kernels/rounds/first_state.hpp"

#include "base/threads.hpp"

namespace glassworks { inline namespace rounds {

ChainState first_state(const Chain& chain, std::uint32_t realization, int threads) {
  ChainState state = state_without_spins(chain);
  parallel_for(state.slot.size(), threads,
               [&](std::size_t replica) { start_replica(chain, realization, replica, state); });
  return state;
}

}}  // namespace glassworks::rounds
