#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/multispin/bit_measurement.hpp"

namespace glassworks { inline namespace cuda {

/// Sums over the planes of all fields and over the bonds of all pairs of copies, on a graph.
void launch_graph_sums(const MultispinBatch& batch, const MeasuredBits& sums, int fields, int pairs,
                       cudaStream_t stream);

}}  // namespace glassworks::cuda
