#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/core/team.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace rounds {

/// Runs the rounds of a batch on `threads` threads, including the calling one, or on fewer if the system grants fewer.
/// The threads form teams; each team takes one realization at a time from a common queue. States and records are stored
/// when all are done. Rethrows the first exception; the other threads then leave their barriers.
///
/// make   make(std::optional<Round>&, task, team) puts the round of a task in place
/// Round  run(member, team, control) is called by every member and returns the same outcome; store() hands the results
///        to the task
template <class Round, class Make>
RoundOutcome run_in_teams(std::size_t tasks, int threads, RoundControl& control, const Make& make) {
  if (tasks == 0) return RoundOutcome::finished;
  ThreadTeam all(threads);
  const int team_count = static_cast<int>(std::min(static_cast<std::size_t>(all.size()), tasks));
  BarrierGroup barriers;
  std::deque<Team> teams;
  std::vector<std::pair<std::size_t, int>> places;  // team and member [thread]
  for (int t = 0; t < team_count; ++t) {
    teams.emplace_back(all.size() / team_count + (t < all.size() % team_count ? 1 : 0), barriers);
    for (int member = 0; member < teams.back().size; ++member) places.emplace_back(t, member);
  }

  std::vector<std::optional<Round>> rounds(tasks);
  std::vector<std::size_t> current(teams.size());
  std::atomic<std::size_t> next{0}, finished{0};
  const auto work = [&](int rank) {
    const auto [t, member] = places[static_cast<std::size_t>(rank)];
    Team& team = teams[t];
    while (true) {
      if (member == 0) {
        current[t] = next.fetch_add(1);
        if (current[t] < tasks) make(rounds[current[t]], current[t], team);
      }
      team.synchronize();
      const std::size_t task = current[t];
      if (task >= tasks || rounds[task]->run(member, team, control) == RoundOutcome::abandoned) return;
      if (member == 0) ++finished;
    }
  };
  all.run(work, [&] { barriers.break_all(); });
  if (finished != tasks) return RoundOutcome::abandoned;
  for (auto& round : rounds) round->store();
  return RoundOutcome::finished;
}

}}  // namespace glassworks::rounds
