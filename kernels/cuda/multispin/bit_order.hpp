#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multispin/multispin_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Couplings of the tasks as bits. negative, absent: see MultispinBatch; absent may be null
void pack_couplings(const MultispinBatch& batch, std::uint32_t* d_negative, std::uint32_t* d_absent,
                    cudaStream_t stream);
/// Before a round: spins, slots and headings of the tasks to packs.
void pack_states(const MultispinBatch& batch, cudaStream_t stream);
/// After it: back to the tasks.
void unpack_states(const MultispinBatch& batch, cudaStream_t stream);

}}  // namespace glassworks::cuda
