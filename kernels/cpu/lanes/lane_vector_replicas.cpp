#include "kernels/cpu/lanes/lane_vector_replicas.hpp"

#include <optional>

#include "kernels/cpu/pairs/copy_moves.hpp"
#include "kernels/cpu/pairs/spin_bits.hpp"
#include "kernels/cpu/rows/fast_cluster_replica.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/local_sums.hpp"
#include "kernels/rounds/site_sums.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// What a measurement takes from the spins of all replicas of a realization.
///
/// bits  of ising, for sums over planes; else null
/// rows  of vectors: tables for sums over the rows of a cube; null for prisms and lattices with absent sites, whose
///       sites are summed one by one
struct Snapshots {
  const SpinBits* bits;
  std::shared_ptr<const FastClusterSystem> rows;
  const ClusterKernelTable& kernels;
};

/// A copy of the spins of a replica, laid out row by row for a measurement; of ising the states, where local
/// observables are measured. The bundles do the updates.
class ReplicaSnapshot final : public ClusterReplica {
 public:
  ReplicaSnapshot(const ClusterSystem& system, const Snapshots& of_all, int replica)
      : system_(system),
        bits_(of_all.bits),
        rows_(of_all.rows),
        kernels_(of_all.kernels),
        replica_(replica),
        stride_(rows_ ? rows_->stride() : system.chain.lattice.sites()),
        states_(static_cast<std::size_t>(bits_ != nullptr && shows_states(system.chain) ? stride_ : 0)),
        spins_(static_cast<std::size_t>(bits_ != nullptr ? 0 : components_of(system.chain.model) * stride_)) {}

  void show_energy(std::int64_t energy) { energy_ = energy; }

  void begin_step(const Share&) override {}
  void make(std::span<const PlacedMove>, std::uint64_t, int, bool, const Share&) override {}
  void finish_step(const Share&, bool) override {}
  void add_sites(SiteSums& sums, const Share& share) const override {
    auto* const spins = const_cast<float*>(spins_.data());
    if (bits_ != nullptr) {
      if (share.index == 0) bits_->add_sites(replica_, sums);
      return;
    }
    if (!rows_) {
      if (share.index > 0) return;
      for_any_model(system_.chain.model, [&](auto m) {
        const SiteArray<typename decltype(m)::Site> sites(nullptr, spins, stride_);
        add_site_sums<decltype(m)>(
            system_, [&](std::int64_t i) { return sites.load(i); }, sums);
      });
      return;
    }
    const auto [begin, end] = share.range(rows_->geometry().rows);
    const SpinArrays arrays{system_.chain.model, nullptr, spins,           rows_->couplings(),
                            rows_->fields(),     nullptr, rows_->stride(), system_.uniform};
    kernels_.site_sums(rows_->geometry(), arrays, system_.scales, sums.planes.data(), &sums.modulus_2, &sums.modulus_4,
                       begin, end);
  }
  [[nodiscard]] std::int64_t energy() const override { return energy_; }
  [[nodiscard]] const ClusterSums& clusters() const override { return no_clusters_; }
  [[nodiscard]] bool too_large() const override { return false; }
  [[nodiscard]] std::uint8_t* states() override { return states_.data(); }
  [[nodiscard]] float* spins() override { return spins_.data(); }
  [[nodiscard]] std::int64_t stride() const override { return stride_; }

  /// Whether a chain of ising measures anything that is summed over states.
  [[nodiscard]] static bool shows_states(const Chain& chain) {
    return !local_terms(chain.local, chain.lattice).empty();
  }

 private:
  const ClusterSystem& system_;
  const SpinBits* bits_;
  std::shared_ptr<const FastClusterSystem> rows_;
  const ClusterKernelTable& kernels_;
  int replica_;
  std::int64_t stride_;
  AlignedBuffer<std::uint8_t> states_;
  AlignedBuffer<float> spins_;
  std::int64_t energy_ = 0;
  ClusterSums no_clusters_;
};

