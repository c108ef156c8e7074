#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/cuda/device_batch.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// What one launch of the ladder kernel has to do.
struct LadderWork {
  std::uint64_t first_step = 0;  ///< of the round
  int steps = 0;
};

/// A compiled ladder kernel; see LadderLayout.
struct LadderVariant {
  VectorChain chain;
  int L;
  int items;                ///< replicas that a group of threads works on at a time
  int group, most_threads;  ///< threads of a group, of a block and of a multiprocessor
  int most_slots;           ///< of a ladder
  int bundle_bytes;         ///< shared memory for the spins of `items` replicas
  int depth;
  SpinLayout layout;  ///< of the spins in device memory
  const void* kernel;
  const void* kernel_with_fields;

  [[nodiscard]] std::string name() const;
};

/// All variants.
[[nodiscard]] std::span<const LadderVariant> ladder_variants();
/// The same, made anew: the rows of kernel_sizes.cmake.
[[nodiscard]] std::vector<LadderVariant> compiled_ladder_sizes();

/// How a variant runs ladders of some length on a device.
struct LadderPlan {
  const LadderVariant* variant = nullptr;
  bool with_fields = false;
  int slots = 0;
  int multiprocessors = 0;
  int most_groups = 0;  ///< of threads in a block; 0: as many as fit
  int most_blocks = 0;  ///< that a multiprocessor holds, each with a ladder

  /// A ladder's bundles, and groups of threads that work on them where a multiprocessor has so many blocks.
  [[nodiscard]] int bundles() const { return (slots + variant->items - 1) / variant->items; }
  [[nodiscard]] int groups(int blocks) const;
  /// Blocks for each multiprocessor that bring the end of so many ladders nearest.
  [[nodiscard]] int blocks_for(int ladders) const;
  [[nodiscard]] int ladder_capacity() const { return most_blocks * multiprocessors; }
  [[nodiscard]] std::string description() const;
};

/// Plan of a variant on the current device; most_blocks = 0: such a ladder does not fit there.
///
/// most_groups  LadderPlan::most_groups
[[nodiscard]] LadderPlan plan_ladder(const LadderVariant& variant, int slots, bool with_fields, int most_groups);

/// `steps` steps of the round from `first_step`: sweeps, energies and exchanges of the whole batch.
void launch_ladder(const LadderPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                   cudaStream_t stream);

}}  // namespace glassworks::cuda
