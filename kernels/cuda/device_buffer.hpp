#pragma once

#include <cstddef>
#include <utility>

#include "kernels/cuda/cuda_error.hpp"

namespace glassworks {

/// Memory of the current device, freed at the end. Grows on request and never shrinks, so that rounds reuse it.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : d_data_(std::exchange(other.d_data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  ~DeviceBuffer() { (void)cudaFree(d_data_); }

  /// Room for `count` elements; what the buffer held is lost if it has to grow.
  T* reserve(std::size_t count) {
    if (count > capacity_) {
      (void)cudaFree(std::exchange(d_data_, nullptr));
      capacity_ = 0;
      check_cuda(cudaMalloc(reinterpret_cast<void**>(&d_data_), count * sizeof(T)), "reserving memory");
      capacity_ = count;
    }
    return d_data_;
  }
  [[nodiscard]] T* data() const { return d_data_; }

 private:
  T* d_data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Page-locked host memory: copies from and to it run beside kernels.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { (void)cudaFreeHost(data_); }

  T* reserve(std::size_t count) {
    if (count > capacity_) {
      (void)cudaFreeHost(std::exchange(data_, nullptr));
      capacity_ = 0;
      check_cuda(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)), "reserving page-locked memory");
      capacity_ = count;
    }
    return data_;
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace glassworks
