#include "kernels/cpu/neighbours/graph_clusters.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "kernels/clusters/union_find.hpp"
#include "kernels/core/addresses.hpp"
#include "kernels/core/modes.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace cpu {
namespace {

constexpr std::int64_t blocks_at_once = 64;  // of random words

/// A site of a lane, as its model has it.
template <class M>
typename M::Site site_of(GraphSpins& spins, std::int64_t i, int lane) {
  if constexpr (std::is_same_v<M, Ising>) {
    return spins.floats()[i * bundle_lanes + lane] > 0.0F ? 1 : 0;
  } else if constexpr (M::discrete) {
    return static_cast<std::uint8_t>(spins.states()[i * bundle_lanes + lane]);
  } else {
    typename M::Site s;
    for (int k = 0; k < M::components; ++k) s.c[k] = spins.floats()[(i * M::components + k) * bundle_lanes + lane];
    return s;
  }
}
template <class M>
void set_site(GraphSpins& spins, std::int64_t i, int lane, const typename M::Site& s) {
  if constexpr (std::is_same_v<M, Ising>) {
    spins.floats()[i * bundle_lanes + lane] = s != 0 ? 1.0F : -1.0F;
  } else if constexpr (M::discrete) {
    spins.states()[i * bundle_lanes + lane] = s;
  } else {
    for (int k = 0; k < M::components; ++k) spins.floats()[(i * M::components + k) * bundle_lanes + lane] = s.c[k];
  }
}

}  // namespace

GraphClusters::GraphClusters(const ClusterSystem& system, const GraphRealization& graph, const GraphTable& kernels,
                             int first_replica, int lanes)
    : system_(system),
      graph_(graph),
      kernels_(kernels),
      first_replica_(first_replica),
      lanes_(lanes),
      sites_(graph.graph().sites()) {
  const Chain& chain = system.chain;
  if (chain.protocol.kind == ProtocolKind::wolff) {
    reached_.resize(size_of(sites_));
    return;
  }
  const auto bonds = static_cast<std::int64_t>(graph.graph().bonds().size());
  active_ = AlignedBuffer<std::uint16_t>(size_of((bonds + 63) / 64 * 64));
  bonds_.resize(size_of(bundle_lanes * ((bonds + 63) / 64)));
  fate_ = AlignedBuffer<std::uint32_t>(size_of(bundle_lanes * sites_));
  parent_.resize(size_of(sites_));
  const bool coins = chain.model.kind != ModelKind::potts;
  words_ = AlignedBuffer<std::uint32_t>(size_of((coins ? (sites_ + 127) / 128 : blocks_at_once) * 4 * bundle_lanes));
  if (chain.model.is_discrete()) return;
  direction_ = AlignedBuffer<float>(size_of(components_of(chain.model) * bundle_lanes));
  projection_ = AlignedBuffer<float>(size_of(bundle_lanes * sites_));
}

void GraphClusters::begin_step(const int* slot_of_lane) {
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    slot_[lane] = slot_of_lane[lane];
    sums_[lane] = {};
    const auto slot = size_of(slot_[lane]);
    minus_factor_beta_[lane] = exact::mul(system_.minus_factor, system_.chain.beta[slot]);
    threshold_[lane] = system_.uniform ? std::bit_cast<float>(system_.threshold[slot]) : 0.0F;
  }
}

void GraphClusters::update(GraphSpins& spins, MoveRule rule, std::uint64_t number, bool observe) {
  for_cluster_model(system_.chain.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      if (rule == MoveRule::swendsen_wang) return swendsen_wang<M>(spins, number, observe);
      for (int lane = 0; lane < lanes_; ++lane) wolff<M>(spins, lane, number);
    }
  });
}

RandomBlock GraphClusters::block(Stream stream, std::uint64_t sweep, int lane, std::uint32_t index) const {
  return random_block(system_.chain.key, stream, system_.realization,
                      static_cast<std::uint32_t>(first_replica_ + std::min(lane, lanes_ - 1)), sweep, index);
}

GraphActivation GraphClusters::job(Stream stream, std::uint64_t update) {
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    word3_[lane] =
        counter_word3(stream, static_cast<std::uint32_t>(first_replica_ + std::min(lane, lanes_ - 1)), update);
  }
  const auto bonds = graph_.graph().bonds();
  return {static_cast<std::int64_t>(bonds.size()),
          bonds.data(),
          system_.disorder.couplings.data(),
          projection_.data(),
          system_.chain.key,
          static_cast<std::uint32_t>(update),
          system_.realization,
          word3_,
          system_.uniform,
          threshold_,
          minus_factor_beta_,
          lanes_,
          active_.data()};
}

