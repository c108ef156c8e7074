#include "kernels/cpu/neighbours/graph_bundle.hpp"

#include <algorithm>
#include <utility>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/neighbours/graph_clusters.hpp"
#include "kernels/models/sweep_constants.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cpu {

GraphSpins::GraphSpins(const SpinModel& model, std::int64_t sites)
    : of_floats_(!model.is_discrete() || model.kind == ModelKind::ising),
      discrete_(model.is_discrete()),
      numbers_(discrete_ ? 1 : components_of(model)),
      sites_(sites) {
  const auto size = static_cast<std::size_t>(numbers_ * bundle_lanes * sites);
  if (of_floats_) {
    floats_ = AlignedBuffer<float>(size);
  } else {
    states_ = AlignedBuffer<std::uint32_t>(size);
  }
}

void GraphSpins::load(int lane, const ChainState& state, int replica) {
  const std::int64_t first = replica * sites_ * numbers_;
  if (!discrete_) {
    for (int k = 0; k < numbers_; ++k) {
      const float* const from = state.spins.data() + first + k * sites_;
      float* const to = floats_.data() + k * bundle_lanes + lane;
      for (std::int64_t i = 0; i < sites_; ++i) to[i * numbers_ * bundle_lanes] = from[i];
    }
    return;
  }
  const std::uint8_t* const from = state.states.data() + first;
  for (std::int64_t i = 0; i < sites_; ++i) {
    const std::int64_t to = i * bundle_lanes + lane;
    if (of_floats_) {
      floats_.data()[to] = from[i] != 0 ? 1.0F : -1.0F;
    } else {
      states_.data()[to] = from[i];
    }
  }
}

void GraphSpins::store(int lane, ChainState& state, int replica) const {
  const std::int64_t first = replica * sites_ * numbers_;
  if (!discrete_) {
    for (int k = 0; k < numbers_; ++k) {
      float* const to = state.spins.data() + first + k * sites_;
      const float* const from = floats_.data() + k * bundle_lanes + lane;
      for (std::int64_t i = 0; i < sites_; ++i) to[i] = from[i * numbers_ * bundle_lanes];
    }
    return;
  }
  std::uint8_t* const to = state.states.data() + first;
  for (std::int64_t i = 0; i < sites_; ++i) {
    const std::int64_t from = i * bundle_lanes + lane;
    to[i] = of_floats_ ? (floats_.data()[from] > 0.0F ? 1 : 0) : static_cast<std::uint8_t>(states_.data()[from]);
  }
}

void GraphSpins::take(int lane, const GraphSpins& other, int of) {
  const std::int64_t all = sites_ * numbers_;
  const auto copy = [&](auto* to, const auto* from) {
    for (std::int64_t i = 0; i < all; ++i) to[i * bundle_lanes + lane] = from[i * bundle_lanes + of];
  };
  if (of_floats_) {
    copy(floats_.data(), other.floats_.data());
  } else {
    copy(states_.data(), other.states_.data());
  }
}

bool GraphSpins::differ(const GraphSpins& a, int lane_a, const GraphSpins& b, int lane_b, std::int64_t site) {
  return a.floats_.data()[site * bundle_lanes + lane_a] != b.floats_.data()[site * bundle_lanes + lane_b];
}
void GraphSpins::swap(GraphSpins& a, int lane_a, GraphSpins& b, int lane_b, std::int64_t site) {
  std::swap(a.floats_.data()[site * bundle_lanes + lane_a], b.floats_.data()[site * bundle_lanes + lane_b]);
}

