#pragma once

#include <algorithm>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/measure_sums.hpp"
#include "kernels/measurement_formulas.hpp"

/// What the kernels of a measurement share: plain values, and the layout of shared memory.
namespace glassworks::measure {

constexpr int max_copies = 4, max_pairs = 6;

/// What the kernels know beside the batch.
struct Job {
  MeasurementFormulas formulas;
  MeasureTiling tiling;
  const double* d_phase = nullptr;         ///< cos, then sin of 2 pi j / L [2][L]
  const double* d_walk_phase = nullptr;    ///< cos of 2 pi j / (2 slots) [2 slots]
  std::int64_t first_unit = 0;             ///< of this launch; unit = task * slots + slot
  int chunks = 1;                          ///< blocks that share the passes of a unit
  std::int32_t* d_planes = nullptr;        ///< [unit of the launch][pair][direction][component][plane]; null: none
  unsigned long long* d_totals = nullptr;  ///< [unit of the launch][total]; null: none

  [[nodiscard]] GLASSWORKS_HD int components() const { return 9 + formulas.layout().dim(); }
  /// Plane sums of a pair.
  [[nodiscard]] GLASSWORKS_HD int plane_sums() const {
    return formulas.layout().modes().directions() * components() * tiling.L;
  }
  /// Other sums of a unit: those of each copy as in ThreadSums, then the link overlap of each pair.
  [[nodiscard]] GLASSWORKS_HD int totals() const {
    return formulas.copies() * ThreadSums::of_replica + formulas.pairs();
  }
};

/// What a block keeps in shared memory of its unit.
struct alignas(16) UnitSpace {
  double bin[ObservableLayout::max_size];
  Complex trace[max_pairs * Modes::max_modes];  ///< A_ab(k) [pair][mode]
  unsigned long long totals[max_copies * ThreadSums::of_replica + max_pairs];
};

/// Transformed planes of a pair.
struct PairSpace {
  Complex q[Modes::max_modes * 9];                      ///< [mode][component]
  double squares[Lattice::max_dim * Modes::max_modes];  ///< of chiralities [axis][mode]
};

struct Unit {
  int task, slot;
  GLASSWORKS_HD Unit(const DeviceBatch& batch, std::int64_t unit)
      : task(static_cast<int>(unit / batch.slots)), slot(static_cast<int>(unit - std::int64_t{task} * batch.slots)) {}
  [[nodiscard]] GLASSWORKS_HD std::int64_t replica(const DeviceBatch& batch, int copy) const {
    return batch.d_replica_at[std::int64_t{task} * batch.replicas() + copy * batch.slots + slot];
  }
  [[nodiscard]] GLASSWORKS_HD double* bin(const DeviceBatch& batch) const {
    return batch.d_mean + (std::int64_t{task} * batch.slots + slot) * batch.observables;
  }
};

/// A block that sums, and its shared memory: UnitSpace; then the terms, where other data of a pair lie too; then the
/// planes of a pair if `planes_in_block`.
struct BlockShape {
  static constexpr int most_threads = 128;
  static constexpr int resident = 5;  ///< blocks on a multiprocessor: 96 registers a thread, next to no spills
  static constexpr std::size_t most_planes_bytes = 64 * 1024;  ///< larger planes are summed in device memory

  int threads;
  bool planes_in_block;
  int terms;  ///< FourTerms between the beginning of the terms and the planes
  std::size_t bytes;

  explicit BlockShape(const Job& job) : threads(job.tiling.sites() <= 64 ? 64 : most_threads) {
    const auto planes = static_cast<std::size_t>(job.plane_sums()) * sizeof(std::int32_t);
    planes_in_block = planes <= most_planes_bytes;
    const int fours = job.formulas.layout().dim() == 4 ? SiteTerms<4>::stride : SiteTerms<3>::stride;
    const std::size_t largest =
        std::max({static_cast<std::size_t>(job.tiling.depth * job.tiling.plane_terms() * fours) * sizeof(FourTerms),
                  static_cast<std::size_t>(threads * ThreadSums::count) * sizeof(std::int64_t), sizeof(PairSpace)});
    terms = static_cast<int>((largest + sizeof(FourTerms) - 1) / sizeof(FourTerms));
    bytes = sizeof(UnitSpace) + static_cast<std::size_t>(terms) * sizeof(FourTerms) + (planes_in_block ? planes : 0);
  }
};

}  // namespace glassworks::measure