template <int n>
void GraphClusters::choose_directions(std::uint64_t update) {
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    const auto r = exact::random_direction<n>(block(Stream::reflection, update, lane, direction_block));
    for (int k = 0; k < n; ++k) direction_[size_of(k * bundle_lanes + lane)] = r.c[k];
  }
}

void GraphClusters::activate(const GraphSpins& spins, std::uint64_t update) {
  const GraphActivation all = job(Stream::bonds, update);
  kernels_.activate(all, spins.data());
  const std::int64_t words = (all.bonds + 63) / 64;
  for (std::int64_t word = 0; word < words; ++word) {
    std::uint64_t of_lane[bundle_lanes] = {};
    for (int k = 0; k < 64; ++k) {
      const std::uint64_t active = active_[size_of(64 * word + k)];
      for (int lane = 0; lane < bundle_lanes; ++lane) of_lane[lane] |= (active >> lane & 1U) << k;
    }
    for (int lane = 0; lane < bundle_lanes; ++lane) bonds_[size_of(lane * words + word)] = of_lane[lane];
  }
}

void GraphClusters::label(int lane) {
  std::iota(parent_.begin(), parent_.end(), 0U);
  SerialForest forest(parent_);
  const auto ends = graph_.graph().bonds();
  const std::size_t words = bonds_.size() / bundle_lanes;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t rest = bonds_[size_of(lane) * words + word]; rest != 0; rest &= rest - 1) {
      const GraphBond& bond = ends[64 * word + size_of(std::countr_zero(rest))];
      forest.unite(static_cast<std::uint32_t>(bond.a), static_cast<std::uint32_t>(bond.b));
    }
  }
  for (std::uint32_t& p : parent_) p = parent_[p];  // parents are smaller, and point at their roots already
}

void GraphClusters::add_decomposition(int lane, bool vectors) {
  const Lattice& lattice = system_.chain.lattice;
  const FixedScale fixed = system_.scales.component;
  std::vector<PhaseTable> phases;  // [axis]
  for (int axis = 0; axis < lattice.dim; ++axis) phases.emplace_back(lattice.length(axis));
  std::vector<ClusterTerms> terms(size_of(sites_));  // [root]
  std::vector<std::uint64_t> size(size_of(sites_), 0);
  for (std::int64_t i = 0; i < sites_; ++i) {
    const std::uint32_t root = parent_[size_of(i)];
    const float w = vectors ? projection_[size_of(i * bundle_lanes + lane)] : 1.0F;
    ++size[root];
    terms[root].weight += to_fixed_clamped(w, fixed.multiplier());
    system_.bonds.for_planes(i, [&](int axis, int x, int) {
      const auto a = size_of(axis), p = size_of(x);
      const PhaseTable& phase = phases[a];
      terms[root].cosine[a] += to_fixed_clamped(exact::mul(w, static_cast<float>(phase.cosine[p])), fixed.multiplier());
      terms[root].sine[a] += to_fixed_clamped(exact::mul(w, static_cast<float>(phase.sine[p])), fixed.multiplier());
    });
  }
  ClusterSums& sums = sums_[lane];
  for (std::size_t root = 0; root < size.size(); ++root) {
    if (size[root] == 0) continue;
    ++sums.clusters;
    sums.largest = std::max(sums.largest, size[root]);
    sums.squares += size[root] * size[root];
    add_cluster_terms(terms[root], fixed.unit(), system_.scales.square.multiplier(), lattice.dim, sums);
  }
}

void GraphClusters::draw_coins(std::uint64_t update) {
  kernels_.draw(job(Stream::cluster, update), 0, (sites_ + 127) / 128, words_.data());
}

void GraphClusters::draw_states(std::uint64_t update, std::uint32_t states) {
  const GraphActivation all = job(Stream::cluster, update);
  const std::int64_t blocks = (sites_ + 3) / 4;
  for (std::int64_t first = 0; first < blocks; first += blocks_at_once) {
    const std::int64_t last = std::min(blocks, first + blocks_at_once), words = 4 * bundle_lanes;
    kernels_.draw(all, first, last, words_.data());
    const std::int64_t end = std::min(last * words, sites_ * bundle_lanes);
    for (std::int64_t i = first * words; i < end; ++i) {
      fate_[size_of(i)] = uniform_below(words_[size_of(i - first * words)], states);
    }
  }
}

