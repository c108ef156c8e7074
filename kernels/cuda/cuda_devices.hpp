#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glassworks { inline namespace cuda {

/// Why there is no CUDA backend here; empty if there is one.
[[nodiscard]] std::string cuda_unavailable_reason();

struct CudaDevice {
  int ordinal = 0;  ///< number of the device for the driver
  std::string name;
  int capability_major = 0, capability_minor = 0;
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t shared_memory_per_block_bytes = 0;  ///< largest that a kernel may ask for
  std::int64_t shared_memory_bytes = 0;            ///< of a multiprocessor
  std::int64_t cache_bytes = 0;                    ///< of the second-level cache
  double clock_GHz = 0.0;                          ///< largest of the multiprocessors
  /// "GPU-" and its UUID, as CUDA_VISIBLE_DEVICES takes it: means the same device in every process. Numbers change when
  /// a device has gone.
  std::string identity;

  [[nodiscard]] bool has_clusters() const { return capability_major >= 9; }  ///< of blocks
};

/// The devices that the cuda backend can use here; empty if there is none.
[[nodiscard]] const std::vector<CudaDevice>& cuda_devices();
/// The one of them that is the current device of this thread.
[[nodiscard]] const CudaDevice& current_cuda_device();

}}  // namespace glassworks::cuda
