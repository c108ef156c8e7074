#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/round/sweeps_between_moves.hpp"
#include "kernels/cuda/resident_order.hpp"
#include "kernels/cuda/step_end.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// A thread for each task: repetitions done before this round.
__global__ void __launch_bounds__(256)
    count_repetitions_kernel(const __grid_constant__ DeviceBatch round, std::uint64_t of_step, std::uint64_t* done) {
  const auto task = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (task < round.tasks) done[task] = round.d_first_step[task] * of_step;
}

/// A thread for each replica.
__global__ void __launch_bounds__(256)
    add_energies_kernel(const __grid_constant__ DeviceBatch round, std::uint64_t step) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= round.tasks * round.replicas()) return;
  *round.energy_sum(step, 0, i) += static_cast<unsigned long long>(-round.d_energy[i]);
}

}  // namespace

void SweepsBetweenMoves::begin(const Chain& chain, const CudaPlan& plan, const ClusterBatch& batch, float* d_couplings,
                               float* d_arranged_spins, cudaStream_t stream) {
  if (!plan.sweeps_alone) return;
  plan_ = plan;
  sweeps_ = batch.common;
  sweeps_.protocol = sweeps_between_moves(chain)->protocol;
  repetitions_ = static_cast<std::uint64_t>(chain.protocol.sweeps_per_exchange);
  const auto replicas = static_cast<std::size_t>(batch.systems());
  sweeps_.d_arranged_couplings = d_couplings;
  sweeps_.d_spins = d_arranged_spins;
  const auto tasks = static_cast<std::size_t>(sweeps_.tasks);
  sweeps_.d_first_step = first_step_.reserve(tasks);
  launch_kernel("counting repetitions", count_repetitions_kernel, blocks_for(tasks, 256), 256, 0, stream, batch.common,
                repetitions_, first_step_.data());
  sweeps_.d_heading = heading_.reserve(replicas);
  sweeps_.d_trips = trips_.reserve(replicas);
  sweeps_.d_round_trips = round_trips_.reserve(replicas);
  arrange_couplings(plan_.coupling_order(), sweeps_, stream);
}

void SweepsBetweenMoves::run(const ClusterBatch& batch, std::uint64_t step, int t, bool wants_energies,
                             cudaStream_t stream) {
  const std::uint64_t repetition = step * repetitions_ + static_cast<std::uint64_t>(t);
  launch_first_orders(sweeps_, repetition, stream);
  split_states(batch.common.d_states, sweeps_.d_spins, sweeps_, stream);
  launch_whole_steps(plan_, sweeps_, repetition, 1, stream);
  join_states(sweeps_.d_spins, batch.common.d_states, sweeps_, stream);
  if (!wants_energies) return;
  launch_kernel("adding energies", add_energies_kernel, blocks_for(static_cast<std::size_t>(batch.systems()), 256), 256,
                0, stream, batch.common, step);
}

}}  // namespace glassworks::cuda
