#include "kernels/rounds/cluster_replicas.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>

#include "kernels/core/addresses.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/chiral_sums.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/copy_pairs.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/local_sums.hpp"
#include "kernels/rounds/modulus_scale.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/rounds/triangle_sums.hpp"

namespace glassworks { inline namespace rounds {
namespace {

class ClusterReplicas final : public Replicas {
 public:
  ClusterReplicas(const Chain& chain, const RoundTask& task, Team& team, const MakeClusterReplicas& make,
                  AddOverlap overlaps)
      : chain_(chain),
        task_(task),
        layout_(chain),
        beside_(beside_at_start(chain, *task.disorder, task.realization, *task.state)),
        proposed_(proposals_of_step(chain, *task.disorder)),
        system_(chain, *task.disorder, task.realization, beside_.data()),
        measurement_(chain, task.disorder->energy_scale),
        last_slot_(task.state->slot),
        energy_(static_cast<std::size_t>(chain.replicas())),
        groups_(std::min(team.size, chain.replicas())),
        team_size_(team.size),
        add_overlap_(std::move(overlaps)) {
    replicas_ = make(system_, *task.state, members_of(0));
    for (int g = 0; g < groups_; ++g) barriers_.emplace_back(members_of(g), team.barriers);
    site_sums_.resize(replicas_.size() * static_cast<std::size_t>(members_of(0)));
    if (measurement_.measures_triangles()) triangles_.emplace(chain, *task.disorder);
    const int pairs = chain.copies * (chain.copies - 1) / 2;
    overlaps_.resize(static_cast<std::size_t>(chain.slots() * pairs));
  }

  void step(const ChainState& state, bool observe, int member, Team& team) override {
    const Step& step = system_.step;
    for_replicas(member, [&](std::size_t r, const Share& share) { replicas_[r]->begin_step(share); });
    for (int t = 0; t < step.repetitions(); ++t) {
      const std::uint64_t repetition = step.repetition(state.steps, t);
      const bool observed = observe && t + 1 == step.repetitions();
      step.for_each_run([&](const MoveRun& run) {
        if (run.between_copies) {
          team.synchronize();
          isoenergetic(run.moves, repetition, state, member);
          team.synchronize();
          return;
        }
        for_replicas(member, [&](std::size_t r, const Share& share) {
          replicas_[r]->make(run.moves, repetition, state.slot[r], observed, share);
        });
      });
    }
    const bool energy = observe || exchanges_move_replicas(chain_);
    for_replicas(member, [&](std::size_t r, const Share& share) { replicas_[r]->finish_step(share, energy); });
    if (member == 0 && observe) last_slot_ = state.slot;
  }

  std::span<const std::int64_t> energies() override {
    for (std::size_t r = 0; r < replicas_.size(); ++r) energy_[r] = replicas_[r]->energy();
    return energy_;
  }

  void measure(int m, const ChainState& state, RoundRecord& record, int member, Team& team) override {
    const auto stride = static_cast<std::size_t>(members_of(0));
    for_replicas(member, [&](std::size_t r, const Share& share) {
      SiteSums& sums = site_sums_[r * stride + static_cast<std::size_t>(share.index)];
      sums = measurement_.empty_sites();
      replicas_[r]->add_sites(sums, share);
      add_local_sums(system_, *replicas_[r], share, sums);
      if (triangles_) add_triangles(system_, *triangles_, *replicas_[r], share, sums);
    });
    if (chain_.copies > 1 && add_overlap_) team.synchronize();
    const std::vector<std::size_t> replica_at = replicas_at(chain_, state.slot);
    for (int slot = member; chain_.copies > 1 && slot < chain_.slots(); slot += team_size_)
      add_overlaps(slot, replica_at);
    team.synchronize();
    if (member != 0) return;
    const std::vector<std::size_t> last_at = replicas_at(chain_, last_slot_);
    const auto quantities = static_cast<std::size_t>(measurement_.layout().size());
    const SamplePlaces places(chain_, m, measurement_.layout().size(), record);
    for (int slot = 0; slot < chain_.slots(); ++slot) {
      std::vector<SiteSums> sites;
      std::vector<ClusterSums> clusters;
      const auto t = static_cast<std::size_t>(slot);
      for (int copy = 0; copy < chain_.copies; ++copy) {
        sites.push_back(joined_sums(replica_at[place(copy, slot)]));
        clusters.push_back(sums_of_step(last_at[place(copy, slot)]));
      }
      const std::size_t pairs = overlaps_.size() / static_cast<std::size_t>(chain_.slots());
      measurement_.add(sites, clusters, std::span(overlaps_).subspan(t * pairs, pairs),
                       record.mean.data() + t * quantities, places.of_slot(slot));
    }
    if (adapts_after(chain_, state.steps)) adapt();
  }

  void check(const RoundRecord& record) const override {
    const auto too_large = [](const std::unique_ptr<ClusterReplica>& replica) { return replica->too_large(); };
    check_field_range(chain_, std::any_of(replicas_.begin(), replicas_.end(), too_large), record);
  }

  void store(ChainState& state) override {
    state.beside = std::move(beside_);
    const std::int64_t sites = chain_.lattice.sites();
    const int n = components_of(chain_.model);
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      const auto first = static_cast<std::int64_t>(r) * sites;
      if (chain_.model.is_discrete()) {
        std::copy_n(replicas_[r]->states(), sites, state.states.begin() + first);
        continue;
      }
      for (int k = 0; k < n; ++k) {
        std::copy_n(replicas_[r]->spins() + k * replicas_[r]->stride(), sites,
                    state.spins.begin() + first * n + k * sites);
      }
    }
  }

