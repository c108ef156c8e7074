#include "kernels/reference/reference_cluster_replica.hpp"

#include <algorithm>

#include "kernels/models/activation.hpp"
#include "kernels/reference/reference_sweeps.hpp"
#include "kernels/rounds/site_sums.hpp"

namespace glassworks { inline namespace reference {
namespace {

/// Sites of one cluster with the boundaries that the search crossed on its way to them.
struct Cluster {
  std::vector<std::int64_t> sites;  ///< in the order of the search
  unsigned wraps = 0;               ///< bit a: a closed path around axis a
  [[nodiscard]] std::int64_t root() const { return *std::min_element(sites.begin(), sites.end()); }
};

/// M: a model, see for_model.hpp.
template <class M>
class ReferenceClusterReplica final : public ClusterReplica {
  using Site = typename M::Site;
  static constexpr int n = M::components;

 public:
  ReferenceClusterReplica(const ClusterSystem& system, int replica, const ChainState& state,
                          const std::shared_ptr<const LatticeTable>& table)
      : system_(system),
        chain_(system.chain),
        lattice_(system.chain.lattice),
        table_(table),
        replica_(static_cast<std::uint32_t>(replica)),
        crossings_(static_cast<std::size_t>(lattice_.sites())),
        visited_(chain_.cluster_sweeps() > 0 ? static_cast<std::size_t>(lattice_.sites()) : 0),
        states_(part_of(state.states, replica)),
        spins_(part_of(state.spins, replica)),
        sweeps_(chain_, system.disorder, system.realization, replica_,
                {states_.data(), spins_.data(), lattice_.sites()}, table, system.beside, system.phi4) {}

  // The first of the members that share a replica does all of it.

  void begin_step(const Share& share) override {
    if (share.index > 0) return;
    sums_ = {};
    sweeps_.clear_accepted();
  }

  void make(std::span<const PlacedMove> moves, std::uint64_t repetition, int slot, bool observe,
            const Share& share) override {
    if (share.index > 0) return;
    slot_ = slot;
    beta_ = chain_.beta[static_cast<std::size_t>(slot)];
    const auto is_cluster = [](const PlacedMove& move) { return move.kind() == MoveKind::cluster; };
    while (!moves.empty()) {
      const bool clusters = is_cluster(moves.front());
      const auto end = std::ranges::find(moves, !clusters, is_cluster);
      const auto alike = moves.first(static_cast<std::size_t>(end - moves.begin()));
      moves = moves.subspan(alike.size());
      if (clusters) {
        if constexpr (M::cluster_move != ClusterMove::none) {
          system_.step.for_each(alike, repetition, [&](const NumberedMove& move) {
            cluster_update(move.rule, move.number, observe && move.last);
          });
        }
      } else {
        sweeps_.sweep(system_.step, alike, repetition, slot);
      }
    }
    sums_.accepted = sweeps_.accepted();
  }

  void finish_step(const Share& share, bool energy) override {
    if (share.index > 0) return;
    if constexpr (!M::discrete && !M::free_modulus) {
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) set_site(i, exact::renormalize(site(i)));
    }
    if (!energy) return;
    energy_ = 0;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      if constexpr (M::has_fields) {
        if (system_.disorder.has_fields()) {
          energy_ -= to_fixed_clamped(M::in_field(chain_.model, sweeps_.site_field(i), site(i)),
                                      system_.disorder.energy_scale.multiplier());
        }
      }
      if constexpr (M::has_site_energy) {
        energy_ += to_fixed_clamped(static_cast<float>(M::site_energy(chain_.model, site(i))),
                                    system_.disorder.energy_scale.multiplier());
      }
      energy_ -= to_fixed_clamped(sweeps_.anisotropy(i), system_.disorder.energy_scale.multiplier());
      for (const LatticeTable::Link& link : table_->links(i)) {
        if (!link.owned) continue;
        const float x = M::product(chain_.model, site(i), site(link.site));
        energy_ -= to_fixed_clamped(exact::mul(sweeps_.coupling(link), x), system_.disorder.energy_scale.multiplier());
      }
      energy_ += sweeps_.energy_of_terms(i, site(i), TermsOfSite::owned);
    }
  }

