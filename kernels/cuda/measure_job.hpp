#pragma once

#include <algorithm>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/measure_sums.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

/// What the kernels of a measurement share: plain values, and the layout of shared memory.
namespace glassworks { inline namespace cuda { namespace measure {

constexpr int max_copies = 4, max_pairs = 6;

/// What the kernels know beside the batch.
struct Job {
  Job(const Lattice& lattice, int copies, LocalSelection selection = 0)
      : formulas(lattice, copies, SiteRule::heat_bath, selection),
        tiling(lattice),
        passes_of_chunk(tiling.passes),
        spin_scale(overlap_scale(lattice).multiplier()),
        bond_scale(site_scale(lattice).multiplier()),
        has_open_ends(lattice.open != 0) {}

  MeasurementFormulas formulas;
  MeasureTiling tiling;
  const double* d_phase = nullptr;         ///< cos, then sin of 2 pi j / L [2][L]
  const double* d_walk_phase = nullptr;    ///< cos of 2 pi j / (2 slots) [2 slots]
  std::int64_t first_unit = 0;             ///< of this launch; unit = task * slots + slot
  int passes_of_chunk;                     ///< that one of the blocks of a unit makes; the last makes the rest
  float spin_scale, bond_scale;            ///< of PairInput
  bool has_open_ends;                      ///< along some axis
  std::int32_t* d_planes = nullptr;        ///< [unit of the launch][pair][direction][component][plane]; null: none
  unsigned long long* d_totals = nullptr;  ///< [unit of the launch][total]; null: none
  Complex* d_kept = nullptr;               ///< kept_chiralities [unit of the launch][pair][axis][mode]; null: none

  /// Lets at most `most` blocks, one or more, share the passes of a unit.
  void share_passes(std::int64_t most) { passes_of_chunk = static_cast<int>((tiling.passes + most - 1) / most); }
  /// Blocks that share the passes of a unit.
  [[nodiscard]] int chunks() const { return (tiling.passes + passes_of_chunk - 1) / passes_of_chunk; }
  /// Plane sums of a pair.
  [[nodiscard]] GLASSWORKS_HD int plane_sums() const {
    return formulas.modes().directions() * (9 + formulas.layout().dim()) * tiling.L;
  }
  /// Where the chiralities of a pair are kept.
  [[nodiscard]] GLASSWORKS_HD Complex* kept(std::int64_t unit_of_launch, int pair) const {
    return d_kept + (unit_of_launch * formulas.pairs() + pair) * formulas.kept_chiralities();
  }
  /// Other sums of a unit: those of each copy as in ThreadSums, then the link overlap of each pair.
  [[nodiscard]] GLASSWORKS_HD int totals() const {
    return formulas.copies() * ThreadSums::of_replica + formulas.pairs();
  }
};

/// What a block keeps in shared memory of its unit.
struct alignas(16) UnitSpace {
  static constexpr int columns = BinLayout(SpinModel{}, Lattice::max_dim, max_copies, 0, SiteRule::metropolis).size();
  double bin[columns];                          ///< see bin_of
  Complex trace[max_pairs * Modes::max_modes];  ///< A_ab(k) [pair][mode]
  unsigned long long totals[max_copies * ThreadSums::of_replica + max_pairs];
  long long energy[max_copies];  ///< of each copy [energy_unit]
  double energy_unit;
};

/// Transformed planes of a pair.
struct PairSpace {
  Complex q[Modes::max_modes * 9];                      ///< [mode][component]
  double squares[Lattice::max_dim * Modes::max_modes];  ///< of chiralities [axis][mode]
};

/// A slot of a task; below 2^31 of them.
struct Unit {
  int task, slot;
  GLASSWORKS_HD Unit(const DeviceBatch& batch, std::int64_t unit)
      : task(static_cast<int>(static_cast<std::uint32_t>(unit) / static_cast<std::uint32_t>(batch.slots))),
        slot(static_cast<int>(unit) - task * batch.slots) {}
  [[nodiscard]] GLASSWORKS_HD std::int64_t replica(const DeviceBatch& batch, int copy) const {
    return batch.d_replica_at[std::int64_t{task} * batch.replicas() + copy * batch.slots + slot];
  }
  [[nodiscard]] GLASSWORKS_HD double* bin(const DeviceBatch& batch) const {
    return batch.d_mean + (std::int64_t{task} * batch.slots + slot) * batch.observables;
  }
};

/// Where the observables of a unit are added up: in shared memory; in d = 4, where they may be too many, in the batch.
/// More room in every block would let fewer of them run on a multiprocessor (L = 6 and 8).
template <int dim>
[[nodiscard]] GLASSWORKS_HD double* bin_of(const DeviceBatch& batch, const Unit& unit, UnitSpace& space) {
  constexpr LocalSelection all = chiral_response | chiral_axes;
  if constexpr (BinLayout(SpinModel{}, dim, max_copies, all, SiteRule::metropolis).size() > UnitSpace::columns) {
    if (batch.observables > UnitSpace::columns) return unit.bin(batch);
  }
  return space.bin;
}

/// Threads that are of use to a tile.
[[nodiscard]] GLASSWORKS_HD constexpr int threads_for(int sites) { return sites <= 64 ? 64 : 128; }

/// A block that sums, and its shared memory: UnitSpace; then the terms, where other data of a pair lie too; then the
/// planes of a pair if `planes_in_block`; then the spins of a pair if a tile is the whole lattice.
struct BlockShape {
  static constexpr int most_threads = 128;
  static constexpr int resident = 5;  ///< blocks on a multiprocessor: 96 registers a thread, next to no spills
  static constexpr std::size_t most_planes_bytes = 64 * 1024;  ///< larger planes are summed in device memory

  int threads;
  bool planes_in_block;
  int terms;   ///< FourTerms between the beginning of the terms and the planes
  int planes;  ///< plane sums between their beginning and the spins
  std::size_t bytes;

  /// staged_sites  sites of the lattice if its spins are kept in shared memory, or 0
  BlockShape(const Job& job, int staged_sites) : threads(threads_for(job.tiling.sites())) {
    const auto planes_bytes = static_cast<std::size_t>(job.plane_sums()) * sizeof(std::int32_t);
    planes_in_block = planes_bytes <= most_planes_bytes;
    planes = planes_in_block ? job.plane_sums() : 0;
    const int fours = job.formulas.layout().dim() == 4 ? SiteTerms<4>::stride : SiteTerms<3>::stride;
    const std::size_t largest =
        std::max(static_cast<std::size_t>(job.tiling.depth * job.tiling.plane_terms() * fours) * sizeof(FourTerms),
                 sizeof(PairSpace));
    terms = static_cast<int>((largest + sizeof(FourTerms) - 1) / sizeof(FourTerms));
    bytes = sizeof(UnitSpace) + static_cast<std::size_t>(terms) * sizeof(FourTerms) +
            static_cast<std::size_t>(planes) * sizeof(std::int32_t) +
            static_cast<std::size_t>(2 * 3 * staged_sites) * sizeof(float);
  }
};

}}}  // namespace glassworks::cuda::measure