template <class M>
void GraphClusters::swendsen_wang(GraphSpins& spins, std::uint64_t update, bool observe) {
  if constexpr (!M::discrete) {
    choose_directions<M::components>(update);
    kernels_.project(sites_, spins.data(), direction_.data(), lanes_, projection_.data());
  }
  activate(spins, update);
  constexpr bool coins = M::cluster_move == ClusterMove::reflection;
  if constexpr (coins) {
    draw_coins(update);
  } else {
    draw_states(update, static_cast<std::uint32_t>(system_.chain.model.states));
  }
  for (int lane = 0; lane < lanes_; ++lane) {
    label(lane);
    if (observe) add_decomposition(lane, !M::discrete);
    if constexpr (coins) {
      for (std::int64_t i = 0; i < sites_; ++i) {
        const std::uint32_t root = parent_[size_of(i)];
        const std::uint32_t word = words_[size_of((root / 32) * bundle_lanes + static_cast<std::uint32_t>(lane))];
        fate_[size_of(i * bundle_lanes + lane)] = word >> (root % 32) & 1U;
      }
    } else {
      std::uint64_t moved = 0;
      for (std::int64_t i = 0; i < sites_; ++i) {
        std::uint32_t& s = spins.states()[i * bundle_lanes + lane];
        const std::uint32_t next = fate_[parent_[size_of(i)] * std::size_t{bundle_lanes} + size_of(lane)];
        moved += s != next ? 1 : 0;
        s = next;
      }
      sums_[lane].moved += moved;
    }
  }
  if constexpr (coins) {
    alignas(64) std::int64_t moved[bundle_lanes] = {};
    kernels_.move(sites_, spins.data(), fate_.data(), direction_.data(), projection_.data(), lanes_, moved);
    for (int lane = 0; lane < lanes_; ++lane) sums_[lane].moved += static_cast<std::uint64_t>(moved[lane]);
  }
}

/// Breadth-first search of one cluster: time for its sites and their bonds alone.
template <class M>
void GraphClusters::wolff(GraphSpins& spins, int lane, std::uint64_t update) {
  const SiteGraph& graph = graph_.graph();
  const auto seed = static_cast<std::int32_t>(
      seed_site(system_.chain.lattice, block(Stream::reflection, update, lane, seed_block(0))));
  exact::Vector<M::components> r{};
  if constexpr (!M::discrete) {
    r = exact::random_direction<M::components>(block(Stream::reflection, update, lane, direction_block));
  }
  const auto slot = size_of(slot_[lane]);
  const float factor = minus_factor_beta_[lane];
  cluster_.assign(1, seed);
  reached_[size_of(seed)] = 1;
  for (std::size_t next = 0; next < cluster_.size(); ++next) {
    const std::int32_t i = cluster_[next];
    const auto here = site_of<M>(spins, i, lane);
    float projection = 1.0F;
    if constexpr (!M::discrete) projection = exact::dot(r, here);
    for (const SiteGraph::Neighbour& n : graph.neighbours(i)) {
      if (reached_[size_of(n.site)] != 0) continue;
      const float J = system_.disorder.couplings[size_of(n.bond)];
      const auto there = site_of<M>(spins, n.site, lane);
      float exponent = 0.0F;
      if constexpr (M::discrete) {
        if (!exact::is_satisfied(J, here, there)) continue;
        exponent = exact::satisfied_exponent(factor, J);
      } else {
        exponent = exact::reflected_exponent(factor, J, projection, exact::dot(r, there));
        if (exponent >= 0.0F) continue;
      }
      const WordAddress address = graph_bond_address(n.bond);
      const std::uint32_t word = block(Stream::bonds, update, lane, address.block).word[address.word];
      const bool active = system_.uniform ? word < system_.threshold[slot] : exact::is_active(exponent, word);
      if (!active) continue;
      reached_[size_of(n.site)] = 1;
      cluster_.push_back(n.site);
    }
  }
  std::uint8_t fate = 1;
  if constexpr (M::discrete) {
    const auto root = static_cast<std::uint32_t>(*std::ranges::min_element(cluster_));
    const RandomBlock words = block(Stream::cluster, update, lane, single_cluster_block(root));
    fate = M::fate(site_of<M>(spins, root, lane), words.word[1], system_.chain.model.states);
  }
  for (const std::int32_t i : cluster_) {
    reached_[size_of(i)] = 0;
    const auto before = site_of<M>(spins, i, lane);
    if constexpr (M::discrete) {
      set_site<M>(spins, i, lane, M::moved(before, fate));
    } else {
      set_site<M>(spins, i, lane, M::moved(before, r, exact::dot(r, before)));
    }
  }
  sums_[lane].moved += cluster_.size();
}

}}  // namespace glassworks::cpu
