#pragma once

#include <cstddef>

#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// Copies between pageable host memory and the device through two page-locked buffers (double buffering): the processor
/// fills or empties one while the other is in transfer.
class StagedCopy {
 public:
  StagedCopy() = default;
  StagedCopy(const StagedCopy&) = delete;
  StagedCopy& operator=(const StagedCopy&) = delete;
  ~StagedCopy();

  /// Returns when `from` has been read; the copy itself ends in the order of the stream.
  void to_device(void* d_to, const void* from, std::size_t bytes, cudaStream_t stream);
  /// Returns when `to` is complete.
  void to_host(void* to, const void* d_from, std::size_t bytes, cudaStream_t stream);

  /// Filled by `fill(i)` for each element i.
  template <class T, class Fill>
  void fill_device(T* d_to, std::size_t count, cudaStream_t stream, const Fill& fill) {
    for (std::size_t begin = 0; begin < count;) {
      T* to = reinterpret_cast<T*>(next_half());
      const std::size_t n = count - begin < half_bytes / sizeof(T) ? count - begin : half_bytes / sizeof(T);
      for (std::size_t i = 0; i < n; ++i) to[i] = fill(begin + i);
      send(d_to + begin, n * sizeof(T), stream);
      begin += n;
    }
  }

 private:
  static constexpr std::size_t half_bytes = std::size_t{8} << 20;

  /// The half to be filled next, free again.
  char* next_half();
  void send(void* d_to, std::size_t bytes, cudaStream_t stream);

  PinnedBuffer<char> memory_;
  cudaEvent_t done_[2] = {};
  int half_ = 0;
};

}}  // namespace glassworks::cuda
