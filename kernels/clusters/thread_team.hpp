#pragma once

#include "kernels/core/threads.hpp"

namespace glassworks::inline clusters {

/// Runs work(rank, size, barrier) on `threads` threads at once, the caller being rank 0; on fewer where the system
/// gives no more. Throws what the first of them throws; the others then leave at their next barrier.
template <class Work>
void run_team(int threads, const Work& work) {
  ThreadTeam team(threads);
  BarrierGroup group;
  TeamBarrier barrier(team.size(), group);
  team.run([&](int rank) { work(rank, team.size(), barrier); }, [&] { group.break_all(); });
}

}  // namespace glassworks::inline clusters
