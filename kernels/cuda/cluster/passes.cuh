#pragma once

#include <cooperative_groups.h>

#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// What kernels that repeat a pass keep in device memory.
struct PassCount {
  unsigned changed[3];    ///< [pass % 3] blocks that have changed something in a pass
  unsigned passes, runs;  ///< of all kernels so far
};

/// Repeats pass() on all threads of a grid, whose blocks run together, until it returns false to all of them. What the
/// threads have written before it is there in every pass.
template <class Grid, class Pass>
__device__ __forceinline__ void repeat_until_unchanged(const Grid& grid, PassCount& count, Pass&& pass) {
  const std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first < 3) count.changed[first] = 0;
  grid.sync();
  unsigned step = 0;
  for (;; ++step) {
    if (__syncthreads_or(pass()) != 0 && threadIdx.x == 0) atomicAdd(count.changed + step % 3, 1U);
    if (first == 0) count.changed[(step + 1) % 3] = 0;
    grid.sync();
    if (__ldcg(count.changed + step % 3) == 0) break;
  }
  if (first != 0) return;
  count.passes += step + 1;
  ++count.runs;
}

/// The count of one labelling method.
class Passes {
 public:
  void clear() { clear_and_wait(count_.reserve(1), sizeof(PassCount)); }
  [[nodiscard]] PassCount* data() const { return count_.data(); }
  /// Passes of a kernel on average; 0 before the first one.
  [[nodiscard]] double mean() const {
    if (count_.data() == nullptr) return 0.0;
    PassCount count{};
    check_cuda(cudaMemcpy(&count, count_.data(), sizeof count, cudaMemcpyDeviceToHost), "copying from the device");
    return count.runs == 0 ? 0.0 : static_cast<double>(count.passes) / count.runs;
  }

 private:
  DeviceBuffer<PassCount> count_;
};

}}  // namespace glassworks::cuda
