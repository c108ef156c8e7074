#include "kernels/cpu/lanes/lane_replicas.hpp"

#include "kernels/rounds/exchange.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// Calls body(i) for the share of [0, count) that falls to a member.
template <class Body>
void for_share(std::size_t count, int member, const Team& team, const Body& body) {
  const auto stride = static_cast<std::size_t>(team.size);
  for (auto i = static_cast<std::size_t>(member); i < count; i += stride) body(i);
}

}  // namespace

LaneReplicas::LaneReplicas(const Chain& chain, const RoundTask& task, const SweepPlan& plan, int team_size)
    : chain_(chain),
      plan_(plan),
      energy_(static_cast<std::size_t>(chain.replicas())),
      replica_at_(static_cast<std::size_t>(chain.replicas())) {
  for (int first = 0; first < chain.replicas(); first += bundle_lanes) {
    bundles_.emplace_back(chain, *task.disorder, task.realization, first).load(*task.state);
  }
  for (int member = 0; member < team_size; ++member) {
    measurements_.emplace_back(chain, *task.disorder, *plan.kernels, *plan.lattice);
  }
}

void LaneReplicas::step(const ChainState& state, bool observe, int member, Team& team) {
  std::int64_t* const energies = observe || exchanges_move_replicas(chain_) ? energy_.data() : nullptr;
  for_share(bundles_.size(), member, team,
            [&](std::size_t b) { bundles_[b].sweep(plan_, state.steps, state.slot.data(), energies); });
}

void LaneReplicas::measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) {
  if (!Step(chain_).ends_with_heat_bath()) {
    for_share(bundles_.size(), member, team, [&](std::size_t b) { bundles_[b].renormalize(plan_, energy_.data()); });
  }
  for_share(bundles_.size(), member, team, [&](std::size_t b) { bundles_[b].clear_absent(); });
  if (member == 0) {
    for (std::size_t r = 0; r < state.slot.size(); ++r) {
      const std::size_t copy = r / static_cast<std::size_t>(chain_.slots());
      replica_at_[copy * static_cast<std::size_t>(chain_.slots()) + state.slot[r]] = static_cast<int>(r);
    }
  }
  team.synchronize();
  const SamplePlaces places(chain_, m, measurements_.front().layout().sample_size(), record);
  for (int group = member; group < CpuMeasurement::groups(chain_); group += team.size) {
    measurements_[static_cast<std::size_t>(member)].measure(group, bundles_, replica_at_.data(), energy_.data(),
                                                            record.mean.data(), places);
  }
}

void LaneReplicas::store(ChainState& state) {
  for (CpuBundle& b : bundles_) {
    b.clear_absent();
    b.store(state);
  }
}

}}  // namespace glassworks::cpu
