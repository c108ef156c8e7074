#include "kernels/cpu/cpu_round.hpp"

#include <utility>

#include "kernels/exchange.hpp"
#include "kernels/round_record.hpp"

namespace glassworks {
namespace {

ChainState without_spins(const ChainState& s) { return {s.steps, s.slot, s.heading, s.round_trips, {}, {}}; }

/// Calls body(i) for the share of [0, count) that falls to a member.
template <class Body>
void for_share(std::size_t count, int member, const CpuTeam& team, const Body& body) {
  const auto stride = static_cast<std::size_t>(team.size);
  for (auto i = static_cast<std::size_t>(member); i < count; i += stride) body(i);
}

}  // namespace

CpuRound::CpuRound(const Chain& chain, const RoundTask& task, const SweepPlan& plan, int team_size)
    : chain_(chain),
      task_(task),
      plan_(plan),
      state_(without_spins(*task.state)),
      energy_(static_cast<std::size_t>(chain.replicas())),
      replica_at_(static_cast<std::size_t>(chain.replicas())) {
  for (int first = 0; first < chain.replicas(); first += bundle_lanes) {
    bundles_.emplace_back(chain, *task.disorder, task.realization, first).load(*task.state);
  }
  for (int member = 0; member < team_size; ++member) {
    measurements_.emplace_back(chain, *task.disorder, *plan.kernels, *plan.lattice);
  }
  record_ = empty_record(chain);
}

RoundOutcome CpuRound::run(int member, CpuTeam& team, RoundControl& control) {
  const auto updates = static_cast<std::uint64_t>(chain_.updates_per_round() / chain_.measurements);
  for (int m = 0; m < chain_.measurements; ++m) {
    for (int s = 0; s < chain_.protocol.exchanges_per_measurement; ++s) {
      if (member == 0) abandon_ = team.has_to_stop(control);
      team.synchronize();
      if (abandon_) return RoundOutcome::abandoned;
      step(member, team);
    }
    measure(m, member, team);
    if (member == 0) control.updates.fetch_add(updates, std::memory_order_relaxed);
  }
  if (member == 0) finish_record(chain_, record_);
  team.synchronize();
  return RoundOutcome::finished;
}

void CpuRound::step(int member, CpuTeam& team) {
  for_share(bundles_.size(), member, team,
            [&](std::size_t b) { bundles_[b].sweep(plan_, state_.steps, state_.slot.data(), energy_.data()); });
  team.synchronize();
  if (member == 0) {
    exchange_replicas(chain_, task_.realization, state_.steps, energy_.data(), task_.disorder->energy_scale.unit(),
                      state_, record_, replica_at_.data());
    ++state_.steps;
  }
}

void CpuRound::measure(int m, int member, CpuTeam& team) {
  if (chain_.protocol.heatbath == 0) {
    team.synchronize();  // the exchange before this has read the energies
    for_share(bundles_.size(), member, team, [&](std::size_t b) { bundles_[b].renormalize(plan_, energy_.data()); });
  }
  if (member == 0) {
    for (std::size_t r = 0; r < state_.slot.size(); ++r) {
      const std::size_t copy = r / static_cast<std::size_t>(chain_.slots());
      replica_at_[copy * static_cast<std::size_t>(chain_.slots()) + state_.slot[r]] = static_cast<int>(r);
    }
    record_walk(chain_, state_, record_);
  }
  team.synchronize();
  const SamplePlaces places(chain_, m, measurements_.front().samples(), record_);
  for (int group = member; group < CpuMeasurement::groups(chain_); group += team.size) {
    measurements_[static_cast<std::size_t>(member)].measure(group, bundles_, replica_at_.data(), energy_.data(),
                                                            record_.mean.data(), places);
  }
  team.synchronize();
}

void CpuRound::store() {
  state_.spins = std::move(task_.state->spins);
  for (const CpuBundle& b : bundles_) b.store(state_);
  *task_.state = std::move(state_);
  *task_.record = std::move(record_);
}

}  // namespace glassworks
