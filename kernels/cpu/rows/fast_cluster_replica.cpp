#include "kernels/cpu/rows/fast_cluster_replica.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/rows/cluster_labels.hpp"
#include "kernels/cpu/rows/grown_clusters.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/exchange.hpp"

namespace glassworks { inline namespace cpu {
namespace {

class FastClusterReplica final : public ClusterReplica {
 public:
  FastClusterReplica(std::shared_ptr<const FastClusterSystem> shared, const ClusterKernelTable& kernels, int replica,
                     const ChainState& state, int members, std::shared_ptr<SpinBits> bits)
      : shared_(std::move(shared)),
        bits_(std::move(bits)),
        system_(shared_->system()),
        chain_(system_.chain),
        g_(shared_->geometry()),
        kernels_(kernels),
        replica_(static_cast<std::uint32_t>(replica)),
        gets_new_states_(facts_of(chain_.model).cluster_move == ClusterMove::new_state),
        all_move_(chain_.protocol.kind == ProtocolKind::swendsen_wang),
        members_(members),
        sites_(chain_.lattice.sites()),
        stride_(shared_->stride()),
        energy_(static_cast<std::size_t>(members)),
        moved_(static_cast<std::size_t>(members)),
        tally_(static_cast<std::size_t>(members)) {
    const int n = components_of(chain_.model);
    if (discrete()) {
      states_ = AlignedBuffer<std::uint8_t>(static_cast<std::size_t>(stride_));
      std::copy_n(state.states.begin() + replica * sites_, sites_, states_.data());
    } else {
      spins_ = AlignedBuffer<float>(static_cast<std::size_t>(n * stride_));
      for (int k = 0; k < n; ++k) {
        std::copy_n(state.spins.begin() + (std::int64_t{replica} * n + k) * sites_, sites_,
                    spins_.data() + k * stride_);
      }
    }
    if (chain_.cluster_sweeps() == 0) return;
    if (!all_move_) {
      single_.emplace(system_, replica_);
      grown_.emplace(*shared_, kernels_, *single_, members);
      keeps_energy_ = discrete() && exchanges_move_replicas(chain_) && system_.step.sweeps() == 0 &&
                      system_.step.count(MoveKind::isoenergetic) == 0;
    }
    if (!discrete()) projection_ = AlignedBuffer<float>(static_cast<std::size_t>(stride_));
    if (all_move_) make_labels();
  }

  void begin_step(const Share& share) override {
    moved_[static_cast<std::size_t>(share.index)] = 0;
    tally_[static_cast<std::size_t>(share.index)].accepted = 0;
    if (share.index == 0) sums_ = {};
  }

  void make(std::span<const PlacedMove> moves, std::uint64_t repetition, int slot, bool observe,
            const Share& share) override {
    system_.step.for_each(moves, repetition, [&](const NumberedMove& move) {
      if (move.kind() == MoveKind::cluster) {
        cluster_update(move.number, slot, observe && move.last, share);
      } else if (move.kind() == MoveKind::local) {
        local_sweep(move.number, slot, share);
      } else {
        over_relaxation_sweep(slot, share);
      }
    });
  }

  void finish_step(const Share& share, bool energy) override {
    const auto index = static_cast<std::size_t>(share.index);
    const auto [begin, end] = share.range(g_.rows);
    if (!discrete() && !has_free_modulus(chain_.model)) {
      kernels_.renormalize(arrays(), begin * g_.L, end * g_.L);
      share.synchronize();
    }
    if (energy && !energy_is_known_) {
      energy_[index] = -kernels_.energy(g_, arrays(), energy_multiplier(), begin, end);
      share.synchronize();
    }
    if (share.index != 0) return;
    if (energy && keeps_energy_ && !energy_is_known_) energy_is_known_ = true;
    sums_.moved = moved_in_step();
    sums_.accepted = 0;
    for (const Phi4Tally& tally : tally_) sums_.accepted += tally.accepted;
  }

