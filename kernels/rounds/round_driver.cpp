#include "kernels/rounds/round_driver.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace rounds {
namespace {

ChainState without_spins(const ChainState& s) { return {s.steps, s.slot, s.heading, s.round_trips, {}, {}, {}, {}}; }

/// One round of one realization. Exchanges and the walk are done by member 0.
class Round {
 public:
  Round(const Chain& chain, const RoundTask& task, std::unique_ptr<Replicas> replicas)
      : chain_(chain),
        task_(task),
        state_(without_spins(*task.state)),
        record_(empty_record(chain)),
        replicas_(std::move(replicas)),
        replica_at_(static_cast<std::size_t>(chain.slots())) {}

  /// Called by every member with its own index; all return the same outcome.
  RoundOutcome run(int member, Team& team, RoundControl& control) {
    const auto updates = static_cast<std::uint64_t>(chain_.updates_per_stretch());
    const bool measured = chain_.measurements > 0;
    const int steps = chain_.protocol.exchanges_per_measurement;
    for (int m = 0; m < chain_.stretches(); ++m) {
      for (int s = 0; s < steps; ++s) {
        if (member == 0) abandon_ = control.stop || team.broken();
        team.synchronize();
        if (abandon_) return RoundOutcome::abandoned;
        replicas_->step(state_, measured && s + 1 == steps, member, team);
        team.synchronize();
        if (member == 0) exchange();
      }
      team.synchronize();
      if (measured) {
        replicas_->measure(m, state_, record_, member, team);
        team.synchronize();
      }
      if (member != 0) continue;
      if (measured) record_walk(chain_, state_, record_);
      control.updates.fetch_add(updates, std::memory_order_relaxed);
    }
    if (member == 0) finish_record(chain_, record_);
    team.synchronize();
    return RoundOutcome::finished;
  }

  /// Hands state and record to the task. After all rounds of the batch are finished.
  void store() {
    replicas_->check(record_);
    state_.spins = std::move(task_.state->spins);
    state_.states = std::move(task_.state->states);
    state_.beside = std::move(task_.state->beside);
    replicas_->store(state_);
    *task_.state = std::move(state_);
    *task_.record = std::move(record_);
  }

 private:
  void exchange() {
    exchange_replicas(chain_, task_.realization, state_.steps, replicas_->energies().data(),
                      task_.disorder->energy_scale.unit(), state_, record_, replica_at_.data());
    ++state_.steps;
  }

  const Chain& chain_;
  const RoundTask& task_;
  ChainState state_;  ///< without spins: those are in the replicas
  RoundRecord record_;
  std::unique_ptr<Replicas> replicas_;
  std::vector<int> replica_at_;  ///< scratch of the exchange
  bool abandon_ = false;
};

}  // namespace

RoundOutcome run_rounds(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, int threads,
                        const MakeReplicas& make) {
  return run_in_teams<Round>(batch.size(), threads, control,
                             [&](std::optional<Round>& round, std::size_t task, Team& team) {
                               round.emplace(chain, batch[task], make(batch[task], team));
                             });
}

}}  // namespace glassworks::rounds
