#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// What one launch of the resident kernel has to do.
struct ResidentWork {
  std::uint64_t first_step = 0;  ///< of the round
  int steps = 0;
  int items = 0;  ///< replicas of all tasks
  int run = 1;    ///< groups of items of a ticket
};

/// A compiled resident kernel; see ResidentShape.
struct ResidentVariant {
  VectorChain chain;
  int L, blocks, depth, registers;
  int threads;          ///< of a block
  int items_per_block;  ///< work items that a block (a cluster) works on at a time
  int shared_bytes;     ///< of a block
  SpinLayout layout;    ///< of the spins in device memory
  bool duty_warp;
  /// Of a thread; where registers move between threads, which compute capability 9.0 alone can; else 0.
  int registers_at_launch;
  const void* kernel;
  const void* kernel_with_fields;

  [[nodiscard]] std::string name() const;
};

/// All variants, the preferred one of each L first.
[[nodiscard]] std::span<const ResidentVariant> resident_variants();
/// The same, made anew: the rows of kernel_sizes.cmake.
[[nodiscard]] std::vector<ResidentVariant> compiled_resident_sizes();

/// How a variant runs on a device.
struct ResidentPlan {
  const ResidentVariant* variant = nullptr;
  bool with_fields = false;
  int blocks_per_multiprocessor = 0;
  int clusters = 0;  ///< that the device holds at once; blocks, if a cluster is one block

  [[nodiscard]] int item_capacity() const { return clusters * variant->items_per_block; }
};

/// Plan of a variant on the current device; clusters = 0: it does not fit there.
[[nodiscard]] ResidentPlan plan_resident(const ResidentVariant& variant, bool with_fields);

/// `steps` steps of the round from `first_step`: sweeps, energies and exchanges of the whole batch.
void launch_resident(const ResidentPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                     cudaStream_t stream);

}}  // namespace glassworks::cuda
