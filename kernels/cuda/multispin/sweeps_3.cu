#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template <>
SweepKernels sweep_kernels<3>(const SweepKind& kind, const SweepForm& form) {
  if (kind.in_field) return sweep_kernels_in_field<3>(kind, form);
  if (kind.open_ends) return sweep_kernels_with_ends<3>(kind, form);
#if GLASSWORKS_CUDA_ALL_SIZES
  return multispin::kernels_for_sizes<3, 4, 6, 8, 10, 12, 16, 20, 24, 32>(kind, form);
#else
  return multispin::kernels_for_sizes<3, 8, 16>(kind, form);
#endif
}

}}  // namespace glassworks::cuda
