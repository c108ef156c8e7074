#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template <>
SweepKernels sweep_kernels<3>(const SweepKind& kind, const SweepForm& form) {
#if GLASSWORKS_CUDA_ALL_SIZES
  return multispin::kernels_for_sizes<3, 4, 6, 8, 10, 12, 16, 20, 24, 32>(kind, form);
#else
  return multispin::kernels_for_sizes<3, 8, 16>(kind, form);
#endif
}

}}  // namespace glassworks::cuda
