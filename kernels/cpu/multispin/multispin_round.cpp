#include "kernels/cpu/multispin/multispin_round.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/cpu/multispin/multispin_bundle.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/round_record.hpp"
#include "kernels/rounds/round_teams.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// A realization of a bundle: all but its spins.
struct Member {
  Member(const Chain& chain, const RoundTask& task, const CouplingCount& couplings)
      : record(empty_record(chain)),
        measurement(chain, task.disorder->energy_scale),
        term(to_fixed_clamped(couplings.modulus.value_or(0.0F), task.disorder->energy_scale.multiplier())),
        field_term(to_fixed_clamped(single_field(task.disorder->fields).value_or(0.0F),
                                    task.disorder->energy_scale.multiplier())),
        energy(static_cast<std::size_t>(chain.replicas())),
        scratch(static_cast<std::size_t>(chain.slots())) {
    bonds = std::ssize(task.disorder->couplings) - couplings.absent;
    state.steps = task.state->steps;
    state.slot = task.state->slot;
    state.heading = task.state->heading;
    state.round_trips = task.state->round_trips;
    find_replicas(chain);
  }
  void find_replicas(const Chain& chain) {
    replica_at.resize(state.slot.size());
    for (std::size_t r = 0; r < replica_at.size(); ++r) {
      replica_at[chain.place_of(r, state.slot[r])] = static_cast<int>(r);
    }
  }

  ChainState state;
  RoundRecord record;
  ClusterMeasurement measurement;
  std::int64_t term;                 ///< |J| in units of the energy scale
  std::int64_t field_term;           ///< H in those units
  std::int64_t bonds = 0;            ///< that are not absent
  std::vector<std::int64_t> energy;  ///< after a step [replica]
  std::vector<int> replica_at;       ///< [place on the ladders]
  std::vector<int> scratch;
};

/// One round of a bundle. Each member of the team takes its share of the places on the ladder, of the realizations, or
/// of the sites.
class MultispinRound {
 public:
  MultispinRound(const Chain& chain, std::span<const RoundTask> batch, std::span<const MultispinGroup> groups,
                 const MultispinLattice& lattice, const MultispinTable& table)
      : chain_(chain),
        step_(chain),
        batch_(batch),
        plane_sites_(lattice.plane_sites()),
        places_(chain.replicas()),
        bundle_(chain, batch, groups, lattice, table),
        unsatisfied_(static_cast<std::size_t>(places_)),
        down_(bundle_.in_field() ? static_cast<std::size_t>(places_) : 0),
        masks_(static_cast<std::size_t>(places_ * table.words)) {
    for (std::size_t m = 0; m < bundle_.members(); ++m) {
      members_.emplace_back(chain, batch[bundle_.task(m)], bundle_.couplings_of(m));
    }
  }

  RoundOutcome run(int member, Team& team, RoundControl& control) {
    const auto updates = static_cast<std::uint64_t>(chain_.updates_per_stretch()) * members_.size();
    const int steps = chain_.protocol.exchanges_per_measurement;
    for (int m = 0; m < chain_.stretches(); ++m) {
      for (int s = 0; s < steps; ++s) {
        if (member == 0) abandon_ = control.stop || team.broken();
        team.synchronize();
        if (abandon_) return RoundOutcome::abandoned;
        step(static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(steps) + static_cast<std::uint64_t>(s), member,
             team);
      }
      if (chain_.measurements > 0) measure(m, member, team);
      if (member == 0) control.updates.fetch_add(updates, std::memory_order_relaxed);
    }
    for_members(member, team, [&](Member& each, std::size_t) { finish_record(chain_, each.record); });
    team.synchronize();
    return RoundOutcome::finished;
  }