  void add_sites(SiteSums& sums, const Share& share) const override {
    if (share.index == 0)
      add_site_sums<M>(
          system_, [this](std::int64_t i) { return site(i); }, sums);
  }

  [[nodiscard]] std::int64_t energy() const override { return energy_; }
  [[nodiscard]] const ClusterSums& clusters() const override { return sums_; }
  [[nodiscard]] bool too_large() const override { return sweeps_.too_large(); }
  [[nodiscard]] std::uint8_t* states() override { return states_.data(); }
  [[nodiscard]] float* spins() override { return spins_.data(); }
  [[nodiscard]] std::int64_t stride() const override { return lattice_.sites(); }

 private:
  /// The numbers of one replica, of those of all.
  template <class Number>
  [[nodiscard]] std::vector<Number> part_of(const std::vector<Number>& all, int replica) const {
    const auto size = static_cast<std::ptrdiff_t>(all.size()) / chain_.replicas();
    return {all.begin() + replica * size, all.begin() + (replica + 1) * size};
  }
  [[nodiscard]] Site site(std::int64_t i) const { return sweeps_.site(i); }
  void set_site(std::int64_t i, const Site& s) { sweeps_.set_site(i, s); }
  [[nodiscard]] RandomBlock block(Stream stream, std::uint64_t sweep, std::uint32_t index) const {
    return random_block(chain_.key, stream, system_.realization, replica_, sweep, index);
  }

  /// w of a site: r.s with the direction r of the reflection; 1 of discrete spins.
  [[nodiscard]] float weight(std::int64_t i, const exact::Vector<n>& direction) const {
    if constexpr (M::discrete)
      return 1.0F;
    else
      return exact::dot(direction, site(i));
  }

  /// The bond with neighbour number `number` of a site.
  [[nodiscard]] bool is_active(std::int64_t i, int number, std::uint64_t update,
                               const exact::Vector<n>& direction) const {
    const LatticeTable::Link& link = table_->links(i)[static_cast<std::size_t>(number)];
    const std::int64_t site = link.owned ? i : link.site, next = link.owned ? link.site : i;
    const WordAddress address =
        lattice_.is_graph() ? graph_bond_address(link.place) : bond_address(lattice_, site, number / 2);
    const std::uint32_t word = block(Stream::bonds, update, address.block).word[address.word];
    const float J = sweeps_.coupling(link);
    if constexpr (M::discrete) {
      if (!exact::is_satisfied(J, this->site(site), this->site(next))) return false;
      if (system_.uniform) return word < system_.threshold[static_cast<std::size_t>(slot_)];
      return exact::is_active(exact::satisfied_exponent(exact::mul(M::minus_factor, beta_), J), word);
    } else {
      return exact::is_active(
          exact::reflected_exponent(exact::mul(-2.0F, beta_), J, weight(site, direction), weight(next, direction)),
          word);
    }
  }

  /// That of the reflections of an update.
  [[nodiscard]] exact::Vector<n> direction_of(std::uint64_t update) const {
    if constexpr (M::discrete)
      return {};
    else
      return exact::random_direction<n>(block(Stream::reflection, update, direction_block));
  }

