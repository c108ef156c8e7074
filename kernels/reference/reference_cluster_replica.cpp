#include "kernels/reference/reference_cluster_replica.hpp"

#include <algorithm>
#include <deque>

#include "kernels/core/addresses.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks::inline reference {
namespace {

/// What decides on clusters of one update: the direction of the reflection and the projections of all spins.
struct Embedding {
  std::vector<float> direction;
  std::vector<float> projection;  ///< r.s; 1 for discrete spins [site]
};

/// Sites of one cluster with the boundaries that the search crossed on its way to them.
struct Cluster {
  std::vector<std::int64_t> sites;  ///< in the order of the search
  unsigned wraps = 0;               ///< bit a: a closed path around axis a
  [[nodiscard]] std::int64_t root() const { return *std::min_element(sites.begin(), sites.end()); }
};

template <int n>
class ReferenceClusterReplica final : public ClusterReplica {
  using Vector = exact::Vector<n>;

 public:
  ReferenceClusterReplica(const ClusterSystem& system, int replica, const ChainState& state)
      : system_(system),
        chain_(system.chain),
        lattice_(system.chain.lattice),
        replica_(static_cast<std::uint32_t>(replica)),
        crossings_(static_cast<std::size_t>(lattice_.sites())) {
    const std::int64_t sites = lattice_.sites();
    if (discrete()) {
      states_.assign(state.states.begin() + replica * sites, state.states.begin() + (replica + 1) * sites);
    } else {
      spins_.assign(state.spins.begin() + replica * n * sites, state.spins.begin() + (replica + 1) * n * sites);
    }
  }

  void repeat(std::uint64_t step, int t, int slot, bool observe, const Share&) override {
    slot_ = slot;
    beta_ = chain_.beta[static_cast<std::size_t>(slot)];
    if (t == 0) sums_ = {};
    const std::uint64_t repetition =
        step * static_cast<std::uint64_t>(chain_.protocol.sweeps_per_exchange) + static_cast<std::uint64_t>(t);
    const auto n_C = static_cast<std::uint64_t>(system_.cluster_sweeps);
    const auto n_B = static_cast<std::uint64_t>(chain_.protocol.heatbath);
    for (std::uint64_t c = 0; c < n_C; ++c) {
      cluster_update(repetition * n_C + c, observe && t + 1 == chain_.protocol.sweeps_per_exchange && c + 1 == n_C);
    }
    for (int m = 0; m < chain_.protocol.overrelaxation; ++m) {
      for_each_site([&](std::int64_t i, int) { over_relax(i); });
    }
    for (std::uint64_t b = 0; b < n_B; ++b) {
      for_each_site([&](std::int64_t i, int parity) { local_update(i, repetition * n_B + b, parity); });
    }
  }