  void store() {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      Member& each = members_[m];
      const RoundTask& task = batch_[bundle_.task(m)];
      each.state.spins = std::move(task.state->spins);
      each.state.states = std::move(task.state->states);
      bundle_.store(m, each.state);
      *task.state = std::move(each.state);
      *task.record = std::move(each.record);
    }
  }

 private:
  /// body(member of the bundle, its number) for the share of a member of the team.
  template <class Body>
  void for_members(int member, const Team& team, const Body& body) {
    for (auto m = static_cast<std::size_t>(member); m < members_.size(); m += static_cast<std::size_t>(team.size)) {
      body(members_[m], m);
    }
  }

  /// done: steps of the round before this one.
  void step(std::uint64_t done, int member, Team& team) {
    const int first = places_ * member / team.size, end = places_ * (member + 1) / team.size;
    std::vector<std::uint32_t> random, scratch;
    const auto for_bundles = [&](const auto& body) {
      for (int place = first; place < end; place += MultispinHalfSweep::most) {
        body(place, std::min(MultispinHalfSweep::most, end - place));
      }
    };
    const auto count_unsatisfied = [&](int place, int count) {
      for (int p = place; p < place + count; ++p) {
        bundle_.count_unsatisfied(p, unsatisfied_[static_cast<std::size_t>(p)]);
        if (bundle_.in_field()) bundle_.count_down(p, down_[static_cast<std::size_t>(p)]);
      }
    };
    const int n_B = step_.count(MoveKind::local), n_I = step_.count(MoveKind::isoenergetic);
    if (n_I == 0) {
      for_bundles([&](int place, int count) {
        bundle_.sweep(done, 0, step_.repetitions() * n_B, place, count, random);
        count_unsatisfied(place, count);
      });
    } else {
      const auto make = [&](const PlacedMove& move, int t) {
        if (move.kind() == MoveKind::local) {
          const int begin = t * n_B + move.first;
          for_bundles(
              [&](int place, int count) { bundle_.sweep(done, begin, begin + move.count, place, count, random); });
          return;
        }
        const int begin = t * n_I + move.first;
        team.synchronize();
        for (int slot = member; slot < chain_.isoenergetic_slots(); slot += team.size) {
          bundle_.swap_clusters(done, begin, begin + move.count, slot, scratch);
        }
        team.synchronize();
      };
      for (int t = 0; t < step_.repetitions(); ++t) {
        for (const PlacedMove& move : step_.moves()) make(move, t);
      }
      for_bundles(count_unsatisfied);
    }
    if (member == 0) std::fill(masks_.begin(), masks_.end(), 0U);
    team.synchronize();
    for_members(member, team, [&](Member& each, std::size_t m) { exchange(each, m); });
    team.synchronize();
    const auto words = static_cast<std::size_t>(bundle_.words());
    for (int place = 0; place + 1 < places_; ++place) {  // in this order: the exchanges of a ladder follow each other
      const std::uint32_t* mask = masks_.data() + static_cast<std::size_t>(place) * words;
      if (std::any_of(mask, mask + words, [](std::uint32_t bits) { return bits != 0; })) {
        bundle_.exchange(place, mask, member, team.size);
      }
    }
    team.synchronize();
  }

  /// Energies of a realization and its exchanges; notes which pairs of places change.
  void exchange(Member& each, std::size_t m) {
    const RoundTask& task = batch_[bundle_.task(m)];
    const auto slots = static_cast<std::size_t>(chain_.slots()), words = static_cast<std::size_t>(bundle_.words());
    const std::vector<int> before = each.replica_at;
    for (std::size_t p = 0; p < before.size(); ++p) {
      const std::int64_t broken = unsatisfied_[p][bundle_.lane(m)];
      std::int64_t& energy = each.energy[static_cast<std::size_t>(before[p])];
      energy = each.term * (2 * broken - each.bonds);
      if (!down_.empty()) {
        energy += each.field_term * (2 * std::int64_t{down_[p][bundle_.lane(m)]} - chain_.lattice.sites());
      }
    }
    exchange_replicas(chain_, task.realization, each.state.steps, each.energy.data(),
                      task.disorder->energy_scale.unit(), each.state, each.record, each.scratch.data());
    ++each.state.steps;
    each.find_replicas(chain_);
    for (std::size_t p = 0; p + 1 < before.size(); ++p) {
      // Once pair p is done, its lower place keeps what it has.
      if ((p + 1) % slots != 0 && each.replica_at[p] == before[p + 1]) bundle_.set(m, masks_.data() + p * words);
    }
  }

  void measure(int m, int member, Team& team) {
    for (int slot = member; slot < chain_.slots(); slot += team.size) measure_slot(m, slot);
    team.synchronize();
    for_members(member, team, [&](Member& each, std::size_t) { record_walk(chain_, each.state, each.record); });
    team.synchronize();
  }

  void measure_slot(int m, int slot) {
    const int slots = chain_.slots(), pairs = chain_.copies * (chain_.copies - 1) / 2;
    std::vector<std::vector<std::uint32_t>> planes(static_cast<std::size_t>(chain_.copies + pairs)), links;
    for (int a = 0; a < chain_.copies; ++a) {
      bundle_.count_planes(a * slots + slot, -1, planes[static_cast<std::size_t>(a)]);
    }
    for (int a = 0; a < chain_.copies; ++a) {
      for (int b = a + 1; b < chain_.copies; ++b) {
        const auto pair = static_cast<std::size_t>(chain_.copies) + links.size();
        bundle_.count_planes(a * slots + slot, b * slots + slot, planes[pair]);
        bundle_.count_links(a * slots + slot, b * slots + slot, links.emplace_back());
      }
    }
    const ClusterMeasurement& any = members_.front().measurement;
    std::vector<SiteSums> sites(static_cast<std::size_t>(chain_.copies), any.empty_sites());
    std::vector<OverlapSums> overlaps(static_cast<std::size_t>(pairs), any.empty_overlap());
    const std::vector<ClusterSums> clusters(sites.size());
    const auto quantities = static_cast<std::size_t>(any.layout().size());
    for (std::size_t k = 0; k < members_.size(); ++k) {
      Member& each = members_[k];
      const std::size_t lane = bundle_.lane(k);
      const auto copies = static_cast<std::size_t>(chain_.copies);
      for (std::size_t copy = 0; copy < copies; ++copy) {
        read_planes(planes[copy], lane, sites[copy].planes);
        const std::size_t place = copy * static_cast<std::size_t>(slots) + static_cast<std::size_t>(slot);
        sites[copy].energy = each.energy[static_cast<std::size_t>(each.replica_at[place])];
      }
      for (std::size_t pair = 0; pair < overlaps.size(); ++pair) {
        read_planes(planes[copies + pair], lane, overlaps[pair].planes);
        overlaps[pair].link = chain_.lattice.bonds() - 2 * std::int64_t{links[pair][lane]};
      }
      const SamplePlaces samples(chain_, m, static_cast<int>(quantities), each.record);
      each.measurement.add(sites, clusters, overlaps,
                           each.record.mean.data() + static_cast<std::size_t>(slot) * quantities,
                           samples.of_slot(slot));
    }
  }
  /// Sums over planes of numbers +-1, of which so many are -1.
  void read_planes(const std::vector<std::uint32_t>& count, std::size_t lane, std::vector<std::int64_t>& planes) const {
    for (std::size_t i = 0; i < planes.size(); ++i) {
      planes[i] = plane_sites_[i] - 2 * std::int64_t{count[i * bundle_.lanes() + lane]};
    }
  }

  const Chain& chain_;
  const Step step_;
  std::span<const RoundTask> batch_;
  const std::vector<std::int64_t>& plane_sites_;
  int places_;
  MultispinBundle bundle_;
  std::vector<Member> members_;
  std::vector<std::vector<std::uint32_t>> unsatisfied_;  ///< after a step [place][lane]
  std::vector<std::vector<std::uint32_t>> down_;         ///< spins -1, in a field [place][lane]
  std::vector<std::uint32_t> masks_;                     ///< exchanges of places p and p + 1 [p][word]
  bool abandon_ = false;
};

}  // namespace

const MultispinTable* multispin_of(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa == InstructionSet::avx512) return avx512_multispin();
  if (isa == InstructionSet::avx2) return avx2_multispin();
#endif
  (void)isa;
  return portable_multispin();
}

RoundOutcome run_multispin(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control,
                           InstructionSet isa, int threads) {
  const MultispinLattice lattice(chain.lattice, batch.empty() ? nullptr : batch.front().disorder->graph.get());
  const std::vector<MultispinGroup> groups = multispin_groups(batch);
  const std::span<const MultispinGroup> all = groups;
  std::vector<std::span<const MultispinGroup>> bundles;
  for (std::size_t first = 0; first < all.size(); first += 4) {
    bundles.push_back(all.subspan(first, std::min<std::size_t>(4, all.size() - first)));
  }
  const MultispinTable* const tables = multispin_of(isa);
  return run_in_teams<MultispinRound>(
      bundles.size(), threads, control, [&](std::optional<MultispinRound>& round, std::size_t b, Team&) {
        const std::size_t size = bundles[b].size();
        round.emplace(chain, batch, bundles[b], lattice, tables[size > 2 ? 2 : size - 1]);
      });
}

}}  // namespace glassworks::cpu
