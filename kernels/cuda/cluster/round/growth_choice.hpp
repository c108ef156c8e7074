#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "kernels/cuda/cluster/round/grown_updates.hpp"
#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/cuda/staged_copy.hpp"

namespace glassworks { inline namespace cuda {

/// What updates of wolff and few_cluster take, in nanoseconds on an H200. A block grows the clusters of one system,
/// many blocks at the same time; to label a lattice takes a fixed number of launches. One block goes from shell to
/// shell: a cluster of s sites takes seed + root sqrt(s) + site s, and a launch as long as the largest of its clusters.
struct GrowthCosts {
  static constexpr double seed = 600.0, root = 1800.0, site = 10.0;
  static constexpr double largest = 8.0;  ///< of the clusters of many systems, in units of their mean
  static constexpr double seed_of_many = 1.0, site_of_many = 0.15;
  static constexpr double label_launches = 20000.0, label_site = 0.025;

  /// Sites of the clusters of an update up to which growing all `systems` takes no longer than labelling them.
  [[nodiscard]] static double most_sites(double systems, double sites, double seeds);
};

/// How the clusters of wolff and few_cluster are found in each slot of a batch: grown from their seeds, or by labelling
/// the lattice. The bits are the same: the choice follows from the sizes that clusters have had, which come from the
/// device some steps late. It is made once for a step. Clusters that grow may have any size.
class GrowthChoice {
 public:
  GrowthChoice() = default;
  GrowthChoice(const GrowthChoice&) = delete;
  GrowthChoice& operator=(const GrowthChoice&) = delete;
  ~GrowthChoice();

  /// Whether the updates of a chain may grow clusters.
  [[nodiscard]] static bool applies(const Chain& chain);
  /// Bytes on the device for one system.
  [[nodiscard]] static double bytes(const Chain& chain);

  /// For the rounds of a batch of such a chain. Until their sizes are known, clusters are taken to be as large as can
  /// be.
  void begin(const Chain& chain, const ClusterBatch& batch, const CudaChoices& choices, cudaStream_t stream);
  /// Before the cluster updates of a step, and after them.
  void begin_step(StagedCopy& staged, cudaStream_t stream);
  void end_step(cudaStream_t stream);

  /// The batch for updates that grow clusters in this step, and for those that label them; `chosen` may be 0.
  [[nodiscard]] ClusterBatch grown(const ClusterBatch& batch) const { return part(batch, 0, grown_); }
  [[nodiscard]] ClusterBatch labelled(const ClusterBatch& batch) const {
    return part(batch, grown_, static_cast<int>(size_.size()) - grown_);
  }
  [[nodiscard]] const GrowthMemory& memory() const { return memory_; }
  [[nodiscard]] unsigned threads() const;
  /// Updates that one launch may make, where all slots grow clusters: many of small ones.
  [[nodiscard]] int updates_at_once() const;

 private:
  /// Of the slots that grow clusters, the largest mean.
  [[nodiscard]] double largest_size() const;
  [[nodiscard]] ClusterBatch part(const ClusterBatch& batch, int first, int count) const;
  void reserve_memory(const ClusterBatch& batch, const CudaChoices& choices, cudaStream_t stream);
  void take_sizes();
  void choose(StagedCopy& staged, cudaStream_t stream);

  double sites_ = 0.0;       ///< of the lattice
  double most_sites_ = 0.0;  ///< of clusters that grow, on average
  double flipped_ = 1.0;     ///< part of the sites found that moves, of clusters that are labelled
  GrowthMemory memory_{};

  std::vector<double> size_;  ///< of the clusters of an update, averaged over the last ones; -1: not known [slot]
  std::vector<std::uint8_t> grows_;  ///< in this step [slot]
  int grown_ = 0;                    ///< their number
  int wait_ = 1, waited_ = 0;        ///< steps from one reading to the next
  bool samples_ = false, reads_ = false;
  cudaEvent_t read_ = nullptr;
  DeviceBuffer<std::uint32_t> marks_;
  DeviceBuffer<int> chosen_;                        ///< slots, those that grow first [slot]
  DeviceBuffer<unsigned long long> found_;          ///< ClusterBatch::d_found
  PinnedBuffer<unsigned long long> found_on_host_;  ///< as they were when read_ was reached
};

}}  // namespace glassworks::cuda
