#pragma once

#include <cstddef>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/models/plaquettes.hpp"

namespace glassworks { inline namespace cuda {

/// Where the integer sums of one measurement of a batch lie in one block of device memory, in words of 8 bytes.
struct ResultLayout {
  std::size_t site_planes, pair_planes, chiral_planes;  ///< of one system, of one pair, of the chiralities of one
  std::size_t systems, units, pairs;                    ///< pairs: of a unit
  std::size_t local_sums;                               ///< of one system
  /// Where they begin; the planes of systems begin at 0.
  std::size_t modulus, local, triangles, pair, chiral, link, clusters, total;

  explicit ResultLayout(const ClusterBatch& b)
      : site_planes(static_cast<std::size_t>(b.common.lattice.planes() * plane_columns(b.model))),
        pair_planes(static_cast<std::size_t>(b.common.lattice.planes() * pair_columns(b.model))),
        chiral_planes(static_cast<std::size_t>(b.common.lattice.planes() * chiral_columns(b))),
        systems(static_cast<std::size_t>(b.systems())),
        units(static_cast<std::size_t>(b.units())),
        pairs(static_cast<std::size_t>(b.pairs())),
        local_sums(static_cast<std::size_t>(local_count(b.local))) {
    modulus = systems * site_planes;
    local = modulus + 2 * systems;
    triangles = local + systems * local_sums;
    pair = triangles + (b.d_triangles != nullptr ? systems : 0);
    chiral = pair + units * pairs * pair_planes;
    link = chiral + units * pairs * chiral_planes;
    clusters = link + units * pairs;
    total = clusters + systems * (sizeof(DeviceClusterSums) / 8);
  }

  /// Columns of the chiralities of a pair: of the orientations of plaquettes, or one of all triangles.
  [[nodiscard]] static int chiral_columns(const ClusterBatch& b) {
    if (b.d_triangles != nullptr) return b.common.copies > 1 ? 1 : 0;
    return b.measures_chirality() ? plaquette_planes(b.common.lattice.dim) : 0;
  }

  [[nodiscard]] GLASSWORKS_HD const long long* planes_of_system(const long long* words, std::size_t system) const {
    return words + system * site_planes;
  }
  /// pair: unit * pairs + pair
  [[nodiscard]] GLASSWORKS_HD const long long* planes_of_pair(const long long* words, std::size_t of_all) const {
    return words + pair + of_all * pair_planes;
  }
  [[nodiscard]] GLASSWORKS_HD const long long* chiralities_of_pair(const long long* words, std::size_t of_all) const {
    return words + chiral + of_all * chiral_planes;
  }
  [[nodiscard]] GLASSWORKS_HD const DeviceClusterSums* cluster_sums(const long long* words) const {
    return reinterpret_cast<const DeviceClusterSums*>(words + clusters);
  }
};
static_assert(sizeof(DeviceClusterSums) % 8 == 0);

}}  // namespace glassworks::cuda