  void finish_step(const Share&) override {
    const bool unit = !discrete() && !has_modulus(chain_.model);
    for (std::int64_t i = 0; unit && i < lattice_.sites(); ++i) set_spin(i, exact::renormalize(spin(i)));
    energy_ = 0;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      if (has_fields()) {
        energy_ -= to_fixed_clamped(field_product(i), system_.disorder.energy_scale.multiplier());
      }
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        const float x = bond_product(i, lattice_.neighbour(i, axis, +1));
        energy_ -= to_fixed_clamped(exact::mul(coupling(i, axis), x), system_.disorder.energy_scale.multiplier());
      }
    }
  }

  void add_sites(SiteSums& sums, const Share&) const override {
    const SumScales& scales = system_.scales;
    const int columns = plane_columns(chain_.model);
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      const Lattice::Coordinates c = lattice_.coordinates(i);
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        std::int64_t* plane = sums.planes.data() + (axis * lattice_.L + c[static_cast<std::size_t>(axis)]) * columns;
        if (chain_.model.kind == ModelKind::ising) plane[0] += 2 * state(i) - 1;
        if (chain_.model.kind == ModelKind::potts) plane[state(i)] += 1;
        for (int k = 0; !discrete() && k < n; ++k)
          plane[k] += to_fixed_clamped(spin(i).c[k], scales.component.multiplier());
      }
      if (!has_modulus(chain_.model)) continue;
      const float square = exact::dot(spin(i), spin(i));
      sums.modulus_2 += to_fixed_clamped(square, scales.product.multiplier());
      sums.modulus_4 += to_fixed_wide(exact::mul(square, square), scales.quartic.multiplier());
    }
  }

  [[nodiscard]] std::int64_t energy() const override { return energy_; }
  [[nodiscard]] const ClusterSums& clusters() const override { return sums_; }
  [[nodiscard]] bool too_large() const override { return too_large_; }
  [[nodiscard]] std::uint8_t* states() override { return states_.data(); }
  [[nodiscard]] float* spins() override { return spins_.data(); }
  [[nodiscard]] std::int64_t stride() const override { return lattice_.sites(); }

 private:
  [[nodiscard]] bool discrete() const { return chain_.model.is_discrete(); }
  [[nodiscard]] std::uint8_t state(std::int64_t i) const { return states_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Vector spin(std::int64_t i) const {
    Vector s;
    for (int k = 0; k < n; ++k) s.c[k] = spins_[static_cast<std::size_t>(k * lattice_.sites() + i)];
    return s;
  }
  void set_spin(std::int64_t i, const Vector& s) {
    for (int k = 0; k < n; ++k) spins_[static_cast<std::size_t>(k * lattice_.sites() + i)] = s.c[k];
  }
  [[nodiscard]] float coupling(std::int64_t i, int axis) const {
    return system_.disorder.couplings[static_cast<std::size_t>(i * lattice_.dim + axis)];
  }
  [[nodiscard]] RandomBlock block(Stream stream, std::uint64_t sweep, std::uint32_t index) const {
    return random_block(chain_.key, stream, system_.realization, replica_, sweep, index);
  }
  [[nodiscard]] float bond_product(std::int64_t i, std::int64_t j) const {
    if (chain_.model.kind == ModelKind::ising) return state(i) == state(j) ? 1.0F : -1.0F;
    if (chain_.model.kind == ModelKind::potts) return state(i) == state(j) ? 1.0F : 0.0F;
    return exact::dot(spin(i), spin(j));
  }

  [[nodiscard]] bool has_fields() const { return system_.disorder.has_fields(); }
  [[nodiscard]] float site_field(std::int64_t i, int component) const {
    return system_.disorder.fields[static_cast<std::size_t>(i * n + component)];
  }
  /// H_i . s_i
  [[nodiscard]] float field_product(std::int64_t i) const {
    if (discrete()) return state(i) != 0 ? site_field(i, 0) : -site_field(i, 0);
    Vector H;
    for (int k = 0; k < n; ++k) H.c[k] = site_field(i, k);
    return exact::dot(H, spin(i));
  }

  /// The bond that `site` owns along `axis`.
  [[nodiscard]] bool is_active(std::int64_t site, int axis, std::uint64_t update, const Embedding& embedding) const {
    const std::int64_t next = lattice_.neighbour(site, axis, +1);
    const WordAddress address = bond_address(lattice_, site, axis);
    const std::uint32_t word = block(Stream::bonds, update, address.block).word[address.word];
    const float J = coupling(site, axis);
    if (!discrete()) {
      return exact::is_active(
          exact::reflected_exponent(exact::mul(-2.0F, beta_), J, embedding.projection[static_cast<std::size_t>(site)],
                                    embedding.projection[static_cast<std::size_t>(next)]),
          word);
    }
    if (!exact::is_satisfied(J, state(site), state(next))) return false;
    if (system_.uniform) return word < system_.threshold[static_cast<std::size_t>(slot_)];
    return exact::is_active(exact::satisfied_exponent(exact::mul(system_.minus_factor, beta_), J), word);
  }

  [[nodiscard]] Embedding embed(std::uint64_t update) const {
    Embedding e;
    e.projection.assign(static_cast<std::size_t>(lattice_.sites()), 1.0F);
    if constexpr (n > 1) {
      const Vector r = exact::random_direction<n>(block(Stream::reflection, update, direction_block));
      e.direction.assign(r.c, r.c + n);
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
        e.projection[static_cast<std::size_t>(i)] = exact::dot(r, spin(i));
      }
    }
    return e;
  }

  /// The cluster of a site; its sites are marked as visited.
  [[nodiscard]] Cluster grow(std::int64_t seed, std::uint64_t update, const Embedding& embedding,
                             std::vector<bool>& visited) {
    Cluster cluster;
    std::deque<std::int64_t> queue{seed};
    visited[static_cast<std::size_t>(seed)] = true;
    crossings_[static_cast<std::size_t>(seed)] = {};
    while (!queue.empty()) {
      const std::int64_t i = queue.front();
      queue.pop_front();
      cluster.sites.push_back(i);
      const Lattice::Coordinates x = lattice_.coordinates(i);
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        for (const int direction : {+1, -1}) {
          const std::int64_t j = lattice_.neighbour(i, axis, direction);
          if (!is_active(direction > 0 ? i : j, axis, update, embedding)) continue;
          std::array<int, Lattice::max_dim> crossed = crossings_[static_cast<std::size_t>(i)];
          if (direction > 0 && x[a] == lattice_.L - 1) ++crossed[a];
          if (direction < 0 && x[a] == 0) --crossed[a];
          if (!visited[static_cast<std::size_t>(j)]) {
            visited[static_cast<std::size_t>(j)] = true;
            crossings_[static_cast<std::size_t>(j)] = crossed;
            queue.push_back(j);
            continue;
          }
          for (std::size_t b = 0; b < crossed.size(); ++b) {
            if (crossed[b] != crossings_[static_cast<std::size_t>(j)][b]) cluster.wraps |= 1U << b;
          }
        }
      }
    }
    return cluster;
  }

  /// Reflects all sites of a cluster; not of potts.
  void reflect(const Cluster& cluster, const Embedding& embedding) {
    for (const std::int64_t i : cluster.sites) {
      if (discrete()) {
        states_[static_cast<std::size_t>(i)] ^= 1U;
        continue;
      }
      Vector r;
      for (int k = 0; k < n; ++k) r.c[k] = embedding.direction[static_cast<std::size_t>(k)];
      set_spin(i, exact::reflect(spin(i), r, embedding.projection[static_cast<std::size_t>(i)]));
    }
    sums_.moved += cluster.sites.size();
  }
  void recolour(const Cluster& cluster, std::uint32_t sigma) {
    if (sigma != state(cluster.sites.front())) sums_.moved += cluster.sites.size();
    for (const std::int64_t i : cluster.sites) states_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(sigma);
  }

  void cluster_update(std::uint64_t update, bool observe) {
    const Embedding embedding = embed(update);
    std::vector<bool> visited(static_cast<std::size_t>(lattice_.sites()), false);
    std::vector<Cluster> clusters;
    if (chain_.protocol.kind == ProtocolKind::swendsen_wang) {
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
        if (!visited[static_cast<std::size_t>(i)]) clusters.push_back(grow(i, update, embedding, visited));
      }
      if (observe) add_decomposition(clusters, embedding);
      for (const Cluster& cluster : clusters) move_by_coin(cluster, update, embedding);
      return;
    }
    const bool few = chain_.protocol.kind == ProtocolKind::few_cluster;
    const int edge = few ? chain_.protocol.seed_tile : lattice_.L;
    const Lattice tiles{lattice_.dim, lattice_.L / edge};
    for (std::int64_t tile = 0; tile < tiles.sites(); ++tile) {
      Lattice::Coordinates origin = tiles.coordinates(tile);
      for (int& x : origin) x *= edge;
      const RandomBlock words = block(Stream::reflection, update, seed_block(static_cast<std::uint32_t>(tile)));
      const std::int64_t seed = seed_site(lattice_, origin, edge, words);
      if (!visited[static_cast<std::size_t>(seed)]) clusters.push_back(grow(seed, update, embedding, visited));
    }
    for (const Cluster& cluster : clusters) {
      const auto q = static_cast<std::uint32_t>(chain_.model.states);
      const RandomBlock words =
          block(Stream::cluster, update, single_cluster_block(static_cast<std::uint32_t>(cluster.root())));
      if (few && words.word[0] >= system_.flip_threshold) continue;
      if (chain_.model.kind == ModelKind::potts) {
        recolour(cluster, (state(cluster.sites.front()) + 1U + uniform_below(words.word[1], q - 1)) % q);
      } else {
        reflect(cluster, embedding);
      }
    }
  }

  void move_by_coin(const Cluster& cluster, std::uint64_t update, const Embedding& embedding) {
    const auto root = static_cast<std::uint32_t>(cluster.root());
    if (chain_.model.kind == ModelKind::potts) {
      const WordAddress a = new_state_address(root);
      recolour(cluster, uniform_below(block(Stream::cluster, update, a.block).word[a.word],
                                      static_cast<std::uint32_t>(chain_.model.states)));
      return;
    }
    const BitAddress a = reflection_coin_address(root);
    if (((block(Stream::cluster, update, a.block).word[a.word] >> a.bit) & 1U) != 0U) reflect(cluster, embedding);
  }

  void add_decomposition(const std::vector<Cluster>& clusters, const Embedding& embedding) {
    const FixedScale fixed = system_.scales.component, square = system_.scales.square;
    const PhaseTable phase(lattice_.L);
    for (const Cluster& cluster : clusters) {
      const std::uint64_t size = cluster.sites.size();
      ++sums_.clusters;
      sums_.largest = std::max(sums_.largest, size);
      sums_.squares += size * size;
      sums_.wrapping_any = sums_.wrapping_any || cluster.wraps != 0;
      sums_.wrapping_all = sums_.wrapping_all || cluster.wraps == (1U << lattice_.dim) - 1U;
      ClusterTerms terms;
      for (const std::int64_t i : cluster.sites) {
        const float w = embedding.projection[static_cast<std::size_t>(i)];
        const Lattice::Coordinates c = lattice_.coordinates(i);
        terms.weight += to_fixed_clamped(w, fixed.multiplier());
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice_.dim); ++axis) {
          const auto x = static_cast<std::size_t>(c[axis]);
          terms.cosine[axis] +=
              to_fixed_clamped(exact::mul(w, static_cast<float>(phase.cosine[x])), fixed.multiplier());
          terms.sine[axis] += to_fixed_clamped(exact::mul(w, static_cast<float>(phase.sine[x])), fixed.multiplier());
        }
      }
      add_cluster_terms(terms, fixed.unit(), square.multiplier(), lattice_.dim, sums_);
    }
  }

  /// visit(site, parity): first all even, then all odd sites.
  template <class Visit>
  void for_each_site(const Visit& visit) {
    for (int parity = 0; parity < 2; ++parity) {
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
        if (lattice_.parity(i) == parity) visit(i, parity);
      }
    }
  }

  void over_relax(std::int64_t i) {
    if constexpr (n > 1) set_spin(i, exact::over_relax(spin(i), local_field(i)));
  }

  void local_update(std::int64_t i, std::uint64_t sweep, int parity) {
    const HeatBathAddress address = heat_bath_address(lattice_, lattice_.coordinates(i));
    const std::uint64_t half = half_sweep(sweep, parity);
    const std::uint32_t index = has_modulus(chain_.model) ? static_cast<std::uint32_t>(i) : address.cell;
    const RandomBlock words = block(Stream::local_update, half, index);
    const std::uint32_t w0 = words.word[2 * address.member], w1 = words.word[2 * address.member + 1];
    const exact::LocalTemperature temperature(beta_);
    if (chain_.model.kind == ModelKind::ising) {
      float h = has_fields() ? site_field(i, 0) : 0.0F;
      for_each_bond(i, [&](std::int64_t j, float J, bool first) {
        const float term = state(j) != 0 ? J : -J;
        h = first ? term : exact::add(h, term);
      });
      states_[static_cast<std::size_t>(i)] = exact::ising_heat_bath(h, temperature.minus_two_beta, w0);
    } else if (chain_.model.kind == ModelKind::potts) {
      exact::PottsNeighbours neighbours{};
      for_each_bond(i, [&](std::int64_t j, float J, bool) {
        neighbours.sigma[neighbours.count] = state(j);
        neighbours.J[neighbours.count++] = J;
      });
      states_[static_cast<std::size_t>(i)] = exact::potts_heat_bath(neighbours, chain_.model.states, beta_, w0);
    } else if constexpr (n > 1) {
      const Vector h = local_field(i);
      if constexpr (n == 4) {
        if (has_modulus(chain_.model)) {
          const exact::Phi4Move move = exact::phi4_update(spin(i), h, temperature, system_.phi4, sweep, words);
          set_spin(i, move.phi);
          if (move.accepted) ++sums_.accepted;
          too_large_ = too_large_ || move.too_large;
          return;
        }
      }
      set_spin(i, exact::local_update(spin(i), h, temperature, sweep, w0, w1));
    }
  }

  [[nodiscard]] Vector local_field(std::int64_t i) const {
    Vector h{};
    for (int k = 0; has_fields() && k < n; ++k) h.c[k] = site_field(i, k);
    for_each_bond(i, [&](std::int64_t j, float J, bool first) {
      h = first ? exact::first_bond(J, spin(j)) : exact::add_bond(h, J, spin(j));
    });
    return h;
  }

  /// visit(neighbour, J, first) in the order x+, x-, y+, y-, ...; `first`: nothing has been added up before.
  template <class Visit>
  void for_each_bond(std::int64_t i, Visit visit) const {
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      const std::int64_t forward = lattice_.neighbour(i, axis, +1), backward = lattice_.neighbour(i, axis, -1);
      visit(forward, coupling(i, axis), axis == 0 && !has_fields());
      visit(backward, coupling(backward, axis), false);
    }
  }

  const ClusterSystem& system_;
  const Chain& chain_;
  Lattice lattice_;
  std::uint32_t replica_;
  std::vector<std::array<int, Lattice::max_dim>> crossings_;  ///< boundaries crossed between the seed and a site
  std::vector<std::uint8_t> states_;
  std::vector<float> spins_;
  std::int64_t energy_ = 0;
  ClusterSums sums_;
  bool too_large_ = false;
  int slot_ = 0;
  float beta_ = 0.0F;
};

}  // namespace

std::unique_ptr<ClusterReplica> make_reference_cluster_replica(const ClusterSystem& system, int replica,
                                                               const ChainState& state) {
  switch (components_of(system.chain.model)) {
    case 2:
      return std::make_unique<ReferenceClusterReplica<2>>(system, replica, state);
    case 3:
      return std::make_unique<ReferenceClusterReplica<3>>(system, replica, state);
    case 4:
      return std::make_unique<ReferenceClusterReplica<4>>(system, replica, state);
    default:
      return std::make_unique<ReferenceClusterReplica<1>>(system, replica, state);
  }
}

}  // namespace glassworks::inline reference