 private:
  /// What the updates of the last step did in a replica.
  [[nodiscard]] ClusterSums sums_of_step(std::size_t r) const {
    ClusterSums sums = replicas_[r]->clusters();
    sums.proposed = proposed_;
    if (layout_.has_reserves()) {
      const std::int64_t* const first = beside_.data() + layout_.reserves_of(static_cast<std::int64_t>(r));
      sums.reserve = std::accumulate(first, first + layout_.sites, std::int64_t{0});
    }
    return sums;
  }
  void adapt() {
    std::vector<std::uint64_t> accepted(static_cast<std::size_t>(chain_.slots()), 0);
    for (std::size_t r = 0; r < replicas_.size(); ++r) accepted[last_slot_[r]] += replicas_[r]->clusters().accepted;
    adapt_widths(chain_, accepted, proposed_, beside_);
  }

  [[nodiscard]] int members_of(int group) const {
    return team_size_ / groups_ + (group < team_size_ % groups_ ? 1 : 0);
  }

  /// body(replica, share) for the replicas of the member's group.
  template <class Body>
  void for_replicas(int member, const Body& body) {
    const int group = member % groups_;
    const Share share{member / groups_, members_of(group), &barriers_[static_cast<std::size_t>(group)]};
    for (int r = group; r < chain_.replicas(); r += groups_) body(static_cast<std::size_t>(r), share);
  }

  /// Moves between copies; slots are dealt out to the members.
  void isoenergetic(std::span<const PlacedMove> moves, std::uint64_t repetition, const ChainState& state, int member) {
    const std::vector<std::size_t> replica_at = replicas_at(chain_, state.slot);
    for (int slot = member; slot < chain_.isoenergetic_slots(); slot += team_size_) {
      system_.step.for_each(moves, repetition, [&](const NumberedMove& move) {
        for_moved_pairs(chain_, task_.realization, move.number, slot, replica_at,
                        [&](std::size_t a, std::size_t b, std::uint32_t word) {
                          isoenergetic_move(system_, word, replicas_[a]->states(), replicas_[b]->states());
                        });
      });
    }
  }

  [[nodiscard]] std::size_t place(int copy, int slot) const {
    return static_cast<std::size_t>(copy * chain_.slots() + slot);
  }

  /// Sums of a replica over the shares of its members.
  [[nodiscard]] SiteSums joined_sums(std::size_t r) {
    const auto stride = static_cast<std::size_t>(members_of(0));
    SiteSums sums = measurement_.empty_sites();
    for (std::size_t i = 0; i < static_cast<std::size_t>(members_of(static_cast<int>(r) % groups_)); ++i) {
      const SiteSums& part = site_sums_[r * stride + i];
      for (std::size_t k = 0; k < sums.planes.size(); ++k) sums.planes[k] += part.planes[k];
      sums.modulus_2 += part.modulus_2;
      sums.modulus_4 += part.modulus_4;
      for (std::size_t k = 0; k < sums.local.size(); ++k) sums.local[k] += part.local[k];
      sums.triangle_squares += part.triangle_squares;
      sums.triangles += part.triangles;
    }
    sums.energy = energy_[r];
    return sums;
  }

  void add_overlaps(int slot, const std::vector<std::size_t>& replica_at) {
    std::size_t i = static_cast<std::size_t>(slot) * (overlaps_.size() / static_cast<std::size_t>(chain_.slots()));
    for (int copy = 0; copy < chain_.copies; ++copy) {
      for (int other = copy + 1; other < chain_.copies; ++other) {
        const std::size_t a = replica_at[place(copy, slot)], b = replica_at[place(other, slot)];
        overlaps_[i] = measurement_.empty_overlap();
        OverlapSums& sums = overlaps_[i++];
        if (add_overlap_) {
          add_overlap_(a, b, sums);
        } else {
          add_overlap(system_, *replicas_[a], *replicas_[b], sums);
        }
        if (measurement_.measures_plaquettes()) add_chiral_sums(system_, *replicas_[a], *replicas_[b], sums);
        if (triangles_) add_triangles(system_, *triangles_, *replicas_[a], *replicas_[b], sums);
      }
    }
  }

  const Chain& chain_;
  const RoundTask& task_;
  const BesideLayout layout_;
  std::vector<std::int64_t> beside_;
  const std::uint64_t proposed_;
  const ClusterSystem system_;
  ClusterMeasurement measurement_;
  std::optional<TriangleTable> triangles_;  ///< where their chiralities are measured
  std::vector<std::uint16_t> last_slot_;    ///< slots during the last step [replica]
  std::vector<std::unique_ptr<ClusterReplica>> replicas_;
  std::vector<std::int64_t> energy_;   ///< [replica]
  std::vector<SiteSums> site_sums_;    ///< [replica][member of its group]
  std::vector<OverlapSums> overlaps_;  ///< [slot][pair]
  int groups_, team_size_;
  AddOverlap add_overlap_;
  std::deque<TeamBarrier> barriers_;  ///< [group]
};

}  // namespace

std::unique_ptr<Replicas> make_cluster_replicas(const Chain& chain, const RoundTask& task, Team& team,
                                                const MakeClusterReplicas& make, AddOverlap overlaps) {
  return std::make_unique<ClusterReplicas>(chain, task, team, make, std::move(overlaps));
}

}}  // namespace glassworks::rounds
