#pragma once

#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/cluster/union_find.cuh"
#include "kernels/cuda/device_site.cuh"

namespace glassworks { inline namespace cuda {

/// Some systems of a batch from `first` on, and what their measurement needs; indices count from the first one.
struct Part {
  unsigned first;
  const float* phase;       ///< cos, then sin: of cubes [2][L], else [axis][2][L_a]
  const long long* before;  ///< of cubes: sums of fix(cos), then fix(sin), over the coordinates below one [2][L + 1]
  const long long*
      single;              ///< of cubes: what a cluster of one site of weight 1 adds to the sum of an axis [coordinate]
  const OpenEnds* d_ends;  ///< [system][ClusterBatch::crossings()]
  std::uint32_t* d_labels;  ///< open clusters; then a forest of them; then smallest sites of clusters [system][site]
  /// When an open cluster got its position, at its root; -1: not yet. Then the roots of records [system][site].
  int* d_round;
  int* d_position;              ///< the same [system][site][axis]
  unsigned long long* d_terms;  ///< of clusters, at their roots: see ClusterRecord; 0 elsewhere [system][site][word]
  unsigned* d_last_change;      ///< last round in which a position was found
  unsigned* d_records;          ///< clusters that have a record [system]

  [[nodiscard]] __device__ __forceinline__ std::size_t at(const ClusterBatch& b, unsigned system,
                                                          std::uint32_t site) const {
    return static_cast<std::size_t>(system) * b.sites + site;
  }
  /// Sum of fix(cos) (k = 0) or fix(sin) (1) over so many coordinates from x on.
  [[nodiscard]] __device__ __forceinline__ long long phase_sum(std::uint32_t L, std::uint32_t k, std::uint32_t x,
                                                               std::uint32_t count) const {
    const long long* at = before + k * (L + 1) + x;
    return __ldg(at + count) - __ldg(at);
  }
  [[nodiscard]] __device__ __forceinline__ OpenEnds ends(const ClusterBatch& b, unsigned system,
                                                         std::uint32_t number) const {
    return d_ends[static_cast<std::size_t>(system) * b.crossings() + number];
  }
};

/// Words of the sums of a cluster: its size and the axes it wraps around, sum w of vectors, then cos and sin of each
/// axis.
template <bool discrete, int dim>
struct ClusterRecord {
  static constexpr int first = discrete ? 0 : 1, columns = first + 2 * dim, words = 1 + columns;
};

/// Adds to the number of sites in a record. The first thread to do so puts the root on the list of roots with a record.
__device__ __forceinline__ void add_size(const ClusterBatch& b, const Part& part, unsigned system, std::uint32_t root,
                                         unsigned long long* record, unsigned long long sites) {
  if (static_cast<std::uint32_t>(atomicAdd(record, sites)) != 0) return;
  const unsigned number = atomicAdd(part.d_records + system, 1U);
  part.d_round[part.at(b, system, number)] = static_cast<int>(root);
}

/// How many words that are.
[[nodiscard]] inline int record_words(const SpinModel& model, int dim) {
  return 1 + (model.is_discrete() ? 0 : 1) + 2 * dim;
}

/// The terms of a site of weight w in a model of vectors: w, cos and sin.
template <int dim>
__device__ __forceinline__ void site_terms(const Part& part, const std::uint32_t (&c)[4], std::uint32_t L, float w,
                                           float multiplier, std::int32_t (&term)[1 + 2 * dim]) {
  term[0] = to_fixed_clamped(w, multiplier);
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) {
    term[1 + 2 * axis] = to_fixed_clamped(exact::mul(w, __ldg(part.phase + c[axis])), multiplier);
    term[2 + 2 * axis] = to_fixed_clamped(exact::mul(w, __ldg(part.phase + L + c[axis])), multiplier);
  }
}

/// start(whether the model is discrete, dimension), as constants.
template <class Start>
void for_clusters_of(const ClusterBatch& b, const Start& start) {
  for_dimension(b.common.lattice.dim, [&](auto dim) {
    if (b.model.is_discrete()) return start(std::true_type{}, dim);
    start(std::false_type{}, dim);
  });
}

/// Sums over the clusters that lie in one tile as a whole; those over the sites of all others, added to their records;
/// and the roots of all sites in place of labels.
void launch_cluster_terms(const ClusterBatch& b, const Part& part, int systems, DeviceClusterSums* d_sums,
                          cudaStream_t stream);
/// The same on lattices other than cubes: every cluster has a record.
void launch_lattice_terms(const ClusterBatch& b, const Part& part, int systems, cudaStream_t stream);
/// Sums over the clusters of each system that have a record; clears these.
void launch_cluster_sums(const ClusterBatch& b, const Part& part, int systems, DeviceClusterSums* d_sums,
                         cudaStream_t stream);

}}  // namespace glassworks::cuda
