#pragma once

#include "base/threads.hpp"

namespace glassworks { inline namespace core {

/// Threads that work on one thing together and meet at its barrier.
struct Team {
  Team(int members, BarrierGroup& group) : size(members), barriers(group), barrier(members, group) {}
  int size;
  BarrierGroup& barriers;  ///< all that a member may wait at
  TeamBarrier barrier;

  void synchronize() {
    if (size > 1) barrier.arrive_and_wait();
  }
  /// Whether a thread has failed, so that what they do has to be abandoned.
  [[nodiscard]] bool broken() const { return barriers.broken(); }
};

/// Runs work(member, team) on `threads` threads at once, the caller being member 0; on fewer where the system gives no
/// more. Throws what the first of them throws; the others then leave at their next barrier.
template <class Work>
void run_team(int threads, const Work& work) {
  ThreadTeam all(threads);
  BarrierGroup barriers;
  Team team(all.size(), barriers);
  all.run([&](int member) { work(member, team); }, [&] { barriers.break_all(); });
}

}}  // namespace glassworks::core
