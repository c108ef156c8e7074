#include "kernels/reference/reference_backend.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/reference/reference_cluster_replica.hpp"
#include "kernels/reference/reference_replica.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/round_driver.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace reference {
namespace {

/// The replicas of a realization of heisenberg, dealt out to the members of the team.
class ReferenceReplicas final : public Replicas {
 public:
  ReferenceReplicas(const Chain& chain, const RoundTask& task)
      : chain_(chain),
        spins_(task.state->spins),
        beside_(beside_at_start(chain, *task.disorder, task.realization, *task.state)),
        proposed_(proposals_of_step(chain, *task.disorder)),
        last_slot_(task.state->slot),
        measurement_(chain, task.disorder->energy_scale),
        energy_(static_cast<std::size_t>(chain.replicas())),
        sums_(static_cast<std::size_t>(chain.slots())) {
    const auto table = std::make_shared<const LatticeTable>(chain.lattice);
    const auto spins_per_replica = static_cast<std::size_t>(3 * chain.lattice.sites());
    for (std::size_t r = 0; r < energy_.size(); ++r) {
      replicas_.emplace_back(chain_, *task.disorder, task.realization, static_cast<std::uint32_t>(r),
                             spins_.data() + r * spins_per_replica, table, beside_.data());
    }
  }

  void step(const ChainState& state, bool observe, int member, Team& team) override {
    if (member == 0 && observe) last_slot_ = state.slot;
    for (auto r = static_cast<std::size_t>(member); r < replicas_.size(); r += static_cast<std::size_t>(team.size)) {
      replicas_[r].sweep(state.steps, state.slot[r]);
      energy_[r] = -replicas_[r].energy();
    }
  }

  std::span<const std::int64_t> energies() override { return energy_; }

  void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) override {
    std::vector<std::vector<std::size_t>> at(static_cast<std::size_t>(chain_.slots()));  // [slot][copy] -> replica
    for (std::size_t r = 0; r < replicas_.size(); ++r) at[state.slot[r]].push_back(r);
    for (auto slot = static_cast<std::size_t>(member); slot < at.size(); slot += static_cast<std::size_t>(team.size)) {
      sums_[slot] = sums_of(at[slot]);
    }
    team.synchronize();
    if (member != 0) return;
    const SamplePlaces samples(chain_, m, measurement_.layout().sample_size(), record);
    for (std::size_t slot = 0; slot < at.size(); ++slot) {
      double* bin = record.mean.data() + slot * static_cast<std::size_t>(measurement_.layout().size());
      measurement_.add(sums_[slot].replicas.data(), sums_[slot].pairs.data(), bin,
                       samples.of_slot(static_cast<int>(slot)));
    }
    if (measurement_.layout().has(BinQuantity::local_acceptance)) add_acceptance(state, record);
  }

  void store(ChainState& state) override {
    state.spins = std::move(spins_);
    state.beside = std::move(beside_);
  }

 private:
  /// Of one slot.
  struct SlotSums {
    std::vector<ReplicaSums> replicas;
    std::vector<PairSums> pairs;
  };

  /// Of the last step, at the slots of that; then adapts widths.
  void add_acceptance(const ChainState& state, RoundRecord& record) {
    std::vector<std::uint64_t> accepted(static_cast<std::size_t>(chain_.slots()), 0);
    for (std::size_t r = 0; r < replicas_.size(); ++r) accepted[last_slot_[r]] += replicas_[r].accepted();
    const BinLayout& layout = measurement_.layout();
    const double proposed = static_cast<double>(proposed_) * chain_.copies;
    for (std::size_t slot = 0; slot < accepted.size() && proposed_ > 0; ++slot) {
      record.mean[slot * static_cast<std::size_t>(layout.size()) +
                  static_cast<std::size_t>(layout[BinQuantity::local_acceptance])] +=
          static_cast<double>(accepted[slot]) / proposed;
    }
    if (adapts_after(chain_, state.steps)) adapt_widths(chain_, accepted, proposed_, beside_);
  }

  /// at: the replica of each copy
  [[nodiscard]] SlotSums sums_of(const std::vector<std::size_t>& at) {
    SlotSums sums;
    for (const std::size_t r : at) {
      if (!Step(chain_).ends_with_heat_bath()) replicas_[r].renormalize();
      sums.replicas.push_back(replicas_[r].sums());
    }
    for (std::size_t a = 0; a < at.size(); ++a) {
      for (std::size_t b = a + 1; b < at.size(); ++b) {
        sums.pairs.push_back(pair_sums(chain_, replicas_[at[a]], replicas_[at[b]], measurement_.empty_pair()));
      }
    }
    return sums;
  }

  const Chain& chain_;
  std::vector<float> spins_;
  std::vector<std::int64_t> beside_;
  std::uint64_t proposed_;
  std::vector<std::uint16_t> last_slot_;  ///< slots during the last step before a measurement [replica]
  Measurement measurement_;
  std::vector<ReferenceReplica> replicas_;
  std::vector<std::int64_t> energy_;
  std::vector<SlotSums> sums_;  ///< [slot]
};

/// The replicas of a realization of the other models, by plain scalar code, clusters by breadth-first search.
std::unique_ptr<Replicas> make_replicas(const Chain& chain, const RoundTask& task, Team& team) {
  return make_cluster_replicas(chain, task, team, [](const ClusterSystem& system, const ChainState& state, int) {
    const auto table = std::make_shared<const LatticeTable>(system.chain.lattice, system.disorder.graph.get());
    std::vector<std::unique_ptr<ClusterReplica>> replicas;
    for (int r = 0; r < system.chain.replicas(); ++r) {
      replicas.push_back(make_reference_cluster_replica(system, r, state, table));
    }
    return replicas;
  });
}

class ReferenceBackend final : public HostBackend {
 public:
  explicit ReferenceBackend(int threads) : threads_(threads) {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    check_batch(BackendKind::reference, chain, batch);
    return run_rounds(chain, batch, control, threads_,
                      [&](const RoundTask& task, Team& team) -> std::unique_ptr<Replicas> {
                        if (has_cluster_replicas(chain)) return make_replicas(chain, task, team);
                        return std::make_unique<ReferenceReplicas>(chain, task);
                      });
  }

  [[nodiscard]] std::string refusal(const Chain& chain) const override {
    return refusal_of(BackendKind::reference, chain);
  }

  [[nodiscard]] MemoryNeed round_need(const Chain& chain, double) const override {
    const Lattice& lattice = chain.lattice;
    constexpr double address = sizeof(HeatBathAddress), crossings = 4.0 * Lattice::max_dim;
    const double bonds = static_cast<double>(lattice.bond_places()) / static_cast<double>(lattice.sites());
    const double table = 2.0 * sizeof(LatticeTable::Link) * bonds + address + 16.0;
    double replica = site_bytes(chain.model);
    if (has_cluster_replicas(chain)) replica += crossings;
    if (chain.cluster_sweeps() > 0) replica += 1.0;  // marks of sites in clusters
    if (traits_of(chain.protocol.local).has_reserve) replica += sizeof(std::int64_t);
    // Clusters by breadth-first search: of every replica that a thread updates, and at most one site in each.
    const double search = chain.cluster_sweeps() > 0 ? 96.0 * std::min(threads_, chain.replicas()) : 0.0;
    return {.each = (table + replica * chain.replicas() + search) * static_cast<double>(lattice.sites())};
  }

  [[nodiscard]] std::string description() const override { return "reference (scalar, 1 thread)"; }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(int threads) { return std::make_unique<ReferenceBackend>(threads); }

}}  // namespace glassworks::reference