  void add_sites(SiteSums& sums, const Share& share) const override {
    if (bits_) {
      const auto replica = static_cast<int>(replica_);
      const auto [first, last] = share.range(bits_->words());
      bits_->read_states(replica, states_.data(), first, last);
      share.synchronize();
      if (share.index == 0) bits_->add_sites(replica, sums);
      return;
    }
    const auto [begin, end] = share.range(g_.rows);
    kernels_.site_sums(g_, arrays(), system_.scales, sums.planes.data(), &sums.modulus_2, &sums.modulus_4, begin, end);
  }

  [[nodiscard]] std::int64_t energy() const override {
    std::int64_t sum = 0;
    for (const std::int64_t e : energy_) sum += e;
    return sum;
  }
  [[nodiscard]] const ClusterSums& clusters() const override { return sums_; }
  [[nodiscard]] bool too_large() const override {
    return std::any_of(tally_.begin(), tally_.end(), [](const Phi4Tally& tally) { return tally.too_large; });
  }
  [[nodiscard]] std::uint8_t* states() override { return states_.data(); }
  [[nodiscard]] float* spins() override { return spins_.data(); }
  [[nodiscard]] std::int64_t stride() const override { return stride_; }

 private:
  [[nodiscard]] bool discrete() const { return chain_.model.is_discrete(); }
  [[nodiscard]] bool gets_new_states() const { return gets_new_states_; }
  [[nodiscard]] float energy_multiplier() const { return system_.disorder.energy_scale.multiplier(); }
  [[nodiscard]] RandomSource source(Stream stream, std::uint64_t sweep) const {
    return {chain_.key, static_cast<std::uint32_t>(sweep), system_.realization, counter_word3(stream, replica_, sweep)};
  }
  [[nodiscard]] RandomBlock block(Stream stream, std::uint64_t sweep, std::uint32_t index) const {
    return random_block(chain_.key, stream, system_.realization, replica_, sweep, index);
  }
  [[nodiscard]] SpinArrays arrays() const {
    return {chain_.model,
            const_cast<std::uint8_t*>(states_.data()),
            const_cast<float*>(spins_.data()),
            shared_->couplings(),
            shared_->fields(),
            shared_->negative(),
            stride_,
            system_.uniform};
  }

  void cluster_update(std::uint64_t update, int slot, bool observe, const Share& share) {
    if (!discrete()) choose_direction(update, share);
    if (!all_move_ && grow_clusters(update, slot, share)) return;
    const std::uint64_t moved_before = share.index == 0 && !all_move_ ? moved_in_step() : 0;
    label_clusters(update, slot, observe, share);
    if (share.index == 0 && !all_move_) grown_->see_moved(moved_in_step() - moved_before);
  }

  /// An update of wolff or few_cluster by one of the threads, which takes the time of its clusters alone. False: these
  /// are expected to be too large, and nothing has changed.
  bool grow_clusters(std::uint64_t update, int slot, const Share& share) {
    if (share.index == 0) {
      has_grown_ = grown_->pay();
      if (has_grown_) {
        grow_clusters(update, slot);
      } else {
        energy_is_known_ = false;
        make_labels();
      }
    }
    share.synchronize();
    const bool has_grown = has_grown_;
    share.synchronize();
    return has_grown;
  }

  void grow_clusters(std::uint64_t update, int slot) {
    const auto s = static_cast<std::size_t>(slot);
    const GrowJob job{source(Stream::bonds, update),
                      arrays(),
                      direction_,
                      system_.uniform,
                      system_.uniform ? system_.threshold[s] : 0U,
                      exact::mul(system_.minus_factor, chain_.beta[s]),
                      nullptr};
    const ClusterChange change = grown_->update(update, job, energy_is_known_ ? energy_multiplier() : 0.0F);
    moved_.front() += change.moved;
    energy_.front() -= change.gain;
    // A difference takes as long as the bonds of many sites that are summed in their order.
    constexpr std::uint64_t sites_of_a_difference = 64;
    if (moved_.front() * sites_of_a_difference > static_cast<std::uint64_t>(sites_)) energy_is_known_ = false;
  }

