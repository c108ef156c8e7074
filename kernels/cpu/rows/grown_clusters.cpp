#include "kernels/cpu/rows/grown_clusters.hpp"

#include <algorithm>

#include "kernels/core/addresses.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace cpu {

SingleClusters::SingleClusters(const ClusterSystem& system, std::uint32_t replica)
    : system_(system),
      replica_(replica),
      few_(system.chain.protocol.kind == ProtocolKind::few_cluster),
      new_states_(facts_of(system.chain.model).cluster_move == ClusterMove::new_state),
      tiles_{system.chain.lattice.dim, few_ ? system.chain.lattice.L / system.chain.protocol.seed_tile : 1} {}

RandomBlock SingleClusters::block(Stream stream, std::uint64_t update, std::uint32_t index) const {
  return random_block(system_.chain.key, stream, system_.realization, replica_, update, index);
}

std::int64_t SingleClusters::seed(std::uint64_t update, std::int64_t number) const {
  const RandomBlock words = block(Stream::reflection, update, seed_block(static_cast<std::uint32_t>(number)));
  return seed_site(system_.chain.lattice, tiles_, number, words);
}

std::optional<std::uint8_t> SingleClusters::fate(std::uint64_t update, std::uint32_t root, std::uint8_t state) const {
  if (!few_ && !new_states_) return std::uint8_t{1};
  const RandomBlock words = block(Stream::cluster, update, single_cluster_block(root));
  if (few_ && words.word[0] >= system_.flip_threshold) return std::nullopt;
  return new_states_ ? Potts::fate(state, words.word[1], system_.chain.model.states) : std::uint8_t{1};
}

GrownClusters::GrownClusters(const FastClusterSystem& system, const ClusterKernelTable& kernels,
                             const SingleClusters& single, int members)
    : g_(system.geometry()),
      kernels_(kernels),
      single_(single),
      flipped_(single.few() ? std::max(system.system().chain.protocol.p_flip, 0.01) : 1.0) {
  const std::int64_t all = g_.rows * g_.L;
  // A site that grows takes as long as three that are labelled, where rows are short as long as one or two. Several
  // threads label the lattice together, but one grows clusters.
  const double part = std::min(1.0, 0.25 + 3.5 / g_.L);
  most_ = part * static_cast<double>(all) / members;
  reached_.resize(static_cast<std::size_t>(all));
  sites_ = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(all + GrowJob::spare));
}

ClusterChange GrownClusters::update(std::uint64_t update, GrowJob job, float multiplier) {
  job.reached = reached_.data();
  clusters_.clear();
  std::int64_t size = 0;
  for (std::int64_t k = 0; k < single_.seeds(); ++k) {
    const std::int64_t seed = single_.seed(update, k);
    if (reached_[static_cast<std::size_t>(seed)] != 0) continue;
    const ClusterOfSite cluster = kernels_.grow(g_, job, seed, g_.rows * g_.L, sites_.get() + size);
    clusters_.push_back({size, cluster.size, cluster.first});
    size += cluster.size;
  }
  for (std::int64_t i = 0; i < size; ++i) reached_[static_cast<std::size_t>(sites_[static_cast<std::size_t>(i)])] = 0;
  see(static_cast<double>(size));
  ClusterChange change{};
  for (const Cluster& cluster : clusters_) {
    const std::uint8_t state = job.arrays.states == nullptr ? std::uint8_t{0} : job.arrays.states[cluster.root];
    const auto fate = single_.fate(update, static_cast<std::uint32_t>(cluster.root), state);
    if (!fate) continue;
    const ClusterChange of_one = kernels_.move(g_, job, sites_.get() + cluster.begin, cluster.size, *fate, multiplier);
    change.moved += of_one.moved;
    change.gain += of_one.gain;
  }
  return change;
}

}}  // namespace glassworks::cpu
