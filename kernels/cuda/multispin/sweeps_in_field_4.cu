#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template <>
SweepKernels sweep_kernels_in_field<4>(const SweepKind& kind, const SweepForm& form) {
  using enum MultispinRule;
  if (kind.diluted) return multispin::kernels_of_any_size<4, true, heat_bath, true, false>(form);
  if (kind.open_ends) return multispin::kernels_of_any_size<4, false, heat_bath, true, true>(form);
  return multispin::kernels_of_any_size<4, false, heat_bath, true, false>(form);
}

}}  // namespace glassworks::cuda
