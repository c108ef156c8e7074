#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "kernels/cuda/cuda_error.hpp"

namespace glassworks {

/// Starts a kernel and throws CudaError if that fails; `what` names it for people.
template <class... Parameters, class... Arguments>
void launch_kernel(const char* what, void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...), what);
}

/// The same for a kernel whose blocks all run at the same time and may wait for each other.
template <class... Parameters, class... Arguments>
void launch_cooperative(const char* what, void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t bytes,
                        cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  config.attrs = &cooperative;
  config.numAttrs = 1;
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...), what);
}

/// Lets a kernel be started with more than 48 KB of shared memory.
template <class... Parameters>
void allow_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
             "asking for shared memory");
}

/// Blocks of `threads` for `items` threads.
[[nodiscard]] inline dim3 blocks_for(std::size_t items, unsigned threads) {
  return dim3(static_cast<unsigned>((items + threads - 1) / threads));
}

}  // namespace glassworks
