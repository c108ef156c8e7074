#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// The heat-bath sweeps of Ising spins between moves of copies, by the kernels for whole steps
/// (CudaPlan::sweeps_alone).
///
/// Each of those sweeps is a step of a chain that does nothing else (sweeps_between_moves), with memory of its own for
/// the walk, which stands still meanwhile. Spins are bytes before it and after it. Traffic beside the sweeps: 10 bytes
/// a site.
class SweepsBetweenMoves {
 public:
  /// For the rounds of a batch; a plan that is not of sweeps alone needs nothing.
  void begin(const Chain& chain, const CudaPlan& plan, const ClusterBatch& batch, float* d_couplings,
             float* d_arranged_spins, cudaStream_t stream);
  /// The sweeps of repetition t of step `step` of the round. wants_energies: adds -E of all replicas to energy_sum of
  /// the step.
  void run(const ClusterBatch& batch, std::uint64_t step, int t, bool wants_energies, cudaStream_t stream);

 private:
  CudaPlan plan_;
  DeviceBatch sweeps_;  ///< of the chain of sweeps alone
  std::uint64_t repetitions_ = 1;
  DeviceBuffer<std::uint64_t> first_step_;
  DeviceBuffer<int> heading_;
  DeviceBuffer<std::uint32_t> trips_, round_trips_;
};

}}  // namespace glassworks::cuda
