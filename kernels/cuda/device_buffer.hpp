#pragma once

#include <cstddef>
#include <utility>

#include "kernels/cuda/cuda_error.hpp"

namespace glassworks { inline namespace cuda {

/// Memory that grows on request and never shrinks, so that rounds reuse it; freed at the end. Source: where it comes
/// from.
template <class T, class Source>
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  GrowingBuffer(const GrowingBuffer&) = delete;
  GrowingBuffer& operator=(const GrowingBuffer&) = delete;
  ~GrowingBuffer() { Source::release(data_); }

  /// Room for `count` elements; what the buffer held is lost if it has to grow.
  T* reserve(std::size_t count) {
    if (count > capacity_) {
      Source::release(std::exchange(data_, nullptr));
      capacity_ = 0;
      check_cuda(Source::take(reinterpret_cast<void**>(&data_), count * sizeof(T)), Source::what);
      capacity_ = count;
    }
    return data_;
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

struct DeviceMemory {
  static constexpr const char* what = "reserving memory";
  static cudaError_t take(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
  static void release(void* data) { (void)cudaFree(data); }
};

/// Page-locked host memory: copies from and to it run beside kernels.
struct PinnedMemory {
  static constexpr const char* what = "reserving page-locked memory";
  static cudaError_t take(void** data, std::size_t bytes) { return cudaMallocHost(data, bytes); }
  static void release(void* data) { (void)cudaFreeHost(data); }
};

/// Copies to the device, or clears memory there, and waits until it is done: streams that do not block wait neither for
/// the default stream nor for what a plain cudaMemcpy has left on its way. `what` names it for people.
inline void copy_and_wait(void* d_to, const void* from, std::size_t bytes, const char* what) {
  check_cuda(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, nullptr), what);
  check_cuda(cudaStreamSynchronize(nullptr), what);
}
inline void clear_and_wait(void* d_memory, std::size_t bytes) {
  check_cuda(cudaMemsetAsync(d_memory, 0, bytes, nullptr), "clearing memory");
  check_cuda(cudaStreamSynchronize(nullptr), "clearing memory");
}

/// Memory of the current device.
template <class T>
using DeviceBuffer = GrowingBuffer<T, DeviceMemory>;

template <class T>
using PinnedBuffer = GrowingBuffer<T, PinnedMemory>;

}}  // namespace glassworks::cuda
