#pragma once

#include <memory>

#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// The GPU backend on one device: an index into choices.counted_devices(). Several may share a device, see
/// DevicePlaces; the transfers of one overlap with the round of another.
[[nodiscard]] std::unique_ptr<Backend> make_cuda_backend(int device, const CudaChoices& choices);

}}  // namespace glassworks::cuda
