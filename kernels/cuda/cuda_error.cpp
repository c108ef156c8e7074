#include "kernels/cuda/cuda_error.hpp"

#include "kernels/rounds/round_control.hpp"

namespace glassworks { inline namespace cuda {
namespace {

const char* suggestion(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "Lower backend.batch, or free memory of the device.";
    case cudaErrorDevicesUnavailable:
      return "Another program may hold the device; try again when it is free.";
    default:
      return "The round was not stored; start the campaign again, on another device if the error persists.";
  }
}

/// Whether an error is sticky: it then affects the whole process, and every later call returns it.
bool is_sticky(cudaError_t status) {
  std::size_t free = 0, total = 0;
  const cudaError_t after = cudaMemGetInfo(&free, &total);
  (void)cudaGetLastError();
  const bool refusal = status == cudaErrorMemoryAllocation || status == cudaErrorDevicesUnavailable;
  return after == status && !refusal;
}

}  // namespace

void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // the next call shall not report this error again
  int device = -1;
  (void)cudaGetDevice(&device);
  const std::string message = "CUDA device " + std::to_string(device) + " failed while " + what + " (" +
                              cudaGetErrorString(status) + "). " + suggestion(status);
  if (is_sticky(status)) throw DeviceLost(message);
  throw CudaError(message);
}

void check_launch(const char* kernel) { check_cuda(cudaGetLastError(), kernel); }

}}  // namespace glassworks::cuda