  /// By all members, which have met.
  [[nodiscard]] std::uint64_t moved_in_step() const {
    return std::accumulate(moved_.begin(), moved_.end(), std::uint64_t{0});
  }

  void label_clusters(std::uint64_t update, int slot, bool observe, const Share& share) {
    const auto [begin, end] = share.range(g_.rows, 2);
    if (!discrete()) kernels_.project(arrays(), direction_, projection_.data(), begin * g_.L, end * g_.L);
    share.synchronize();
    activate(update, slot, begin, end);
    if (all_move_) draw_coins(update, share);
    labels_->find_runs(share);
    share.synchronize();
    start_fates(begin, end);
    labels_->unite(share, observe && all_move_);
    if (share.index == 0) {
      if (!all_move_ || observe) labels_->compress();
      if (all_move_ && observe) labels_->add_decomposition(discrete() ? nullptr : projection_.data(), sums_);
      if (!all_move_) choose_single_clusters(update);
      kernels_.settle(labels_->runs(), labels_->run_count());
    }
    share.synchronize();
    std::uint64_t& moved = moved_[static_cast<std::size_t>(share.index)];
    if (gets_new_states()) {
      moved += kernels_.recolour(g_, labels_->runs(), states_.data(), begin, end);
    } else if (discrete()) {
      moved += kernels_.flip(g_, labels_->runs(), states_.data(), begin, end);
    } else {
      moved += kernels_.reflect(g_, labels_->runs(), arrays(), direction_, projection_.data(), begin, end);
    }
    share.synchronize();
  }

  /// What it takes to label the lattice; wolff and few_cluster may never need it.
  void make_labels() {
    if (labels_) return;
    labels_ = std::make_unique<ClusterLabels>(*shared_, kernels_, members_);
    if (!all_move_) return;
    coins_.resize(static_cast<std::size_t>((sites_ + 127) / 128 * 4 + 4));
    if (gets_new_states()) new_states_.resize(static_cast<std::size_t>((sites_ + 3) / 4 * 4));
  }

  void choose_direction(std::uint64_t update, const Share& share) {
    if (share.index == 0) {
      const RandomBlock words = block(Stream::reflection, update, direction_block);
      const auto store = [&](const float* r, int n) { std::copy_n(r, n, direction_); };
      const int n = components_of(chain_.model);
      if (n == 2) store(exact::random_direction<2>(words).c, 2);
      if (n == 3) store(exact::random_direction<3>(words).c, 3);
      if (n == 4) store(exact::random_direction<4>(words).c, 4);
    }
    share.synchronize();
  }

  void activate(std::uint64_t update, int slot, std::int64_t begin, std::int64_t end) {
    const auto s = static_cast<std::size_t>(slot);
    const ActivationJob job{source(Stream::bonds, update),
                            discrete() ? states_.data() : nullptr,
                            discrete() ? nullptr : projection_.data(),
                            shared_->couplings(),
                            discrete() ? shared_->negative() : nullptr,
                            stride_,
                            system_.uniform,
                            system_.uniform ? system_.threshold[s] : 0U,
                            exact::mul(system_.minus_factor, chain_.beta[s]),
                            labels_->active()};
    kernels_.activate(g_, job, begin, end);
  }

  /// Coins or new states of all possible roots, for Swendsen-Wang.
  void draw_coins(std::uint64_t update, const Share& share) {
    const RandomSource random = source(Stream::cluster, update);
    if (gets_new_states()) {
      const auto [begin, end] = share.range((sites_ + 3) / 4, 16);
      kernels_.new_states(random, static_cast<std::uint32_t>(chain_.model.states), new_states_.data(), begin, end);
    } else {
      const auto [begin, end] = share.range((sites_ + 127) / 128, 16);
      kernels_.coins(random, coins_.data(), begin, end);
    }
  }

