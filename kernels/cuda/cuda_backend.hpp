#pragma once

#include <memory>

#include "kernels/rounds/backend.hpp"

namespace glassworks::inline cuda {

/// The GPU backend on one device: an index into cuda_devices(). Several may share a device; their rounds take turns,
/// and the transfers of one overlap with the round of another.
[[nodiscard]] std::unique_ptr<Backend> make_cuda_backend(int device);

}  // namespace glassworks::inline cuda
