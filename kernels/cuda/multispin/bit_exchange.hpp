#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multispin/multispin_batch.hpp"

namespace glassworks { inline namespace cuda {

/// The exchanges after a step of the round, with the decisions of exchange_replicas, and the walk that follows from
/// them.
void launch_bit_exchange(const MultispinBatch& batch, std::uint64_t step, cudaStream_t stream);

}}  // namespace glassworks::cuda
