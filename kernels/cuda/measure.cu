#include <algorithm>
#include <optional>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/measure_block.hpp"
#include "kernels/cuda/phase_upload.hpp"

namespace glassworks { inline namespace cuda {
namespace {

using measure::BlockShape;
using measure::Job;
using measure::PairSpace;
using measure::ThreadSums;
using measure::UnitSpace;

constexpr int blocks_per_multiprocessor = 8;  ///< that a launch should have; units are cut into chunks for it
constexpr std::size_t most_scratch_bytes = std::size_t{256} << 20U;  ///< of one launch

/// The threads of a block, for measure_block.hpp. fixed_threads: their number, or 0 if the compiler does not know it
template <int fixed_threads>
struct DeviceBlock {
  ThreadSums sums;

  template <class Step>
  __device__ __forceinline__ void run(Step step) {
    const unsigned threads = fixed_threads == 0 ? blockDim.x : fixed_threads;
    __builtin_assume(threadIdx.x < threads);
    step(static_cast<int>(threadIdx.x), static_cast<int>(threads), sums);
    __syncthreads();
  }
};

/// Threads of a block for a tiling; 0 if only the launch knows.
template <class Tiling>
constexpr int threads_of() {
  if constexpr (Tiling::fixed_L == 0) {
    return 0;
  } else {
    return measure::threads_for(Tiling::sites());
  }
}

template <class Tiling>
__device__ __forceinline__ decltype(auto) tiling_of(const Job& job) {
  if constexpr (Tiling::fixed_L == 0) {
    return (job.tiling);
  } else {
    return Tiling{};
  }
}

/// boundary: of PairInput. Grid: (units, chunks). Deterministic: sums are integers, observables are formed in one
/// order. Cost of a site and pair of copies in d = 3: 42 loads from shared memory or through the first-level cache.
template <int dim, bool planes_in_block, Boundary boundary, SpinLayout layout, class Tiling>
__global__ void __launch_bounds__(BlockShape::most_threads, BlockShape::resident)
    sum_kernel(const __grid_constant__ Job job, const __grid_constant__ DeviceBatch batch, int terms, int planes) {
  extern __shared__ __align__(16) double memory[];
  DeviceBlock<threads_of<Tiling>()> block;
  measure::measure_unit<dim, planes_in_block, boundary, layout>(block, job, tiling_of<Tiling>(job), batch, blockIdx.x,
                                                                static_cast<int>(blockIdx.y), {memory, terms, planes});
}

/// Grid: units. Observables from the sums of sum_kernel where several blocks made them.
template <int dim>
__global__ void __launch_bounds__(BlockShape::most_threads)
    form_kernel(const __grid_constant__ Job job, const __grid_constant__ DeviceBatch batch) {
  __shared__ __align__(16) double memory[(sizeof(UnitSpace) + sizeof(PairSpace)) / sizeof(double)];
  auto& space = *reinterpret_cast<UnitSpace*>(memory);
  auto& work = *reinterpret_cast<PairSpace*>(memory + sizeof(UnitSpace) / sizeof(double));
  DeviceBlock<BlockShape::most_threads> block;
  measure::form_unit<dim>(block, job, batch, blockIdx.x, space, work);
}

using SumKernel = void (*)(Job, DeviceBatch, int, int);
using FormKernel = void (*)(Job, DeviceBatch);

/// A compiled sum_kernel and what its blocks need.
struct Sum {
  SumKernel kernel;
  BlockShape shape;
};

template <int dim, Boundary boundary, SpinLayout layout = SpinLayout::planar>
Sum general_sum(const Job& job) {
  const BlockShape shape(job, 0);
  return {shape.planes_in_block ? sum_kernel<dim, true, boundary, layout, MeasureTiling>
                                : sum_kernel<dim, false, boundary, layout, MeasureTiling>,
          shape};
}

template <int L, SpinLayout layout>
Sum fixed_sum(const Job& job) {
  using Tiling = FixedTiling<3, L>;
  return {sum_kernel<3, true, Boundary::periodic, layout, Tiling>, BlockShape(job, Tiling::one_tile ? L * L * L : 0)};
}

/// Periodic lattices; the sizes have kernels of their own.
template <SpinLayout layout, int... sizes>
Sum sum_for_sizes(const Job& job) {
  std::optional<Sum> sum;
  const auto fits = [&]<int L>() {
    if (job.tiling.L == L) sum = fixed_sum<L, layout>(job);
    return sum.has_value();
  };
  if ((fits.template operator()<sizes>() || ...)) return *sum;
  return general_sum<3, Boundary::periodic, layout>(job);
}

template <SpinLayout layout>
Sum sum_in_three_dimensions(const Job& job) {
#if GLASSWORKS_CUDA_ALL_SIZES
  return sum_for_sizes<layout, 4, 6, 8, 10, 12, 16, 20, 24>(job);
#else
  return sum_for_sizes<layout, 8, 24>(job);
#endif
}

Sum sum_for(const Job& job, SpinLayout layout) {
  constexpr Boundary periodic = Boundary::periodic, open = Boundary::open;
  if (layout == SpinLayout::paired) {  // d = 3
    return job.has_open_ends ? general_sum<3, open, SpinLayout::paired>(job)
                             : sum_in_three_dimensions<SpinLayout::paired>(job);
  }
  using SumOf = Sum(const Job&);
  constexpr SumOf* of_periodic[] = {general_sum<1, periodic>, general_sum<2, periodic>,
                                    sum_in_three_dimensions<SpinLayout::planar>, general_sum<4, periodic>};
  constexpr SumOf* of_open[] = {general_sum<1, open>, general_sum<2, open>, general_sum<3, open>, general_sum<4, open>};
  return (job.has_open_ends ? of_open : of_periodic)[job.formulas.layout().dim() - 1](job);
}

FormKernel form_kernel_for(int dim) {
  constexpr FormKernel kernels[] = {form_kernel<1>, form_kernel<2>, form_kernel<3>, form_kernel<4>};
  return kernels[dim - 1];
}

}  // namespace

DeviceMeasurement::DeviceMeasurement(const Chain& chain, SpinLayout layout) : selection_(chain.local) {
  upload_phases(phase_, PhaseTable(chain.lattice.L).joined());
  upload_phases(walk_phase_, PhaseTable(2 * chain.slots()).cosine);
  int device = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
             "querying the number of multiprocessors");
  const Sum sum = sum_for(Job(chain.lattice, chain.copies, chain.local), layout);
  allow_shared_memory(sum.kernel, sum.shape.bytes);
}

void DeviceMeasurement::launch(const DeviceBatch& batch, cudaStream_t stream) {
  Job job(batch.lattice, batch.copies, selection_);
  job.d_phase = phase_.data();
  job.d_walk_phase = walk_phase_.data();
  const auto [kernel, shape] = sum_for(job, batch.order.layout());
  const auto threads = static_cast<unsigned>(shape.threads);
  const std::int64_t units = std::int64_t{batch.tasks} * batch.slots;
  const std::int64_t wanted = std::int64_t{multiprocessors_} * blocks_per_multiprocessor;
  job.share_passes((wanted + units - 1) / units);
  const auto pairs = static_cast<std::size_t>(job.formulas.pairs());
  const std::size_t kept = pairs * static_cast<std::size_t>(job.formulas.kept_chiralities());
  const bool alone = job.chunks() == 1 && shape.planes_in_block;
  if (alone && kept == 0) {
    kernel<<<static_cast<unsigned>(units), threads, shape.bytes, stream>>>(job, batch, shape.terms, shape.planes);
    check_launch("measuring");
    return;
  }
  const std::size_t planes = alone ? 0 : pairs * static_cast<std::size_t>(job.plane_sums());
  const std::size_t totals = alone ? 0 : static_cast<std::size_t>(job.totals());
  const std::size_t bytes = planes * sizeof(std::int32_t) + kept * sizeof(Complex);
  const auto fitting = static_cast<std::int64_t>(most_scratch_bytes / bytes);
  const auto group = static_cast<std::size_t>(std::clamp<std::int64_t>(fitting, 1, units));
  if (kept > 0) job.d_kept = kept_.reserve(group * kept);
  if (!alone) {
    job.d_planes = planes_.reserve(group * planes);
    job.d_totals = totals_.reserve(group * totals);
  }
  for (; job.first_unit < units; job.first_unit += static_cast<std::int64_t>(group)) {
    const auto count = std::min(group, static_cast<std::size_t>(units - job.first_unit));
    if (!alone) {
      check_cuda(cudaMemsetAsync(job.d_planes, 0, count * planes * sizeof(std::int32_t), stream), "clearing sums");
      check_cuda(cudaMemsetAsync(job.d_totals, 0, count * totals * sizeof(unsigned long long), stream),
                 "clearing sums");
    }
    const dim3 blocks(static_cast<unsigned>(count), static_cast<unsigned>(job.chunks()));
    kernel<<<blocks, threads, shape.bytes, stream>>>(job, batch, shape.terms, shape.planes);
    check_launch("measuring");
    if (alone) continue;
    form_kernel_for(batch.lattice.dim)<<<blocks.x, BlockShape::most_threads, 0, stream>>>(job, batch);
    check_launch("forming observables");
  }
}

}}  // namespace glassworks::cuda
