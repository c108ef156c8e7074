#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multispin/multispin_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Words of scratch in the memory of the device that launch_bit_swap needs for a batch: 0 where clusters fit into
/// shared memory. On the current device.
[[nodiscard]] std::size_t swap_scratch_words(const MultispinBatch& batch);

/// Isoenergetic moves (isoenergetic_move) begin .. end - 1 of the n_T n_I of a step of the round, of the first slots.
/// d_scratch: swap_scratch_words words
void launch_bit_swap(const MultispinBatch& batch, std::uint64_t step, int begin, int end, int slots,
                     std::uint32_t* d_scratch, cudaStream_t stream);

}}  // namespace glassworks::cuda
