#pragma once

#include <vector>

#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// Copies the phases of the observables to the device.
inline void upload_phases(DeviceBuffer<double>& to, const std::vector<double>& from) {
  copy_and_wait(to.reserve(from.size()), from.data(), from.size() * sizeof(double),
                "copying the phases of the observables to the device");
}

}}  // namespace glassworks::cuda