class LaneVectorReplicas final : public Replicas {
 public:
  LaneVectorReplicas(const Chain& chain, const RoundTask& task, const SweepPlan& plan, InstructionSet isa, Team& team)
      : plan_(plan),
        moves_(chain),
        shows_states_(chain.model.is_discrete() && ReplicaSnapshot::shows_states(chain)),
        exchanges_(exchanges_move_replicas(chain)),
        energy_(static_cast<std::size_t>(chain.replicas())) {
    for (int first = 0; first < chain.replicas(); first += bundle_lanes) {
      bundles_.emplace_back(chain, *task.disorder, task.realization, first).load(*task.state);
    }
    if (moves_.count(MoveKind::isoenergetic) > 0) {
      copies_.emplace(chain, *task.disorder, task.realization, isa, team.size);
    }
    const auto make = [&](const ClusterSystem& system, const ChainState&, int) {
      Snapshots of_all{bits_ ? &*bits_ : nullptr, nullptr, cluster_kernels(isa)};
      if (!bits_ && chain.lattice.is_cube() && !chain.model.diluted)
        of_all.rows = std::make_shared<const FastClusterSystem>(system, true);
      std::vector<std::unique_ptr<ClusterReplica>> replicas;
      for (int r = 0; r < chain.replicas(); ++r) {
        auto replica = std::make_unique<ReplicaSnapshot>(system, of_all, r);
        shown_.push_back(replica.get());
        replicas.push_back(std::move(replica));
      }
      return replicas;
    };
    if (chain.model.is_discrete()) bits_.emplace(chain, *task.disorder, isa);
    measured_ = make_cluster_replicas(chain, task, team, make, bits_ ? bits_->overlaps() : AddOverlap());
  }

  void step(const ChainState& state, bool observe, int member, Team& team) override {
    std::int64_t* const energies = observe || exchanges_ ? energy_.data() : nullptr;
    if (!copies_) {
      for_bundles(member, team, [&](CpuBundle& b) { b.sweep(plan_, state.steps, state.slot.data(), energies); });
      return;
    }
    for (int t = 0; t < moves_.repetitions(); ++t) {
      const std::uint64_t repetition = moves_.repetition(state.steps, t);
      moves_.for_each_run([&](const MoveRun& run) {
        if (run.between_copies) {
          move_copies(run.moves, repetition, state, member, team);
        } else {
          for_bundles(member, team, [&](CpuBundle& b) { b.sweep(plan_, run.moves, repetition, state.slot.data()); });
        }
      });
    }
    if (energies != nullptr) for_bundles(member, team, [&](CpuBundle& b) { b.sum_energies(plan_, energies); });
  }

  std::span<const std::int64_t> energies() override { return energy_; }

  void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) override {
    for_bundles(member, team, [&](CpuBundle& b) {
      if (bits_) b.read_signs(bits_->kernels(), [&](int replica) { return bits_->bits(replica); });
      if (bits_ && !shows_states_) return;
      b.clear_absent();
      const auto shown = [&](int r) -> ReplicaSnapshot& { return *shown_[static_cast<std::size_t>(r)]; };
      if (shows_states_) {
        b.unload([&](int r) { return shown(r).states(); }, shown(0).stride());
      } else {
        b.unload([&](int r) { return shown(r).spins(); }, shown(0).stride());
      }
    });
    if (member == 0) {
      for (std::size_t r = 0; r < shown_.size(); ++r) shown_[r]->show_energy(energy_[r]);
      (void)measured_->energies();
    }
    team.synchronize();
    measured_->measure(m, state, record, member, team);
  }

  void store(ChainState& state) override {
    for (CpuBundle& b : bundles_) {
      b.clear_absent();
      b.store(state);
    }
  }

 private:
  /// Moves between copies: each member reads and writes the spins of its own bundles.
  void move_copies(std::span<const PlacedMove> moves, std::uint64_t repetition, const ChainState& state, int member,
                   Team& team) {
    const auto bits = [&](int replica) { return copies_->bits(replica); };
    for_bundles(member, team, [&](const CpuBundle& b) { b.read_signs(copies_->kernels(), bits); });
    team.synchronize();
    copies_->make(moves, repetition, state.slot, member);
    team.synchronize();
    for_bundles(member, team, [&](CpuBundle& b) { b.write_signs(copies_->kernels(), bits); });
  }
  template <class Body>
  void for_bundles(int member, const Team& team, const Body& body) {
    for (auto b = static_cast<std::size_t>(member); b < bundles_.size(); b += static_cast<std::size_t>(team.size)) {
      body(bundles_[b]);
    }
  }

  SweepPlan plan_;
  const Step moves_;
  bool shows_states_, exchanges_;
  std::vector<CpuBundle> bundles_;
  std::optional<CopyMoves> copies_;      ///< of chains with moves between copies
  std::optional<SpinBits> bits_;         ///< of ising
  std::vector<ReplicaSnapshot*> shown_;  ///< of measured_ [replica]
  std::unique_ptr<Replicas> measured_;
  std::vector<std::int64_t> energy_;  ///< [replica]
};

}  // namespace

std::unique_ptr<Replicas> make_lane_vector_replicas(const Chain& chain, const RoundTask& task, const SweepPlan& plan,
                                                    InstructionSet isa, Team& team) {
  return std::make_unique<LaneVectorReplicas>(chain, task, plan, isa, team);
}

}}  // namespace glassworks::cpu
