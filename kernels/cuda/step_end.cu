#include <algorithm>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/exchange.cuh"
#include "kernels/cuda/step_end.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int step_threads = 256;

[[nodiscard]] unsigned grid_of(std::int64_t work) {
  return static_cast<unsigned>(std::min<std::int64_t>((work + step_threads - 1) / step_threads, 1 << 30));
}

/// One warp per copy of a task.
__global__ void exchange_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  WarpExchange<CurandKey> exchange(b, static_cast<int>(blockIdx.x) / b.copies, static_cast<int>(blockIdx.x) % b.copies,
                                   step);
  exchange.collect_sums();
  exchange.run();
}

/// Grid: a thread for each replica of the batch.
__global__ void first_orders_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  const int i = static_cast<int>(blockIdx.x * step_threads + threadIdx.x);
  if (i < b.tasks * b.replicas()) b.d_order[i] = {step << 32 | exact::as_uint(b.d_beta[b.d_slot[i]]), 0};
}

/// d_energy from the sums of a step, which are cleared.
__global__ void collect_energies_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  const int i = static_cast<int>(blockIdx.x * step_threads + threadIdx.x);
  if (i >= b.tasks * b.replicas()) return;
  unsigned long long* sum = b.energy_sum(step, 0, i);
  b.d_energy[i] = -static_cast<long long>(*sum);
  *sum = 0;
}

}  // namespace

void launch_first_orders(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  first_orders_kernel<<<grid_of(static_cast<std::int64_t>(b.tasks) * b.replicas()), step_threads, 0, stream>>>(b, step);
  check_launch("starting a round");
}

void launch_exchange(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  exchange_kernel<<<static_cast<unsigned>(b.tasks * b.copies), 32, 0, stream>>>(b, step);
  check_launch("starting the exchange kernel");
}

void launch_energies_again(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  launch_energies(b, step, stream);
  collect_energies_kernel<<<grid_of(static_cast<std::int64_t>(b.tasks) * b.replicas()), step_threads, 0, stream>>>(
      b, step);
  check_launch("starting the energy kernel");
}

}}  // namespace glassworks::cuda
