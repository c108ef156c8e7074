#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace glassworks {

/// A device that failed: no memory, lost, or an error in a kernel. The message is one sentence for people.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws CudaError if `status` is not success. `what` says what was tried: "copying spins to the device".
void check_cuda(cudaError_t status, const char* what);

/// Throws if the last launch of this thread failed; call it after every launch.
void check_launch(const char* kernel);

}  // namespace glassworks
