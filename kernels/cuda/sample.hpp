#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Before a measurement that is sampled: keeps the sums of all observables.
void keep_sums(const DeviceBatch& batch, cudaStream_t stream);

/// After it: the quantities of this measurement alone go to place `sample` of d_samples, with the bits of
/// Measurement::add.
void launch_samples(const DeviceBatch& batch, int sample, cudaStream_t stream);

}}  // namespace glassworks::cuda
