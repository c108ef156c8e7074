#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/rounds/cluster_measurement.hpp"

namespace glassworks::inline cuda {

/// What a measurement takes from each system beside its sums.
struct SystemResult {
  long long energy;             ///< E in units of the energy scale
  unsigned long long moved;     ///< sites moved in the last step
  unsigned long long accepted;  ///< |phi| accepted in the last step
  int slot, last_slot;          ///< now, and during the last step
  int heading;
  int too_large;  ///< whether a |phi| has been larger than sums have room for
};

/// Where the integers of one measurement of a batch lie in one block of memory, in words of 8 bytes.
struct ResultLayout {
  std::size_t site_planes, pair_planes, chiral_planes;  ///< of one system, of one pair, of the chiralities of one
  std::size_t systems, units, pairs;                    ///< pairs: of a unit
  std::size_t local_sums;                               ///< of one system
  std::size_t modulus, local, pair, chiral, link, clusters, system,
      total;  ///< where they begin; the planes of systems begin at 0

  explicit ResultLayout(const ClusterBatch& b)
      : site_planes(static_cast<std::size_t>(b.common.lattice.dim * b.common.lattice.L * plane_columns(b.model))),
        pair_planes(static_cast<std::size_t>(b.common.lattice.dim * b.common.lattice.L * pair_columns(b.model))),
        chiral_planes(b.measures_chirality() ? static_cast<std::size_t>(b.common.lattice.dim * b.common.lattice.L *
                                                                        plaquette_planes(b.common.lattice.dim))
                                             : 0),
        systems(static_cast<std::size_t>(b.systems())),
        units(static_cast<std::size_t>(b.units())),
        pairs(static_cast<std::size_t>(b.pairs())),
        local_sums(static_cast<std::size_t>(local_count(b.local))) {
    modulus = systems * site_planes;
    local = modulus + 2 * systems;
    pair = local + systems * local_sums;
    chiral = pair + units * pairs * pair_planes;
    link = chiral + units * pairs * chiral_planes;
    clusters = link + units * pairs;
    system = clusters + systems * words<DeviceClusterSums>;
    total = system + systems * words<SystemResult>;
  }

  template <class T>
  static constexpr std::size_t words = sizeof(T) / 8;
};
static_assert(sizeof(DeviceClusterSums) % 8 == 0 && sizeof(SystemResult) % 8 == 0);

/// One measurement in host memory, in the types of ClusterMeasurement.
class ClusterResults {
 public:
  ClusterResults(const ResultLayout& layout, const long long* words) : layout_(layout), words_(words) {}

  [[nodiscard]] const SystemResult& system(std::size_t i) const {
    return reinterpret_cast<const SystemResult*>(words_ + layout_.system)[i];
  }
  [[nodiscard]] SiteSums sites(std::size_t i) const {
    const long long* planes = words_ + i * layout_.site_planes;
    const long long* modulus = words_ + layout_.modulus + 2 * i;
    const long long* local = words_ + layout_.local + i * layout_.local_sums;
    return {system(i).energy,
            {planes, planes + layout_.site_planes},
            modulus[0],
            modulus[1],
            {local, local + layout_.local_sums}};
  }
  /// i = unit * pairs + pair
  [[nodiscard]] OverlapSums overlap(std::size_t i) const {
    const long long* planes = words_ + layout_.pair + i * layout_.pair_planes;
    const long long* chiral = words_ + layout_.chiral + i * layout_.chiral_planes;
    return {words_[layout_.link + i], {planes, planes + layout_.pair_planes}, {chiral, chiral + layout_.chiral_planes}};
  }
  [[nodiscard]] ClusterSums clusters(std::size_t i) const {
    const auto& from = reinterpret_cast<const DeviceClusterSums*>(words_ + layout_.clusters)[i];
    ClusterSums sums;
    sums.clusters = from.clusters;
    sums.largest = from.largest;
    sums.squares = from.squares;
    sums.wrapping_any = from.wraps_any != 0;
    sums.wrapping_all = from.wraps_all != 0;
    sums.weight = from.weight;
    for (std::size_t a = 0; a < sums.kmin.size(); ++a) sums.kmin[a] = from.kmin[a];
    sums.moved = system(i).moved;
    sums.accepted = system(i).accepted;
    return sums;
  }

 private:
  const ResultLayout& layout_;
  const long long* words_;
};

}  // namespace glassworks::inline cuda
