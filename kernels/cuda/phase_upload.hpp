#pragma once

#include <vector>

#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// Copies the phases of the observables to the device.
inline void upload_phases(DeviceBuffer<double>& to, const std::vector<double>& from) {
  check_cuda(cudaMemcpy(to.reserve(from.size()), from.data(), from.size() * sizeof(double), cudaMemcpyHostToDevice),
             "copying the phases of the observables to the device");
}

}}  // namespace glassworks::cuda
