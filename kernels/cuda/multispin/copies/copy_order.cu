#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/copies/word_site.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int order_threads = 256, copy_lanes_of_word = 128;

/// The site of a thread, in natural order: threads that follow each other read bytes and floats that do.
__device__ std::int64_t ordered_site() { return std::int64_t{blockIdx.x} * order_threads + threadIdx.x; }

/// A lattice of words: the copies of a group of a task in a slot.
struct CopyWordsOf {
  int task, group, slot;

  __device__ CopyWordsOf(const CopyJob& job, int number)
      : task(number / (job.groups * job.common.slots)),
        group(number / job.common.slots % job.groups),
        slot(number % job.common.slots) {}
  [[nodiscard]] __device__ std::uint8_t* states(const CopyJob& job, int lane) const {
    const int replica = (copy_lanes_of_word * group + lane) * job.common.slots + slot;
    return job.common.d_states + (std::int64_t{task} * job.common.replicas() + replica) * job.common.sites();
  }
  [[nodiscard]] __device__ int copies(const CopyJob& job) const {
    return min(copy_lanes_of_word, job.common.copies - copy_lanes_of_word * group);
  }
};

/// Grid: (sites, tasks).
__global__ void __launch_bounds__(order_threads) couplings_kernel(const __grid_constant__ CopyJob job) {
  const DeviceBatch& b = job.common;
  if (ordered_site() >= b.sites()) return;
  const WordSite here(job, ordered_site());
  const auto task = static_cast<int>(blockIdx.y);
  const float* const J = b.d_couplings == nullptr ? nullptr : b.couplings_of(task);
  const auto is_negative = [&](int axis, std::int64_t site) {
    return (J == nullptr ? b.coupling : J[axis * b.sites() + site]) < 0.0F;
  };
  unsigned bits = 0;
  for (int axis = 0; axis < b.lattice.dim; ++axis) {
    if (is_negative(axis, here.site)) bits |= 1U << (2 * axis);
    if (is_negative(axis, b.lattice.neighbour(here.site, axis, -1))) bits |= 2U << (2 * axis);
  }
  job.d_negative[(2 * task + here.colour) * job.places() + here.place] = static_cast<std::uint8_t>(bits);
}

/// Grid: (sites, lattices).
template <bool pack>
__global__ void __launch_bounds__(order_threads) order_kernel(const __grid_constant__ CopyJob job) {
  if (ordered_site() >= job.common.sites()) return;
  const WordSite here(job, ordered_site());
  const auto number = static_cast<int>(blockIdx.y);
  const CopyWordsOf of(job, number);
  uint4& at = job.d_spins[(std::int64_t{number} * 2 + here.colour) * job.places() + here.place];
  const int copies = of.copies(job);
  std::uint32_t word[4] = {at.x, at.y, at.z, at.w};
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    if constexpr (pack) word[w] = 0;
    for (int bit = 0; bit < 32 && 32 * w + bit < copies; ++bit) {
      std::uint8_t& state = of.states(job, 32 * w + bit)[here.site];
      if constexpr (pack) {
        word[w] |= (state == 0 ? 1U : 0U) << bit;
      } else {
        state = static_cast<std::uint8_t>(~(word[w] >> bit) & 1U);
      }
    }
  }
  if constexpr (pack) at = make_uint4(word[0], word[1], word[2], word[3]);
}

dim3 grid_of(const CopyJob& job, int many) {
  return {static_cast<unsigned>((job.common.sites() + order_threads - 1) / order_threads), static_cast<unsigned>(many)};
}

}  // namespace

void pack_copy_couplings(const CopyJob& job, cudaStream_t stream) {
  launch_kernel("ordering couplings", couplings_kernel, grid_of(job, job.common.tasks), order_threads, 0, stream, job);
}

void pack_copies(const CopyJob& job, cudaStream_t stream) {
  launch_kernel("ordering spins", order_kernel<true>, grid_of(job, job.lattices()), order_threads, 0, stream, job);
}

void unpack_copies(const CopyJob& job, cudaStream_t stream) {
  launch_kernel("ordering spins", order_kernel<false>, grid_of(job, job.lattices()), order_threads, 0, stream, job);
}

}}  // namespace glassworks::cuda
