#include "kernels/cuda/multispin/multispin_sweeps.cuh"

namespace glassworks::inline cuda {

template SweepKernels sweep_kernels<3>(bool, MultispinRule, int, int);

}  // namespace glassworks::inline cuda
