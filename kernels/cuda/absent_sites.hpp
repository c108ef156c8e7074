#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Empties absent sites, as states and measurements have them: vectors become 0, discrete spins the state of absent
/// ones. Sweeps move them as free spins, which no other spin sees. Nothing where all sites have a spin.
void clear_absent(const DeviceBatch& batch, cudaStream_t stream);

}}  // namespace glassworks::cuda