  /// The cluster of a site; its sites are marked as visited.
  [[nodiscard]] Cluster grow(std::int64_t seed, std::uint64_t update, const exact::Vector<n>& direction) {
    Cluster cluster{{seed}};
    visited_[static_cast<std::size_t>(seed)] = 1;
    crossings_[static_cast<std::size_t>(seed)] = {};
    for (std::size_t next = 0; next < cluster.sites.size(); ++next) {
      const std::int64_t i = cluster.sites[next];
      const auto links = static_cast<int>(table_->links(i).size());
      for (int number = 0; number < links; ++number) {
        const std::int64_t j = table_->links(i)[static_cast<std::size_t>(number)].site;
        if (!is_active(i, number, update, direction)) continue;
        std::array<int, Lattice::max_dim> crossed = crossings_[static_cast<std::size_t>(i)];
        add_crossings(i, number, crossed);
        if (visited_[static_cast<std::size_t>(j)] == 0) {
          visited_[static_cast<std::size_t>(j)] = 1;
          crossings_[static_cast<std::size_t>(j)] = crossed;
          cluster.sites.push_back(j);
          continue;
        }
        for (std::size_t b = 0; b < crossed.size(); ++b) {
          if (crossed[b] != crossings_[static_cast<std::size_t>(j)][b]) cluster.wraps |= 1U << b;
        }
      }
    }
    return cluster;
  }

  /// The ends of a lattice that the bond with neighbour number `number` crosses.
  void add_crossings(std::int64_t i, int number, std::array<int, Lattice::max_dim>& crossed) const {
    if (lattice_.is_graph()) return;
    const Lattice::Coordinates x = lattice_.coordinates(i);
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      crossed[static_cast<std::size_t>(axis)] += lattice_.crossing(x, number / 2, number % 2 == 0 ? +1 : -1, axis);
    }
  }

  /// Gives a cluster its fate: of vectors 1 (reflected) or 0, of discrete spins see the model.
  void move(const Cluster& cluster, std::uint8_t fate, const exact::Vector<n>& direction) {
    std::uint64_t moved = 0;
    for (const std::int64_t i : cluster.sites) {
      if constexpr (M::discrete) {
        const Site before = site(i);
        set_site(i, M::moved(before, fate));
        moved += before != site(i) ? 1 : 0;
      } else if (fate != 0) {
        set_site(i, M::moved(site(i), direction, weight(i, direction)));
        ++moved;
      }
    }
    sums_.moved += moved;
  }

  /// Where clusters grow: of wolff one site, of few_cluster one in each tile.
  [[nodiscard]] std::vector<std::int64_t> seeds(MoveRule rule, std::uint64_t update) const {
    const auto words = [&](std::int64_t tile) {
      return block(Stream::reflection, update, seed_block(static_cast<std::uint32_t>(tile)));
    };
    if (rule != MoveRule::few_cluster) return {seed_site(lattice_, words(0))};
    const Lattice tiles{lattice_.dim, lattice_.L / chain_.protocol.seed_tile};
    std::vector<std::int64_t> result;
    for (std::int64_t tile = 0; tile < tiles.sites(); ++tile) {
      result.push_back(seed_site(lattice_, tiles, tile, words(tile)));
    }
    return result;
  }

