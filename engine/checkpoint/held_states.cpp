#include "engine/checkpoint/held_states.hpp"

#include "base/digest.hpp"
#include "base/threads.hpp"
#include "engine/checkpoint/checkpoint.hpp"

namespace glassworks { inline namespace engine {

std::vector<std::string> state_digests(const HeldBatch& held, std::size_t tasks, int threads) {
  std::vector<std::string> digests(tasks);
  const std::vector<StateDigest> made = held.digests();
  parallel_for(tasks, threads, [&](std::size_t i) {
    if (!made.empty()) {
      digests[i] = hexadecimal(made[i]);
    } else if (const ChainState* state = held.state_in_memory(i)) {
      digests[i] = state_digest(*state);
    } else {
      digests[i] = state_digest(held.state(i));
    }
  });
  return digests;
}

}}  // namespace glassworks::engine
