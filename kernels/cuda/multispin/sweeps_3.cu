#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks::inline cuda {

/// Sizes that the compiler knows have kernels of their own.
template <>
SweepKernels sweep_kernels<3>(const SweepKind& kind, const SweepForm& form) {
  using namespace multispin;
  if (kind.diluted) return kernels_for_rule<3, true, HalfLattice>(kind.rule, form);
  switch (kind.lattice.L) {
    case 8:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 8>>(kind.rule, form);
    case 16:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 16>>(kind.rule, form);
#if GLASSWORKS_CUDA_ALL_SIZES
    case 4:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 4>>(kind.rule, form);
    case 6:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 6>>(kind.rule, form);
    case 10:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 10>>(kind.rule, form);
    case 12:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 12>>(kind.rule, form);
    case 20:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 20>>(kind.rule, form);
    case 24:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 24>>(kind.rule, form);
    case 32:
      return kernels_for_rule<3, false, FixedHalfLattice<3, 32>>(kind.rule, form);
#endif
    default:
      return kernels_for_rule<3, false, HalfLattice>(kind.rule, form);
  }
}

}  // namespace glassworks::inline cuda
