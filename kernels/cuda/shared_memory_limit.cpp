#include "kernels/cuda/shared_memory_limit.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace glassworks { inline namespace cuda {

cudaError_t raise_shared_memory_limit(const void* kernel, int bytes) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, int> limits;  // of a device and a kernel
  int device = 0;
  if (const cudaError_t status = cudaGetDevice(&device); status != cudaSuccess) return status;
  const std::lock_guard lock(mutex);
  int& limit = limits[{device, kernel}];
  if (bytes <= limit) return cudaSuccess;
  const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status == cudaSuccess) limit = bytes;
  return status;
}

}}  // namespace glassworks::cuda