  /// Fates of the runs by their own first sites, or none yet.
  void start_fates(std::int64_t begin, std::int64_t end) {
    const Runs& runs = labels_->runs();
    if (begin == end) return;
    if (!all_move_) {
      const auto first = runs.before[begin * g_.words];
      const auto last = end == g_.rows ? labels_->run_count() : runs.before[end * g_.words];
      std::fill(runs.fate + first, runs.fate + last, gets_new_states() ? Potts::stays : Ising::stays);
    } else if (gets_new_states()) {
      kernels_.fates_by_state(g_, runs, new_states_.data(), begin, end);
    } else {
      kernels_.fates_by_coin(g_, runs, coins_.data(), begin, end);
    }
  }

  /// Fates of the clusters of the seeds, for wolff and few_cluster.
  void choose_single_clusters(std::uint64_t update) {
    for (std::int64_t k = 0; k < single_->seeds(); ++k) {
      const std::uint32_t run = labels_->root_run(single_->seed(update, k)), root = labels_->first_site(run);
      const auto fate = single_->fate(update, root, discrete() ? states_[root] : std::uint8_t{0});
      if (fate) labels_->runs().fate[run] = *fate;
    }
  }

  LocalSweepJob local_job(std::uint64_t sweep, int parity, int slot, const Share& share) {
    const float beta = chain_.beta[static_cast<std::size_t>(slot)];
    return {chain_.model,
            source(Stream::local_update, half_sweep(sweep, parity)),
            states_.data(),
            spins_.data(),
            shared_->couplings(),
            shared_->fields(),
            stride_,
            shared_->one_coupling(),
            {exact::LocalTemperature(beta), sweep, chain_.model, system_.phi4},
            &tally_[static_cast<std::size_t>(share.index)],
            shared_->counted(slot)};
  }

  void local_sweep(std::uint64_t sweep, int slot, const Share& share) {
    const auto [begin, end] = share.range(g_.rows, 2);
    for (int parity = 0; parity < 2; ++parity) {
      kernels_.local_sweep(g_, local_job(sweep, parity, slot, share), parity, begin, end);
      share.synchronize();
    }
  }

  void over_relaxation_sweep(int slot, const Share& share) {
    const auto [begin, end] = share.range(g_.rows, 2);
    for (int parity = 0; parity < 2; ++parity) {
      kernels_.over_relax(g_, local_job(0, parity, slot, share), parity, begin, end);
      share.synchronize();
    }
  }

  std::shared_ptr<const FastClusterSystem> shared_;
  std::shared_ptr<SpinBits> bits_;  ///< see make_fast_cluster_replica
  const ClusterSystem& system_;
  const Chain& chain_;
  const ClusterGeometry& g_;
  const ClusterKernelTable& kernels_;
  std::uint32_t replica_;
  bool gets_new_states_;  ///< clusters; else they are reflected
  bool all_move_;         ///< all clusters of an update: swendsen_wang
  int members_;
  std::int64_t sites_, stride_;
  AlignedBuffer<std::uint8_t> states_;
  AlignedBuffer<float> spins_, projection_;
  float direction_[4] = {};
  std::optional<SingleClusters> single_;  ///< of wolff and few_cluster
  std::optional<GrownClusters> grown_;
  bool has_grown_ = false;        ///< in the update that is being made
  bool keeps_energy_ = false;     ///< from step to step, by differences
  bool energy_is_known_ = false;  ///< energy_ is that of the spins as they are
  std::unique_ptr<ClusterLabels> labels_;
  std::vector<std::uint32_t> coins_;
  std::vector<std::uint8_t> new_states_;  ///< of roots; potts [site]
  std::vector<std::int64_t> energy_;      ///< of the rows of each member
  std::vector<std::uint64_t> moved_;      ///< in this step, by each member
  std::vector<Phi4Tally> tally_;          ///< of each member
  ClusterSums sums_;
};

}  // namespace

std::unique_ptr<ClusterReplica> make_fast_cluster_replica(std::shared_ptr<const FastClusterSystem> system,
                                                          InstructionSet isa, int replica, const ChainState& state,
                                                          int members, std::shared_ptr<SpinBits> bits) {
  return std::make_unique<FastClusterReplica>(std::move(system), cluster_kernels(isa), replica, state, members,
                                              std::move(bits));
}

}}  // namespace glassworks::cpu
