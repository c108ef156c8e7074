#pragma once

#include "kernels/cpu/lanes/measure_kernels.hpp"
#include "kernels/cpu/lanes/sweep_kernels.hpp"

namespace glassworks::inline cpu {

/// Calls Kernel<F, dim, with_fields>::function for the dimension and fields of a geometry.
#define GLASSWORKS_DISPATCH(Kernels, function, ...)       \
  switch (2 * g.dim + (g.fields != nullptr ? 1 : 0)) {    \
    case 2:                                               \
      return Kernels<F, 1, false>::function(__VA_ARGS__); \
    case 3:                                               \
      return Kernels<F, 1, true>::function(__VA_ARGS__);  \
    case 4:                                               \
      return Kernels<F, 2, false>::function(__VA_ARGS__); \
    case 5:                                               \
      return Kernels<F, 2, true>::function(__VA_ARGS__);  \
    case 6:                                               \
      return Kernels<F, 3, false>::function(__VA_ARGS__); \
    case 7:                                               \
      return Kernels<F, 3, true>::function(__VA_ARGS__);  \
    case 8:                                               \
      return Kernels<F, 4, false>::function(__VA_ARGS__); \
    case 9:                                               \
      return Kernels<F, 4, true>::function(__VA_ARGS__);  \
    default:                                              \
      return;                                             \
  }

/// The kernel table of one lane type.
template <class F>
struct TableOf {
  static void over_relax(const SweepGeometry& g, const SweepRegion& r, float* spins) {
    GLASSWORKS_DISPATCH(SweepKernels, over_relax, g, r, spins)
  }
  static void over_relax_conserving(const SweepGeometry& g, const SweepRegion& r, float* spins) {
    GLASSWORKS_DISPATCH(SweepKernels, over_relax_conserving, g, r, spins)
  }
  static void heat_bath(const SweepGeometry& g, const SweepRegion& r, const HeatBathSweep& hb, float* spins) {
    GLASSWORKS_DISPATCH(SweepKernels, heat_bath, g, r, hb, spins)
  }
  static void energy(const SweepGeometry& g, const SweepRegion& r, const float* spins, float scale, std::int64_t* sum) {
    GLASSWORKS_DISPATCH(SweepKernels, energy, g, r, spins, scale, sum)
  }
  static void replica_sums(const SweepGeometry& g, const float* spins, float energy_scale, float spin_scale,
                           float bond_scale, ReplicaSumLanes* sums) {
    GLASSWORKS_DISPATCH(MeasureKernels, replica_sums, g, spins, energy_scale, spin_scale, bond_scale, sums)
  }
  static void pair_sums(const SweepGeometry& g, const float* a, const float* b, float spin_scale, float bond_scale,
                        const PairSumLanes& sums) {
    GLASSWORKS_DISPATCH(MeasureKernels, pair_sums, g, a, b, spin_scale, bond_scale, sums)
  }

  static constexpr KernelTable table{
      over_relax, over_relax_conserving, heat_bath, energy, SweepKernels<F, 1, false>::renormalize, replica_sums,
      pair_sums};
};

#undef GLASSWORKS_DISPATCH

}  // namespace glassworks::inline cpu
