#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "kernels/backend.hpp"

namespace glassworks {

/// Threads that work on one realization together.
struct CpuTeam {
  explicit CpuTeam(int members) : size(members), barrier(members) {}
  int size;
  std::barrier<> barrier;

  void synchronize() {
    if (size > 1) barrier.arrive_and_wait();
  }
};

/// Runs the rounds of a batch on `threads` threads, the calling one included. They are shared out in teams: one
/// realization per team at a time, the next one from a common queue. States and records are stored when all are done.
///
/// make   make(std::optional<Round>&, task, team_size) puts the round of a task in place
/// Round  run(member, team, control) is called by every member and returns the same outcome; store() hands the results
///        to the task
template <class Round, class Make>
RoundOutcome run_in_teams(std::size_t tasks, int threads, RoundControl& control, const Make& make) {
  if (tasks == 0) return RoundOutcome::finished;
  const int team_count = static_cast<int>(std::min(static_cast<std::size_t>(threads), tasks));
  std::deque<CpuTeam> teams;
  for (int t = 0; t < team_count; ++t) teams.emplace_back(threads / team_count + (t < threads % team_count ? 1 : 0));

  std::vector<std::optional<Round>> rounds(tasks);
  std::vector<std::size_t> current(teams.size());
  std::atomic<std::size_t> next{0}, finished{0};
  const auto work = [&](std::size_t t, int member) {
    CpuTeam& team = teams[t];
    while (true) {
      if (member == 0) {
        current[t] = next.fetch_add(1);
        if (current[t] < tasks) make(rounds[current[t]], current[t], team.size);
      }
      team.synchronize();
      const std::size_t task = current[t];
      if (task >= tasks || rounds[task]->run(member, team, control) == RoundOutcome::abandoned) return;
      if (member == 0) ++finished;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t t = 0; t < teams.size(); ++t) {
      for (int member = 0; member < teams[t].size; ++member) {
        if (t > 0 || member > 0) helpers.emplace_back(work, t, member);
      }
    }
    work(0, 0);
  }
  if (finished != tasks) return RoundOutcome::abandoned;
  for (auto& round : rounds) round->store();
  return RoundOutcome::finished;
}

}  // namespace glassworks
