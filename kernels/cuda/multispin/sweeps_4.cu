#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks::inline cuda {

/// Sizes that the compiler knows have kernels of their own.
template <>
SweepKernels sweep_kernels<4>(const SweepKind& kind, const SweepForm& form) {
  using namespace multispin;
  if (kind.diluted) return kernels_for_rule<4, true, HalfLattice>(kind.rule, form);
  switch (kind.lattice.L) {
    case 6:
      return kernels_for_rule<4, false, FixedHalfLattice<4, 6>>(kind.rule, form);
#if GLASSWORKS_CUDA_ALL_SIZES
    case 4:
      return kernels_for_rule<4, false, FixedHalfLattice<4, 4>>(kind.rule, form);
    case 8:
      return kernels_for_rule<4, false, FixedHalfLattice<4, 8>>(kind.rule, form);
    case 10:
      return kernels_for_rule<4, false, FixedHalfLattice<4, 10>>(kind.rule, form);
#endif
    default:
      return kernels_for_rule<4, false, HalfLattice>(kind.rule, form);
  }
}

}  // namespace glassworks::inline cuda
