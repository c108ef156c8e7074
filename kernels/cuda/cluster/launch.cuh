#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/shared_memory_limit.hpp"

namespace glassworks { inline namespace cuda {

/// Starts a kernel with the first `attributes` of `attribute` and throws CudaError if that fails; `what` names it for
/// people.
template <class... Parameters, class... Arguments>
void launch_with(cudaLaunchAttribute* attribute, unsigned attributes, const char* what, void (*kernel)(Parameters...),
                 dim3 grid, unsigned threads, std::size_t bytes, cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = attributes;
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...), what);
}

/// The same without attributes.
template <class... Parameters, class... Arguments>
void launch_kernel(const char* what, void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
  launch_with(nullptr, 0, what, kernel, grid, threads, bytes, stream, std::forward<Arguments>(arguments)...);
}

/// Whether the blocks of a kernel may take their places on the current device while the kernel before ends.
[[nodiscard]] inline bool overlaps_kernels() {
  int device = 0, major = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "querying the device");
  return major >= 9;
}

/// The same for a kernel that begins with `begin_overlapped`: it may start while the kernel before ends.
template <class... Parameters, class... Arguments>
void launch_overlapped(const char* what, void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t bytes,
                       cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchAttribute overlapped{};
  overlapped.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlapped.val.programmaticStreamSerializationAllowed = 1;
  launch_with(&overlapped, overlaps_kernels() ? 1 : 0, what, kernel, grid, threads, bytes, stream,
              std::forward<Arguments>(arguments)...);
}

/// Programmatic dependent launch: waits until the previous kernel has ended and its writes are visible, then lets the
/// blocks of the next kernel start. If the previous kernel has not waited itself, no kernel before it is running. Code
/// before the call may read only memory that the two previous kernels do not write.
__device__ __forceinline__ void begin_overlapped() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// The same for a kernel whose blocks all run at the same time and may wait for each other.
template <class... Parameters, class... Arguments>
void launch_cooperative(const char* what, void (*kernel)(Parameters...), dim3 grid, unsigned threads, std::size_t bytes,
                        cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  launch_with(&cooperative, 1, what, kernel, grid, threads, bytes, stream, std::forward<Arguments>(arguments)...);
}

/// Blocks of such a kernel for `items` threads: no more than run at the same time.
template <class... Parameters>
[[nodiscard]] dim3 blocks_at_once(void (*kernel)(Parameters...), unsigned threads, std::size_t items) {
  int device = 0, multiprocessors = 0, blocks = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "querying the device");
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
             "querying the device");
  const std::size_t useful = (items + threads - 1) / threads;
  return dim3(static_cast<unsigned>(std::clamp<std::size_t>(
      static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(blocks), 1, useful)));
}

/// Lets a kernel be started with more than 48 KB of shared memory.
template <class... Parameters>
void allow_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  check_cuda(raise_shared_memory_limit(reinterpret_cast<const void*>(kernel), static_cast<int>(bytes)),
             "asking for shared memory");
}

/// Blocks of `threads` for `items` threads.
[[nodiscard]] inline dim3 blocks_for(std::size_t items, unsigned threads) {
  return dim3(static_cast<unsigned>((items + threads - 1) / threads));
}

}}  // namespace glassworks::cuda
