#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "kernels/core/threads.hpp"

namespace glassworks::inline scheduler {

/// Calls body(i) for i in [0, count) on up to `threads` threads. Rethrows the first exception after all have ended.
template <class Body>
void parallel_for(std::size_t count, int threads, const Body& body) {
  std::atomic<std::size_t> next{0};
  ThreadTeam team(static_cast<int>(std::min(count, static_cast<std::size_t>(std::max(threads, 1)))));
  const auto work = [&](int) {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  team.run(work, [&] { next = count; });
}

}  // namespace glassworks::inline scheduler
