#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template SweepKernels sweep_kernels_in_field<4>(const SweepKind&, const SweepForm&);

}}  // namespace glassworks::cuda
