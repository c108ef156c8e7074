#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"
#include "kernels/cpu/lanes/lanes.hpp"

namespace glassworks { inline namespace cpu {

/// Where a sweep finds its lattice and disorder. Plain pointers: this header is compiled once per instruction set, and
/// inline library code shared between those translation units could be linked from the wrong one.
struct SweepGeometry {
  int dim, L;
  const float* couplings;              ///< [site][axis]
  const float* fields;                 ///< [site][component], or null
  const std::int32_t* neighbour_rows;  ///< rows at +y, -y, +z, -z, ...: [row][2 (dim - 1)]
  const std::uint8_t* row_parity;      ///< (y + z + w) mod 2 [row]
  const std::uint32_t* first_cell;     ///< heat-bath cell of x = 0, see HeatBathAddress [row]
  /// Bit a: no bond leads from the row to the next one (forward) or to the one before (backward) along axis a, a > 0;
  /// bit 0: x has open ends. Null where the lattice is periodic [row].
  const std::uint8_t *no_forward, *no_backward;
};

/// Sites of one parity in the rows listed, x_begin <= x < x_end (both even).
struct SweepRegion {
  const std::int32_t* rows;  ///< for d >= 2 in pairs of equal y/2
  int row_count;
  int x_begin, x_end;
  int parity;
};

/// What a sweep of local updates (heat_bath, exact::local_update) needs beyond the geometry.
struct HeatBathSweep {
  const float* minus_two_beta;      ///< [lane]
  const float* minus_inverse_beta;  ///< [lane]
  const std::uint32_t* word3;       ///< counter word 3 [lane]
  PhiloxKey key;
  std::uint32_t word1, word2;  ///< counter words 1 and 2
  std::uint64_t sweep;         ///< number of the sweep
  /// If not null, terms of the fixed-point energy are added: s.h at odd sites, s.H at even sites [lane].
  std::int64_t* energy;
  float energy_scale;
};

/// One gathered group of 16 slots of one copy, and the sums over it: see measure_kernels.hpp.
struct alignas(64) ReplicaSumLanes {
  std::int64_t field[bundle_lanes], q_s[bundle_lanes], magnetization[3][bundle_lanes];
};
struct PairSumLanes {
  std::int64_t* link;       ///< [lane]
  std::int32_t* planes;     ///< [direction][plane][9 + d][lane]: overlap tensor, then the chirality of each axis
  std::int32_t* workspace;  ///< 3 L + 1 blocks of [9 + d][lane]
};

/// The sweeps of spins of n components, over one bundle: spins[site][component][lane], 64-byte aligned.
struct SweepTable {
  void (*over_relax)(const SweepGeometry&, const SweepRegion&, float* spins);
  void (*over_relax_conserving)(const SweepGeometry&, const SweepRegion&, float* spins);
  void (*heat_bath)(const SweepGeometry&, const SweepRegion&, const HeatBathSweep&, float* spins);
  /// Adds the fixed-point energy terms of the region's sites (of its parity): s.h, or J s.s' bond by bond.
  void (*energy)(const SweepGeometry&, const SweepRegion&, const float* spins, float scale, std::int64_t* energy);
  void (*bond_energy)(const SweepGeometry&, const SweepRegion&, const float* spins, float scale, std::int64_t* energy);
  void (*renormalize)(float* spins, std::int64_t sites);
};

/// The kernels of one instruction set.
struct KernelTable {
  SweepTable sweeps[4];  ///< of 1 (ising), 2, 3 and 4 components
  /// Sums of a measurement of heisenberg spins.
  void (*replica_sums)(const SweepGeometry&, const float* spins, float energy_scale, float spin_scale, float bond_scale,
                       ReplicaSumLanes* sums);
  void (*pair_sums)(const SweepGeometry&, const float* a, const float* b, float spin_scale, float bond_scale,
                    const PairSumLanes& sums);
};

/// The sweeps of spins of n components.
inline const SweepTable& sweeps_of(const KernelTable& kernels, int n) { return kernels.sweeps[n - 1]; }

const KernelTable& portable_kernels();
#if defined(__x86_64__)
const KernelTable& avx2_kernels();
const KernelTable& avx512_kernels();
#endif

}}  // namespace glassworks::cpu
