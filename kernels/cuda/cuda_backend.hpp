#pragma once

#include <memory>
#include <string>

#include "kernels/backend.hpp"

namespace glassworks {

/// The GPU backend on one device: an index into cuda_devices(). Several may share a device; their rounds take turns,
/// and the transfers of one overlap with the round of another.
[[nodiscard]] std::unique_ptr<Backend> make_cuda_backend(int device);

/// Why cuda_devices() is empty, in the words of the driver.
[[nodiscard]] std::string no_cuda_device_reason();

}  // namespace glassworks
