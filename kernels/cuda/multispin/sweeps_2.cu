#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks::inline cuda {

/// Sizes that the compiler knows have kernels of their own.
template <>
SweepKernels sweep_kernels<2>(const SweepKind& kind, const SweepForm& form) {
  using namespace multispin;
  if (kind.diluted) return kernels_for_rule<2, true, HalfLattice>(kind.rule, form);
  switch (kind.lattice.L) {
    case 32:
      return kernels_for_rule<2, false, FixedHalfLattice<2, 32>>(kind.rule, form);
#if GLASSWORKS_CUDA_ALL_SIZES
    case 16:
      return kernels_for_rule<2, false, FixedHalfLattice<2, 16>>(kind.rule, form);
    case 64:
      return kernels_for_rule<2, false, FixedHalfLattice<2, 64>>(kind.rule, form);
    case 128:
      return kernels_for_rule<2, false, FixedHalfLattice<2, 128>>(kind.rule, form);
#endif
    default:
      return kernels_for_rule<2, false, HalfLattice>(kind.rule, form);
  }
}

}  // namespace glassworks::inline cuda
