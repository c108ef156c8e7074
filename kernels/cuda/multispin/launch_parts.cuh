#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// What launches of sweeps do alike on lattices and graphs.
namespace glassworks { inline namespace cuda { namespace multispin {

/// A part of a step of replicas that stay in shared memory.
template <class Kernel>
void launch_resident(Kernel kernel, const SweepShape& shape, MultispinBatch& b, const StepPart& part,
                     cudaStream_t stream) {
  const int parts = (b.replicas() + shape.places - 1) / shape.places;
  launch_overlapped("starting sweeps", kernel, dim3(static_cast<unsigned>(b.packs * parts)),
                    static_cast<unsigned>(shape.threads), shape.bytes, stream, b, shape, part);
  b.take_next(part.moves_spins());
}

/// d_sums  [pack][place][lane]
inline void clear_sums(const MultispinBatch& b, int* d_sums, cudaStream_t stream) {
  const std::size_t sums =
      static_cast<std::size_t>(b.packs) * static_cast<std::size_t>(b.replicas()) * static_cast<std::size_t>(b.lanes());
  check_cuda(cudaMemsetAsync(d_sums, 0, sums * sizeof(int), stream), "clearing sums");
}

}}}  // namespace glassworks::cuda::multispin
