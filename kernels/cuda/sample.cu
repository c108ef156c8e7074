#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/sample.hpp"

namespace glassworks {
namespace {

constexpr unsigned threads_of_block = 128;

/// Grid: one thread for a quantity of a unit (task * slots + slot). Deterministic: each value is formed by one thread,
/// in one order. Cost of a quantity: 16 B read for each of its observables, 4 B written.
__global__ void __launch_bounds__(threads_of_block)
    sample_kernel(const __grid_constant__ SampleLayout layout, const __grid_constant__ DeviceBatch batch, int sample) {
  const std::int64_t i = std::int64_t{blockIdx.x} * threads_of_block + threadIdx.x;
  const std::int64_t unit = i / layout.size();
  if (unit >= std::int64_t{batch.tasks} * batch.slots) return;
  const int quantity = static_cast<int>(i - unit * layout.size()), pair = quantity - layout.averages();
  const double *before = batch.d_mean_before + unit * batch.observables,
               *after = batch.d_mean + unit * batch.observables;
  batch.d_samples[(unit * batch.samples + sample) * layout.size() + quantity] =
      pair < 0 ? layout.average(quantity, before, after)
               : static_cast<float>(batch.d_pair_overlap[unit * layout.pairs() + pair]);
}

}  // namespace

void keep_sums(const DeviceBatch& batch, cudaStream_t stream) {
  const auto count = static_cast<std::size_t>(batch.tasks) * static_cast<std::size_t>(batch.slots) *
                     static_cast<std::size_t>(batch.observables);
  check_cuda(
      cudaMemcpyAsync(batch.d_mean_before, batch.d_mean, count * sizeof(double), cudaMemcpyDeviceToDevice, stream),
      "keeping the sums before a sample");
}

void launch_samples(const DeviceBatch& batch, int sample, cudaStream_t stream) {
  const SampleLayout layout(batch.lattice.dim, batch.copies);
  const std::int64_t values = std::int64_t{batch.tasks} * batch.slots * layout.size();
  const auto blocks = static_cast<unsigned>((values + threads_of_block - 1) / threads_of_block);
  sample_kernel<<<blocks, threads_of_block, 0, stream>>>(layout, batch, sample);
  check_launch("sampling");
}

}  // namespace glassworks
