#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template <>
SweepKernels sweep_kernels_with_ends<3>(const SweepKind& kind, const SweepForm& form) {
  using enum MultispinRule;
  if (kind.rule == metropolis) return multispin::kernels_of_any_size<3, false, metropolis, false, true>(form);
  return multispin::kernels_of_any_size<3, false, heat_bath, false, true>(form);
}

}}  // namespace glassworks::cuda
