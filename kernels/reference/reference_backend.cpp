#include "kernels/reference/reference_backend.hpp"

#include <utility>
#include <vector>

#include "kernels/cluster/cluster_round.hpp"
#include "kernels/exchange.hpp"
#include "kernels/reference/reference_replica.hpp"
#include "kernels/round_record.hpp"

namespace glassworks {
namespace {

class ReferenceRound {
 public:
  ReferenceRound(const Chain& chain, const RoundTask& task)
      : chain_(chain),
        task_(task),
        state_(*task.state),
        measurement_(chain, task.disorder->energy_scale),
        record_(empty_record(chain)),
        energy_(static_cast<std::size_t>(chain.replicas())),
        replica_at_(static_cast<std::size_t>(chain.slots())) {
    const auto spins_per_replica = static_cast<std::size_t>(3 * chain.lattice.sites());
    for (std::size_t r = 0; r < energy_.size(); ++r) {
      replicas_.emplace_back(chain_, *task.disorder, task.realization, static_cast<std::uint32_t>(r),
                             state_.spins.data() + r * spins_per_replica);
    }
  }

  RoundOutcome run(RoundControl& control) {
    const auto steps = static_cast<std::uint64_t>(chain_.protocol.exchanges_per_measurement);
    const auto updates = static_cast<std::uint64_t>(chain_.updates_per_round() / chain_.measurements);
    for (int m = 0; m < chain_.measurements; ++m) {
      for (std::uint64_t s = 0; s < steps; ++s) {
        if (control.stop.load(std::memory_order_relaxed)) return RoundOutcome::abandoned;
        step();
      }
      measure();
      control.updates.fetch_add(updates, std::memory_order_relaxed);
    }
    finish_record(chain_, record_);
    return RoundOutcome::finished;
  }

  void store() {
    *task_.state = std::move(state_);
    *task_.record = std::move(record_);
  }

 private:
  void step() {
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      replicas_[r].sweep(state_.steps, chain_.beta[state_.slot[r]]);
      energy_[r] = -replicas_[r].energy();
    }
    exchange_replicas(chain_, task_.realization, state_.steps, energy_.data(), task_.disorder->energy_scale.unit(),
                      state_, record_, replica_at_.data());
    ++state_.steps;
  }

  void measure() {
    if (chain_.protocol.heatbath == 0) {
      for (ReferenceReplica& r : replicas_) r.renormalize();
    }
    std::vector<std::vector<std::size_t>> at(static_cast<std::size_t>(chain_.slots()));  // [slot][copy] -> replica
    for (std::size_t r = 0; r < replicas_.size(); ++r) at[state_.slot[r]].push_back(r);
    const SamplePlaces samples(chain_, record_.measurements, measurement_.samples(), record_);
    for (std::size_t slot = 0; slot < at.size(); ++slot) {
      std::vector<ReplicaSums> replica_sums;
      std::vector<PairSums> pairs;
      for (std::size_t a = 0; a < at[slot].size(); ++a) {
        replica_sums.push_back(replicas_[at[slot][a]].sums());
        for (std::size_t b = a + 1; b < at[slot].size(); ++b) {
          pairs.push_back(pair_sums(chain_, replicas_[at[slot][a]], replicas_[at[slot][b]], measurement_.empty_pair()));
        }
      }
      double* bin = record_.mean.data() + slot * static_cast<std::size_t>(measurement_.layout().size());
      measurement_.add(replica_sums.data(), pairs.data(), bin, samples.of_slot(static_cast<int>(slot)));
    }
    record_walk(chain_, state_, record_);
  }

  const Chain& chain_;
  const RoundTask& task_;
  ChainState state_;
  Measurement measurement_;
  RoundRecord record_;
  std::vector<ReferenceReplica> replicas_;
  std::vector<std::int64_t> energy_;
  std::vector<int> replica_at_;
};

class ReferenceBackend final : public Backend {
 public:
  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    if (chain.model.kind != ModelKind::heisenberg) return run_reference_cluster_round(chain, batch, control);
    std::vector<ReferenceRound> rounds;
    rounds.reserve(batch.size());
    for (const RoundTask& task : batch) {
      if (rounds.emplace_back(chain, task).run(control) == RoundOutcome::abandoned) return RoundOutcome::abandoned;
    }
    for (ReferenceRound& round : rounds) round.store();
    return RoundOutcome::finished;
  }

  [[nodiscard]] std::string description() const override { return "reference (scalar, 1 thread)"; }
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend() { return std::make_unique<ReferenceBackend>(); }

}  // namespace glassworks