  void cluster_update(MoveRule rule, std::uint64_t update, bool observe) {
    const exact::Vector<n> direction = direction_of(update);
    std::vector<Cluster> clusters;
    const auto add_cluster_of = [&](std::int64_t i) {
      if (visited_[static_cast<std::size_t>(i)] == 0) clusters.push_back(grow(i, update, direction));
    };
    if (rule == MoveRule::swendsen_wang) {
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) add_cluster_of(i);
      if (observe) add_decomposition(clusters, direction);
      for (const Cluster& cluster : clusters) move_by_coin(cluster, update, direction);
    } else {
      for (const std::int64_t seed : seeds(rule, update)) add_cluster_of(seed);
      for (const Cluster& cluster : clusters) move_single(cluster, update, rule == MoveRule::few_cluster, direction);
    }
    for (const Cluster& cluster : clusters) {
      for (const std::int64_t i : cluster.sites) visited_[static_cast<std::size_t>(i)] = 0;
    }
  }

  void move_single(const Cluster& cluster, std::uint64_t update, bool few, const exact::Vector<n>& direction) {
    const RandomBlock words =
        block(Stream::cluster, update, single_cluster_block(static_cast<std::uint32_t>(cluster.root())));
    if (few && words.word[0] >= system_.flip_threshold) return;
    std::uint8_t fate = 1;
    if constexpr (M::discrete) fate = M::fate(site(cluster.root()), words.word[1], chain_.model.states);
    move(cluster, fate, direction);
  }

  void move_by_coin(const Cluster& cluster, std::uint64_t update, const exact::Vector<n>& direction) {
    const auto root = static_cast<std::uint32_t>(cluster.root());
    if constexpr (M::cluster_move == ClusterMove::reflection) {
      const BitAddress a = reflection_coin_address(root);
      move(cluster, (block(Stream::cluster, update, a.block).word[a.word] >> a.bit) & 1U, direction);
    } else {
      const WordAddress a = new_state_address(root);
      const std::uint32_t word = block(Stream::cluster, update, a.block).word[a.word];
      const auto states = static_cast<std::uint32_t>(chain_.model.states);
      move(cluster, static_cast<std::uint8_t>(uniform_below(word, states)), direction);
    }
  }

  void add_decomposition(const std::vector<Cluster>& clusters, const exact::Vector<n>& direction) {
    const FixedScale fixed = system_.scales.component, square = system_.scales.square;
    std::vector<PhaseTable> phases;  // [axis]
    for (int axis = 0; axis < lattice_.dim; ++axis) phases.emplace_back(lattice_.length(axis));
    for (const Cluster& cluster : clusters) {
      const std::uint64_t size = cluster.sites.size();
      ++sums_.clusters;
      sums_.largest = std::max(sums_.largest, size);
      sums_.squares += size * size;
      sums_.wrapping_any = sums_.wrapping_any || cluster.wraps != 0;
      sums_.wrapping_all = sums_.wrapping_all || cluster.wraps == (1U << lattice_.dim) - 1U;
      ClusterTerms terms;
      for (const std::int64_t i : cluster.sites) {
        const float w = weight(i, direction);
        terms.weight += to_fixed_clamped(w, fixed.multiplier());
        system_.bonds.for_planes(i, [&](int axis, int x, int) {
          const auto a = static_cast<std::size_t>(axis), p = static_cast<std::size_t>(x);
          const PhaseTable& phase = phases[a];
          terms.cosine[a] += to_fixed_clamped(exact::mul(w, static_cast<float>(phase.cosine[p])), fixed.multiplier());
          terms.sine[a] += to_fixed_clamped(exact::mul(w, static_cast<float>(phase.sine[p])), fixed.multiplier());
        });
      }
      add_cluster_terms(terms, fixed.unit(), square.multiplier(), lattice_.dim, sums_);
    }
  }

  const ClusterSystem& system_;
  const Chain& chain_;
  Lattice lattice_;
  std::shared_ptr<const LatticeTable> table_;
  std::uint32_t replica_;
  std::vector<std::array<int, Lattice::max_dim>> crossings_;  ///< boundaries crossed between the seed and a site
  std::vector<std::uint8_t> visited_;                         ///< by the clusters of an update, else 0 [site]
  std::vector<std::uint8_t> states_;
  std::vector<float> spins_;
  ReferenceSweeps<M> sweeps_;
  std::int64_t energy_ = 0;
  ClusterSums sums_;
  int slot_ = 0;
  float beta_ = 0.0F;
};

}  // namespace

std::unique_ptr<ClusterReplica> make_reference_cluster_replica(const ClusterSystem& system, int replica,
                                                               const ChainState& state,
                                                               std::shared_ptr<const LatticeTable> table) {
  if (!table) table = std::make_shared<const LatticeTable>(system.chain.lattice, system.disorder.graph.get());
  return for_any_model(system.chain.model, [&](auto m) -> std::unique_ptr<ClusterReplica> {
    return std::make_unique<ReferenceClusterReplica<decltype(m)>>(system, replica, state, table);
  });
}

}}  // namespace glassworks::reference