GraphBundle::GraphBundle(const ClusterSystem& system, const GraphRealization& graph, const GraphTable& kernels,
                         const ChainState& state, int first_replica)
    : system_(system),
      chain_(system.chain),
      graph_(graph),
      kernels_(kernels),
      first_replica_(first_replica),
      lanes_(std::min(bundle_lanes, chain_.replicas() - first_replica)),
      layout_(chain_),
      spins_(chain_.model, chain_.lattice.sites()) {
  for (int lane = 0; lane < bundle_lanes; ++lane) spins_.load(lane, state, static_cast<int>(replica_of(lane)));
  if (chain_.cluster_sweeps() > 0) {
    clusters_ = std::make_unique<GraphClusters>(system, graph, kernels, first_replica, lanes_);
  }
}
GraphBundle::GraphBundle(GraphBundle&&) noexcept = default;
GraphBundle::~GraphBundle() = default;

std::uint32_t GraphBundle::replica_of(int lane) const {
  return static_cast<std::uint32_t>(first_replica_ + std::min(lane, lanes_ - 1));
}

void GraphBundle::begin_step(std::span<const std::uint16_t> slot_of_replica) {
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    slot_[lane] = slot_of_replica[replica_of(lane)];
    const exact::LocalTemperature t(chain_.beta[static_cast<std::size_t>(slot_[lane])]);
    minus_two_beta_[lane] = t.minus_two_beta;
    minus_inverse_beta_[lane] = t.minus_inverse_beta;
    beta_[lane] = t.beta;
    width_[lane] = layout_.widths > 0 ? width_of(system_.beside[slot_[lane]]) : 1.0F;
    accepted_[lane] = 0;
  }
  if (clusters_) clusters_->begin_step(slot_);
}

void GraphBundle::make(std::span<const PlacedMove> moves, std::uint64_t repetition, bool observe) {
  system_.step.for_each(moves, repetition, [&](const NumberedMove& move) {
    if (move.kind() == MoveKind::cluster) {
      clusters_->update(spins_, move.rule, move.number, observe && move.last);
    } else if (move.kind() == MoveKind::local) {
      local_sweep(move);
    } else {
      kernels_.over_relax(graph_.sites(), spins_.data(), lanes_);
    }
  });
}

void GraphBundle::local_sweep(const NumberedMove& move) {
  alignas(64) std::uint32_t word3[bundle_lanes];
  alignas(64) std::int32_t accepted[bundle_lanes] = {};
  for (int lane = 0; lane < bundle_lanes; ++lane) {
    word3[lane] = counter_word3(vector_chain(chain_.model).local_stream, replica_of(lane), move.number);
  }
  const GraphSweep sweep{minus_two_beta_,
                         minus_inverse_beta_,
                         beta_,
                         width_,
                         word3,
                         chain_.key,
                         static_cast<std::uint32_t>(move.number),
                         system_.realization,
                         move.number,
                         chain_.model,
                         lanes_,
                         accepted};
  if (chain_.protocol.local == SiteRule::heat_bath) return kernels_.local_sweep(graph_.sites(), sweep, spins_.data());
  kernels_.metropolis(graph_.sites(), sweep, spins_.data());
  for (int lane = 0; lane < lanes_; ++lane) accepted_[lane] += static_cast<std::uint64_t>(accepted[lane]);
}

void GraphBundle::finish_step(std::int64_t* energy) {
  if (!chain_.model.is_discrete()) kernels_.renormalize(chain_.lattice.sites(), spins_.data(), lanes_);
  if (energy == nullptr) return;
  alignas(64) std::int64_t sum[bundle_lanes] = {};
  kernels_.energy(graph_.sites(), chain_.model, spins_.data(), system_.disorder.energy_scale.multiplier(), lanes_, sum);
  for (int lane = 0; lane < lanes_; ++lane) energy[first_replica_ + lane] = -sum[lane];
}

void GraphBundle::store(ChainState& state) const {
  for (int lane = 0; lane < lanes_; ++lane) spins_.store(lane, state, first_replica_ + lane);
}

ClusterSums GraphBundle::sums(int lane) const {
  ClusterSums sums = clusters_ ? clusters_->sums(lane) : ClusterSums{};
  sums.accepted = accepted_[lane];
  return sums;
}

}}  // namespace glassworks::cpu
