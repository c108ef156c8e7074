#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace glassworks { inline namespace cuda {

/// A device that failed but can be used again: no memory, or in use by others. The message is one sentence for people.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws DeviceLost (round_control.hpp) for a sticky error, CudaError for any other. `what` completes "failed while":
/// "copying spins to the device".
void check_cuda(cudaError_t status, const char* what);

/// Throws if the last launch of this thread failed; call it after every launch.
void check_launch(const char* kernel);

}}  // namespace glassworks::cuda
