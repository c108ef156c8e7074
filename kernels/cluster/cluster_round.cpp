#include "kernels/cluster/cluster_round.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>

#include "kernels/cluster/addresses.hpp"
#include "kernels/cluster/cluster_measurement.hpp"
#include "kernels/cluster/copy_pairs.hpp"
#include "kernels/cluster/cpu/fast_cluster_replica.hpp"
#include "kernels/cluster/reference_cluster_replica.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/exchange.hpp"
#include "kernels/modulus_scale.hpp"
#include "kernels/round_record.hpp"

namespace glassworks {
namespace {

/// Makes the replicas of one realization, each for at most `members` threads.
using Replicas = std::vector<std::unique_ptr<ClusterReplica>>;
using MakeReplicas = std::function<Replicas(const ClusterSystem&, const ChainState&, int members)>;

/// One round of one realization, run by a team. The members are dealt out to `groups` groups; a group updates every
/// groups-th replica, and its members share the rows of a replica.
class ClusterRound {
 public:
  ClusterRound(const Chain& chain, const RoundTask& task, const MakeReplicas& make, CpuTeam& team)
      : chain_(chain),
        task_(task),
        system_(chain, *task.disorder, task.realization),
        measurement_(chain, task.disorder->energy_scale),
        state_{task.state->steps, task.state->slot, task.state->heading, task.state->round_trips, {}, {}},
        last_slot_(state_.slot),
        record_(empty_record(chain)),
        energy_(static_cast<std::size_t>(chain.replicas())),
        replica_at_(static_cast<std::size_t>(chain.replicas())),
        groups_(std::min(team.size, chain.replicas())),
        team_size_(team.size) {
    replicas_ = make(system_, *task.state, members_of(0));
    for (int g = 0; g < groups_; ++g) barriers_.emplace_back(members_of(g), team.barriers);
    site_sums_.resize(replicas_.size() * static_cast<std::size_t>(members_of(0)));
    const int pairs = chain.copies * (chain.copies - 1) / 2;
    overlaps_.resize(static_cast<std::size_t>(chain.slots() * pairs));
  }

  RoundOutcome run(int member, CpuTeam& team, RoundControl& control) {
    const auto updates = static_cast<std::uint64_t>(chain_.updates_per_round() / chain_.measurements);
    for (int m = 0; m < chain_.measurements; ++m) {
      for (int s = 0; s < chain_.protocol.exchanges_per_measurement; ++s) {
        if (member == 0) abandon_ = team.has_to_stop(control);
        team.synchronize();
        if (abandon_) return RoundOutcome::abandoned;
        step(member, team, s + 1 == chain_.protocol.exchanges_per_measurement);
      }
      measure(m, member, team);
      if (member == 0) control.updates.fetch_add(updates, std::memory_order_relaxed);
    }
    if (member == 0) finish_record(chain_, record_);
    team.synchronize();
    return RoundOutcome::finished;
  }

  void store() {
    const auto too_large = [](const std::unique_ptr<ClusterReplica>& replica) { return replica->too_large(); };
    check_field_range(chain_, std::any_of(replicas_.begin(), replicas_.end(), too_large), record_);
    state_.spins = std::move(task_.state->spins);
    state_.states = std::move(task_.state->states);
    const std::int64_t sites = chain_.lattice.sites();
    const int n = components_of(chain_.model);
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      const auto first = static_cast<std::int64_t>(r) * sites;
      if (chain_.model.is_discrete()) {
        std::copy_n(replicas_[r]->states(), sites, state_.states.begin() + first);
        continue;
      }
      for (int k = 0; k < n; ++k) {
        std::copy_n(replicas_[r]->spins() + k * replicas_[r]->stride(), sites,
                    state_.spins.begin() + first * n + k * sites);
      }
    }
    *task_.state = std::move(state_);
    *task_.record = std::move(record_);
  }

 private:
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

  void step(int member, CpuTeam& team, bool observe) {
    for (int t = 0; t < chain_.protocol.sweeps_per_exchange; ++t) {
      for_replicas(member, [&](std::size_t r, const Share& share) {
        replicas_[r]->repeat(state_.steps, t, state_.slot[r], observe, share);
      });
      if (chain_.protocol.isoenergetic > 0) {
        team.synchronize();
        isoenergetic(t, member);
        team.synchronize();
      }
    }
    for_replicas(member, [&](std::size_t r, const Share& share) { replicas_[r]->finish_step(share); });
    team.synchronize();
    if (member != 0) return;
    for (std::size_t r = 0; r < replicas_.size(); ++r) energy_[r] = replicas_[r]->energy();
    last_slot_ = state_.slot;
    exchange_replicas(chain_, task_.realization, state_.steps, energy_.data(), task_.disorder->energy_scale.unit(),
                      state_, record_, replica_at_.data());
    ++state_.steps;
  }

  /// The moves of repetition t; slots are dealt out to the members.
  void isoenergetic(int t, int member) {
    const auto n_T = static_cast<std::uint64_t>(chain_.protocol.sweeps_per_exchange);
    const auto n_I = static_cast<std::uint64_t>(chain_.protocol.isoenergetic);
    for (int slot = member; slot < chain_.slots(); slot += team_size_) {
      const std::vector<std::size_t> at = replicas_in(slot, state_.slot);
      for (std::uint64_t i = 0; i < n_I; ++i) {
        const std::uint64_t move = (state_.steps * n_T + static_cast<std::uint64_t>(t)) * n_I + i;
        for (int pair = 0; pair < chain_.copies / 2; ++pair) {
          const CopyPair p = isoenergetic_pair(chain_.copies, move, pair);
          const auto address = static_cast<std::uint32_t>(p.first * chain_.slots() + slot);
          const RandomBlock words = random_block(chain_.key, Stream::isoenergetic, task_.realization, address, move, 0);
          isoenergetic_move(system_, words.word[0], replicas_[at[static_cast<std::size_t>(p.first)]]->states(),
                            replicas_[at[static_cast<std::size_t>(p.second)]]->states());
        }
      }
    }
  }

