#pragma once

#include <barrier>
#include <latch>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace glassworks::cluster {

/// Runs work(rank, size, barrier) on `threads` threads at once, the caller being rank 0; on fewer where the system
/// gives no more. `work` must not throw.
template <class Work>
void run_team(int threads, Work&& work) {
  std::unique_ptr<std::barrier<>> barrier;
  std::latch ready(1);
  int size = 1;
  std::vector<std::jthread> team;
  team.reserve(static_cast<std::size_t>(threads > 1 ? threads - 1 : 0));
  try {
    for (int rank = 1; rank < threads; ++rank) {
      team.emplace_back([&, rank] {
        ready.wait();
        work(rank, size, *barrier);
      });
      ++size;
    }
  } catch (const std::system_error&) {  // those that have started share the work
  }
  barrier = std::make_unique<std::barrier<>>(size);
  ready.count_down();
  work(0, size, *barrier);
}

}  // namespace glassworks::cluster
