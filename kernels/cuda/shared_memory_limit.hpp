#pragma once

#include <cuda_runtime_api.h>

namespace glassworks { inline namespace cuda {

/// Lets a kernel be started on the current device with so many bytes of dynamic shared memory. This limit belongs to
/// the kernel, which several sizes and backends may share, so it only rises: a lower one would make a launch of another
/// thread fail. Thread-safe. Returns the error of the device if it has less memory; the limit is then as before.
[[nodiscard]] cudaError_t raise_shared_memory_limit(const void* kernel, int bytes);

}}  // namespace glassworks::cuda
