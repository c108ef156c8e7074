#pragma once

#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// One round of a batch that is on the current device: all steps, exchanges and measurements, without the host between
/// them. Returns when the device is done.
RoundOutcome run_device_round(const Chain& chain, const CudaPlan& plan, const DeviceBatch& batch, cudaStream_t stream,
                              RoundControl& control);

}}  // namespace glassworks::cuda
