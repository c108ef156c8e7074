#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/sample.hpp"
#include "kernels/cuda/sample_value.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr unsigned sample_threads = 128;

/// Grid: a thread for each value. Deterministic: a value is formed by one thread, in one order. Cost of a value: 16 B
/// read for each of its observables, 4 B written.
__global__ void __launch_bounds__(sample_threads)
    sample_kernel(const __grid_constant__ BinLayout layout, const __grid_constant__ DeviceBatch batch, int sample,
                  std::int64_t values) {
  const std::int64_t i = std::int64_t{blockIdx.x} * sample_threads + threadIdx.x;
  if (i < values) form_sample_value(layout, batch, sample, i);
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
  const BinLayout layout(SpinModel{}, batch.lattice.dim, batch.copies);
  const std::int64_t values = sample_values(layout, batch);
  const auto blocks = static_cast<unsigned>((values + sample_threads - 1) / sample_threads);
  sample_kernel<<<blocks, sample_threads, 0, stream>>>(layout, batch, sample, values);
  check_launch("sampling");
}

}}  // namespace glassworks::cuda
