#pragma once

#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/cuda/device_places.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// One round of a batch that is on the current device: all steps, exchanges and measurements, without the host between
/// them. Returns when the device is done.
///
/// measurement  of this chain, with the layout of the plan
/// shared       the places of the device, if kernels for whole steps are to leave others theirs
RoundOutcome run_device_round(const Chain& chain, const CudaPlan& plan, const DeviceBatch& batch,
                              DeviceMeasurement& measurement, const DevicePlaces* shared, cudaStream_t stream,
                              RoundControl& control);

}}  // namespace glassworks::cuda
