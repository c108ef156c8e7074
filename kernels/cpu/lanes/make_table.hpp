#pragma once

#include <type_traits>

#include "kernels/cpu/lanes/ising_kernels.hpp"
#include "kernels/cpu/lanes/measure_kernels.hpp"
#include "kernels/cpu/lanes/sweep_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// Calls Kernels<dim, with_fields>::function for the dimension and fields of a geometry; Kernels: of the table around
/// it.
#define GLASSWORKS_DISPATCH(function, ...)             \
  switch (2 * g.dim + (g.fields != nullptr ? 1 : 0)) { \
    case 2:                                            \
      return Kernels<1, false>::function(__VA_ARGS__); \
    case 3:                                            \
      return Kernels<1, true>::function(__VA_ARGS__);  \
    case 4:                                            \
      return Kernels<2, false>::function(__VA_ARGS__); \
    case 5:                                            \
      return Kernels<2, true>::function(__VA_ARGS__);  \
    case 6:                                            \
      return Kernels<3, false>::function(__VA_ARGS__); \
    case 7:                                            \
      return Kernels<3, true>::function(__VA_ARGS__);  \
    case 8:                                            \
      return Kernels<4, false>::function(__VA_ARGS__); \
    case 9:                                            \
      return Kernels<4, true>::function(__VA_ARGS__);  \
    default:                                           \
      return;                                          \
  }

/// The sweeps of spins of n components for one lane type.
template <int n, class F>
struct SweepsOf {
  template <int dim, bool with_fields>
  using Kernels = std::conditional_t<n == 1, IsingKernels<F, dim, with_fields>, SweepKernels<n, F, dim, with_fields>>;

  static void over_relax(const SweepGeometry& g, const SweepRegion& r, float* spins) {
    GLASSWORKS_DISPATCH(over_relax, g, r, spins)
  }
  static void over_relax_conserving(const SweepGeometry& g, const SweepRegion& r, float* spins) {
    GLASSWORKS_DISPATCH(over_relax_conserving, g, r, spins)
  }
  static void heat_bath(const SweepGeometry& g, const SweepRegion& r, const HeatBathSweep& hb, float* spins) {
    GLASSWORKS_DISPATCH(heat_bath, g, r, hb, spins)
  }
  static void energy(const SweepGeometry& g, const SweepRegion& r, const float* spins, float scale, std::int64_t* sum) {
    GLASSWORKS_DISPATCH(energy, g, r, spins, scale, sum)
  }
  static void bond_energy(const SweepGeometry& g, const SweepRegion& r, const float* spins, float scale,
                          std::int64_t* sum) {
    GLASSWORKS_DISPATCH(bond_energy, g, r, spins, scale, sum)
  }

  /// Ising spins have no over-relaxation; only the chain of heisenberg sums s.h and has sweeps of over-relaxation
  /// alone.
  static constexpr SweepTable table{n > 1 ? over_relax : nullptr,
                                    n == 3 ? over_relax_conserving : nullptr,
                                    heat_bath,
                                    n == 3 ? energy : nullptr,
                                    bond_energy,
                                    Kernels<1, false>::renormalize};
};

/// The kernel table of one lane type.
template <class F>
struct TableOf {
  template <int dim, bool with_fields>
  using Kernels = MeasureKernels<F, dim, with_fields>;

  static void replica_sums(const SweepGeometry& g, const float* spins, float energy_scale, float spin_scale,
                           float bond_scale, ReplicaSumLanes* sums) {
    GLASSWORKS_DISPATCH(replica_sums, g, spins, energy_scale, spin_scale, bond_scale, sums)
  }
  static void pair_sums(const SweepGeometry& g, const float* a, const float* b, float spin_scale, float bond_scale,
                        const PairSumLanes& sums) {
    GLASSWORKS_DISPATCH(pair_sums, g, a, b, spin_scale, bond_scale, sums)
  }

  static constexpr KernelTable table{
      {SweepsOf<1, F>::table, SweepsOf<2, F>::table, SweepsOf<3, F>::table, SweepsOf<4, F>::table},
      replica_sums,
      pair_sums};
};

#undef GLASSWORKS_DISPATCH

}}  // namespace glassworks::cpu