  /// The replica of each copy in a slot [copy].
  [[nodiscard]] std::vector<std::size_t> replicas_in(int slot, const std::vector<std::uint16_t>& slot_of) const {
    std::vector<std::size_t> at;
    for (std::size_t r = 0; r < slot_of.size(); ++r) {
      if (slot_of[r] == slot) at.push_back(r);
    }
    return at;
  }

  void measure(int m, int member, CpuTeam& team) {
    const auto stride = static_cast<std::size_t>(members_of(0));
    team.synchronize();
    for_replicas(member, [&](std::size_t r, const Share& share) {
      SiteSums& sums = site_sums_[r * stride + static_cast<std::size_t>(share.index)];
      sums = measurement_.empty_sites();
      replicas_[r]->add_sites(sums, share);
    });
    for (int slot = member; chain_.copies > 1 && slot < chain_.slots(); slot += team_size_) add_overlaps(slot);
    team.synchronize();
    if (member != 0) return;
    const auto quantities = static_cast<std::size_t>(measurement_.layout().size());
    const bool sampled = is_sampled(m, chain_.measurements, chain_.samples);
    const auto sample = static_cast<std::size_t>(samples_before(m, chain_.measurements, chain_.samples));
    for (int slot = 0; slot < chain_.slots(); ++slot) {
      std::vector<SiteSums> sites;
      std::vector<ClusterSums> clusters;
      for (const std::size_t r : replicas_in(slot, state_.slot)) sites.push_back(joined_sums(r));
      for (const std::size_t r : replicas_in(slot, last_slot_)) clusters.push_back(replicas_[r]->clusters());
      const auto t = static_cast<std::size_t>(slot);
      const std::size_t pairs = overlaps_.size() / static_cast<std::size_t>(chain_.slots());
      float* place = sampled
                         ? record_.samples.data() + (t * static_cast<std::size_t>(chain_.samples) + sample) * quantities
                         : nullptr;
      measurement_.add(sites, clusters, std::span(overlaps_).subspan(t * pairs, pairs),
                       record_.mean.data() + t * quantities, place);
    }
    record_walk(chain_, state_, record_);
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
    }
    sums.energy = energy_[r];
    return sums;
  }

  void add_overlaps(int slot) {
    const std::vector<std::size_t> at = replicas_in(slot, state_.slot);
    std::size_t i = static_cast<std::size_t>(slot) * (overlaps_.size() / static_cast<std::size_t>(chain_.slots()));
    for (std::size_t a = 0; a < at.size(); ++a) {
      for (std::size_t b = a + 1; b < at.size(); ++b) {
        overlaps_[i] = measurement_.empty_overlap();
        add_overlap(system_, *replicas_[at[a]], *replicas_[at[b]], overlaps_[i++]);
      }
    }
  }

  const Chain& chain_;
  const RoundTask& task_;
  ClusterSystem system_;
  ClusterMeasurement measurement_;
  ChainState state_;                      ///< without spins: those are in the replicas
  std::vector<std::uint16_t> last_slot_;  ///< slots during the last step [replica]
  RoundRecord record_;
  Replicas replicas_;
  std::vector<std::int64_t> energy_;   ///< [replica]
  std::vector<int> replica_at_;        ///< scratch of the exchange
  std::vector<SiteSums> site_sums_;    ///< [replica][member of its group]
  std::vector<OverlapSums> overlaps_;  ///< [slot][pair]
  int groups_, team_size_;
  std::deque<TeamBarrier> barriers_;  ///< [group]
  bool abandon_ = false;
};

RoundOutcome run(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, int threads,
                 const MakeReplicas& make) {
  check_cluster_chain(chain);
  for (const RoundTask& task : batch) check_cluster_couplings(chain, *task.disorder);
  return run_in_teams<ClusterRound>(batch.size(), threads, control,
                                    [&](std::optional<ClusterRound>& round, std::size_t task, CpuTeam& team) {
                                      round.emplace(chain, batch[task], make, team);
                                    });
}

}  // namespace

RoundOutcome run_reference_cluster_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) {
  return run(chain, batch, control, 1, [](const ClusterSystem& system, const ChainState& state, int) {
    Replicas replicas;
    for (int r = 0; r < system.chain.replicas(); ++r) {
      replicas.push_back(make_reference_cluster_replica(system, r, state));
    }
    return replicas;
  });
}

RoundOutcome run_cluster_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control, int threads,
                               InstructionSet isa) {
  return run(chain, batch, control, threads, [isa](const ClusterSystem& system, const ChainState& state, int members) {
    const auto shared = std::make_shared<const FastClusterSystem>(system);
    Replicas replicas;
    for (int r = 0; r < system.chain.replicas(); ++r) {
      replicas.push_back(make_fast_cluster_replica(shared, isa, r, state, members));
    }
    return replicas;
  });
}

}  // namespace glassworks
