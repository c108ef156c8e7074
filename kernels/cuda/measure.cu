#include <algorithm>

#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/measure_block.hpp"

namespace glassworks {
namespace {

using measure::BlockShape;
using measure::Job;
using measure::PairSpace;
using measure::ThreadSums;
using measure::UnitSpace;

constexpr int blocks_per_multiprocessor = 8;  ///< that a launch should have; units are cut into chunks for it
constexpr std::size_t most_scratch_bytes = std::size_t{256} << 20U;  ///< of one launch

/// The threads of a block, for measure_block.hpp.
struct DeviceBlock {
  ThreadSums sums;

  template <class Step>
  __device__ __forceinline__ void run(Step step) {
    step(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), sums);
    __syncthreads();
  }
};

/// Grid: units * chunks. Deterministic: sums are integers, observables are formed in one order. Cost of a site and pair
/// of copies in d = 3: 42 loads through the first-level cache, about 450 instructions.
template <int dim, bool planes_in_block>
__global__ void __launch_bounds__(BlockShape::most_threads, BlockShape::resident)
    sum_kernel(const __grid_constant__ Job job, const __grid_constant__ DeviceBatch batch, int terms) {
  extern __shared__ __align__(16) double memory[];
  auto& space = *reinterpret_cast<UnitSpace*>(memory);
  auto* scratch = reinterpret_cast<measure::FourTerms*>(memory + sizeof(UnitSpace) / sizeof(double));
  auto* planes = reinterpret_cast<std::int32_t*>(scratch + terms);
  DeviceBlock block;
  const auto unit = static_cast<std::int64_t>(blockIdx.x / static_cast<unsigned>(job.chunks));
  const int chunk = static_cast<int>(blockIdx.x % static_cast<unsigned>(job.chunks));
  measure::measure_unit<dim, planes_in_block>(block, job, batch, unit, chunk, space, scratch, planes);
}

/// Grid: units. Observables from the sums of sum_kernel where several blocks made them.
template <int dim>
__global__ void __launch_bounds__(BlockShape::most_threads)
    form_kernel(const __grid_constant__ Job job, const __grid_constant__ DeviceBatch batch) {
  __shared__ __align__(16) double memory[(sizeof(UnitSpace) + sizeof(PairSpace)) / sizeof(double)];
  auto& space = *reinterpret_cast<UnitSpace*>(memory);
  auto& work = *reinterpret_cast<PairSpace*>(memory + sizeof(UnitSpace) / sizeof(double));
  DeviceBlock block;
  measure::form_unit<dim>(block, job, batch, blockIdx.x, space, work);
}

using SumKernel = void (*)(Job, DeviceBatch, int);
using FormKernel = void (*)(Job, DeviceBatch);

SumKernel sum_kernel_for(int dim, bool planes_in_block) {
  switch (dim) {
    case 1:
      return planes_in_block ? sum_kernel<1, true> : sum_kernel<1, false>;
    case 2:
      return planes_in_block ? sum_kernel<2, true> : sum_kernel<2, false>;
    case 3:
      return planes_in_block ? sum_kernel<3, true> : sum_kernel<3, false>;
    default:
      return planes_in_block ? sum_kernel<4, true> : sum_kernel<4, false>;
  }
}

FormKernel form_kernel_for(int dim) {
  constexpr FormKernel kernels[] = {form_kernel<1>, form_kernel<2>, form_kernel<3>, form_kernel<4>};
  return kernels[dim - 1];
}

void upload(DeviceBuffer<double>& to, const std::vector<double>& from) {
  check_cuda(cudaMemcpy(to.reserve(from.size()), from.data(), from.size() * sizeof(double), cudaMemcpyHostToDevice),
             "copying the phases of the observables to the device");
}

}  // namespace

DeviceMeasurement::DeviceMeasurement(const Chain& chain) {
  upload(phase_, PhaseTable(chain.lattice.L).joined());
  upload(walk_phase_, PhaseTable(2 * chain.slots()).cosine);
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
             "asking for the number of multiprocessors");
  const BlockShape shape(Job{{chain.lattice, chain.copies}, MeasureTiling(chain.lattice)});
  check_cuda(cudaFuncSetAttribute(sum_kernel_for(chain.lattice.dim, shape.planes_in_block),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.bytes)),
             "reserving shared memory for measurements");
}

void DeviceMeasurement::launch(const DeviceBatch& batch, cudaStream_t stream) {
  Job job{{batch.lattice, batch.copies}, MeasureTiling(batch.lattice), phase_.data(), walk_phase_.data()};
  const BlockShape shape(job);
  const std::int64_t units = std::int64_t{batch.tasks} * batch.slots;
  const std::int64_t wanted = std::int64_t{multiprocessors_} * blocks_per_multiprocessor;
  job.chunks = static_cast<int>(std::min<std::int64_t>(job.tiling.passes, (wanted + units - 1) / units));
  const SumKernel sum = sum_kernel_for(batch.lattice.dim, shape.planes_in_block);
  if (job.chunks == 1 && shape.planes_in_block) {
    sum<<<static_cast<unsigned>(units), shape.threads, shape.bytes, stream>>>(job, batch, shape.terms);
    check_launch("measuring");
    return;
  }
  const std::size_t planes =
      static_cast<std::size_t>(job.formulas.pairs()) * static_cast<std::size_t>(job.plane_sums());
  const auto totals = static_cast<std::size_t>(job.totals());
  const auto fitting = static_cast<std::int64_t>(most_scratch_bytes / (planes * sizeof(std::int32_t)));
  const auto group = static_cast<std::size_t>(std::clamp<std::int64_t>(fitting, 1, units));
  job.d_planes = planes_.reserve(group * planes);
  job.d_totals = totals_.reserve(group * totals);
  for (; job.first_unit < units; job.first_unit += static_cast<std::int64_t>(group)) {
    const auto count = std::min(group, static_cast<std::size_t>(units - job.first_unit));
    check_cuda(cudaMemsetAsync(job.d_planes, 0, count * planes * sizeof(std::int32_t), stream), "clearing sums");
    check_cuda(cudaMemsetAsync(job.d_totals, 0, count * totals * sizeof(unsigned long long), stream), "clearing sums");
    const auto blocks = static_cast<unsigned>(count * static_cast<std::size_t>(job.chunks));
    sum<<<blocks, shape.threads, shape.bytes, stream>>>(job, batch, shape.terms);
    check_launch("measuring");
    form_kernel_for(batch.lattice.dim)<<<static_cast<unsigned>(count), 64, 0, stream>>>(job, batch);
    check_launch("forming observables");
  }
}

}  // namespace glassworks
