#include <algorithm>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/copies/copy_series.hpp"
#include "kernels/cuda/multispin/copies/word_site.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int series_threads = 256, lanes_of_warp = 32, warps = series_threads / lanes_of_warp, copies_of_group = 128,
              words_of_four = 4;

__device__ uint4 both(const uint4& a, const uint4& b) { return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w); }
__device__ uint4 different(const uint4& a, const uint4& b) {
  return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}
__device__ int ones(const uint4& a) { return __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w); }

__device__ std::int64_t site_of_thread() { return std::int64_t{blockIdx.x} * series_threads + threadIdx.x; }

/// Grid: (sites, groups), here and below.
__global__ void __launch_bounds__(series_threads)
    spins_kernel(const __grid_constant__ CopyJob job, const __grid_constant__ CopySlot slot, uint4* d_spins) {
  const std::int64_t site = site_of_thread();
  if (site >= job.common.sites()) return;
  const WordSite here(job, site);
  const auto group = static_cast<int>(blockIdx.y);
  const std::int64_t number = (std::int64_t{slot.task} * job.groups + group) * job.common.slots + slot.slot;
  d_spins[group * job.common.sites() + site] =
      both(job.d_spins[(number * 2 + here.colour) * job.places() + here.place], slot.copies.of_group[group]);
}

/// The bits of the copies at one site.
class CopiesAt {
 public:
  __device__ CopiesAt(const uint4* field, std::int64_t site, std::int64_t sites, int copies)
      : field_(reinterpret_cast<const std::uint32_t*>(field + site)), stride_(words_of_four * sites), copies_(copies) {}

  /// 32 bits from copy `first` on, 0 <= first < copies; copy 0 follows the last one.
  [[nodiscard]] __device__ std::uint32_t from(int first) const {
    const int left = copies_ - first;
    std::uint32_t bits = __funnelshift_r(word(first / 32), word(first / 32 + 1), static_cast<unsigned>(first % 32));
    if (left < 32) bits = (bits & ((1U << left) - 1)) | word(0) << left;
    return bits;
  }

 private:
  [[nodiscard]] __device__ std::uint32_t word(int i) const {
    return 32 * i < copies_ ? field_[i / words_of_four * stride_ + i % words_of_four] : 0U;
  }

  const std::uint32_t* field_;
  std::int64_t stride_;
  int copies_;
};

__global__ void __launch_bounds__(series_threads)
    ring_kernel(const __grid_constant__ CopyJob job, const uint4* d_spins, int distance,
                const __grid_constant__ CopyMask mask, uint4* d_overlaps) {
  const std::int64_t site = site_of_thread(), sites = job.common.sites();
  if (site >= sites) return;
  const int group = static_cast<int>(blockIdx.y), copies = job.common.copies;
  const CopiesAt at(d_spins, site, sites, copies);
  std::uint32_t partner[words_of_four];
#pragma unroll
  for (int w = 0; w < words_of_four; ++w) {
    const int first = copies_of_group * group + 32 * w;
    partner[w] = first < copies ? at.from((first + distance) % copies) : 0U;
  }
  const std::int64_t i = group * sites + site;
  d_overlaps[i] =
      both(different(d_spins[i], make_uint4(partner[0], partner[1], partner[2], partner[3])), mask.of_group[group]);
}

__global__ void __launch_bounds__(series_threads)
    kept_kernel(const __grid_constant__ CopyJob job, const __grid_constant__ CopySlot slot, const uint4* d_spins,
                const std::uint64_t* d_kept, uint4* d_overlaps) {
  const std::int64_t site = site_of_thread(), sites = job.common.sites();
  if (site >= sites) return;
  const int group = static_cast<int>(blockIdx.y);
  std::uint32_t up[words_of_four];
#pragma unroll
  for (int w = 0; w < words_of_four; ++w) {
    up[w] = 0;
    const int first = copies_of_group * group + 32 * w, count = min(32, job.common.copies - first);
    for (int bit = 0; bit < count; ++bit) {
      const std::int64_t at = (std::int64_t{first + bit} * job.common.slots + slot.slot) * sites + site;
      up[w] |= static_cast<std::uint32_t>(d_kept[at / 64] >> (at % 64) & 1U) << bit;
    }
  }
  const std::int64_t i = group * sites + site;
  d_overlaps[i] = both(different(d_spins[i], make_uint4(~up[0], ~up[1], ~up[2], ~up[3])), slot.copies.of_group[group]);
}

constexpr int rows_of_block = 8 * warps;

/// A row at a displacement, r of the steps of a direction.
__device__ int row_at(const Lattice& lattice, int row, const std::array<signed char, Lattice::max_dim>& step, int r) {
  int other = 0;
  for (int axis = 1, stride = 1, rest = row; axis < lattice.dim; ++axis) {
    int c = rest % lattice.L + r * step[static_cast<std::size_t>(axis)];
    rest /= lattice.L;
    c += c < 0 ? lattice.L : c >= lattice.L ? -lattice.L : 0;
    other += stride * c;
    stride *= lattice.L;
  }
  return other;
}

/// Grid: (rows, directions times L/2). Cost: two reads of 16 bytes for a displacement and 128 copies.
__global__ void __launch_bounds__(series_threads)
    lag_kernel(const __grid_constant__ CopyJob job, const uint4* d_field,
               const __grid_constant__ CopyDirections directions, unsigned long long* d_different) {
  const Lattice& lattice = job.common.lattice;
  const int L = lattice.L, lags = L / 2, r = static_cast<int>(blockIdx.y) % lags + 1;
  const auto& step = directions.step[blockIdx.y / static_cast<unsigned>(lags)];
  const int lane = static_cast<int>(threadIdx.x) % lanes_of_warp, first = static_cast<int>(blockIdx.x) * rows_of_block;
  const int end = min(first + rows_of_block, job.rows), dx = r * step[0];
  unsigned long long count = 0;
  for (int row = first + static_cast<int>(threadIdx.x) / lanes_of_warp; row < end; row += warps) {
    const int other = row_at(lattice, row, step, r);
    unsigned of_row = 0;
    for (int group = 0; group < job.groups; ++group) {
      const uint4* const a = d_field + group * job.common.sites() + std::int64_t{row} * L;
      const uint4* const b = d_field + group * job.common.sites() + std::int64_t{other} * L;
      for (int x = lane; x < L; x += lanes_of_warp) {
        int y = x + dx;
        y += y < 0 ? L : y >= L ? -L : 0;
        of_row += static_cast<unsigned>(ones(different(a[x], b[y])));
      }
    }
    count += of_row;
  }
  for (int i = lanes_of_warp / 2; i > 0; i /= 2) count += __shfl_xor_sync(~0U, count, i);
  if (lane == 0) atomicAdd(d_different + blockIdx.y, count);
}

/// Numbers of ones of 32 copies of each of four words, over the sites that the lanes of a warp bring: lane i counts
/// copy i of each word.
struct CopyCounts {
  std::uint32_t of_word[words_of_four] = {};

  /// By all lanes together.
  __device__ void add(const uint4& bits) {
    const std::uint32_t word[words_of_four] = {bits.x, bits.y, bits.z, bits.w};
    const unsigned lane = threadIdx.x % lanes_of_warp;
#pragma unroll
    for (int w = 0; w < words_of_four; ++w) {
      std::uint32_t mine = 0;
#pragma unroll
      for (unsigned copy = 0; copy < 32; ++copy) {
        const unsigned of_copy = __ballot_sync(~0U, (word[w] >> copy & 1U) != 0);
        if (lane == copy) mine = of_copy;
      }
      of_word[w] += static_cast<std::uint32_t>(__popc(mine));
    }
  }
  /// Adds those of all warps to shared memory [copies_of_group], which is 0.
  __device__ void gather(std::uint32_t* shared) const {
#pragma unroll
    for (int w = 0; w < words_of_four; ++w) atomicAdd(shared + 32 * w + threadIdx.x % lanes_of_warp, of_word[w]);
    __syncthreads();
  }
};

__device__ void clear_counts(std::uint32_t* shared) {
  for (unsigned i = threadIdx.x; i < copies_of_group; i += series_threads) shared[i] = 0;
  __syncthreads();
}

/// Grid: (planes of all axes, groups).
__global__ void __launch_bounds__(series_threads)
    plane_kernel(const __grid_constant__ CopyJob job, const uint4* d_field, std::uint32_t* d_counts) {
  __shared__ std::uint32_t shared[copies_of_group];
  clear_counts(shared);
  const Lattice& lattice = job.common.lattice;
  const int L = lattice.L, axis = static_cast<int>(blockIdx.x) / L, coordinate = static_cast<int>(blockIdx.x) % L;
  const std::int64_t sites = job.common.sites();
  std::int64_t stride = 1;
  for (int i = 0; i < axis; ++i) stride *= L;
  const uint4* const field = d_field + blockIdx.y * sites;
  const int of_plane = static_cast<int>(sites / L);
  CopyCounts counts;
  for (int first = static_cast<int>(threadIdx.x) / lanes_of_warp * lanes_of_warp; first < of_plane;
       first += series_threads) {
    const int i = first + static_cast<int>(threadIdx.x) % lanes_of_warp;
    const std::int64_t site = i / stride * stride * L + coordinate * stride + i % stride;
    counts.add(i < of_plane ? field[site] : make_uint4(0, 0, 0, 0));
  }
  counts.gather(shared);
  for (unsigned copy = threadIdx.x; copy < copies_of_group; copy += series_threads) {
    d_counts[(std::int64_t{blockIdx.y} * copies_of_group + copy) * gridDim.x + blockIdx.x] = shared[copy];
  }
}

/// Grid: (rows, groups).
__global__ void __launch_bounds__(series_threads)
    broken_kernel(const __grid_constant__ CopyJob job, const __grid_constant__ CopySlot slot, const uint4* d_spins,
                  unsigned long long* d_broken) {
  __shared__ std::uint32_t shared[copies_of_group];
  clear_counts(shared);
  const Lattice& lattice = job.common.lattice;
  const int L = lattice.L, lane = static_cast<int>(threadIdx.x) % lanes_of_warp;
  const int first = static_cast<int>(blockIdx.x) * rows_of_block, end = min(first + rows_of_block, job.rows);
  const uint4* const spins = d_spins + blockIdx.y * job.common.sites();
  CopyCounts counts;
  for (int row = first + static_cast<int>(threadIdx.x) / lanes_of_warp; row < end; row += warps) {
    for (int x_0 = 0; x_0 < L; x_0 += lanes_of_warp) {
      const int x = x_0 + lane;
      const std::int64_t site = std::int64_t{row} * L + min(x, L - 1);
      const WordSite here(job, site);
      const uint4 s = spins[site];
      const unsigned J = job.d_negative[(2 * slot.task + here.colour) * job.places() + here.place];
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const std::int64_t other =
            axis == 0 ? std::int64_t{row} * L + (x + 1 >= L ? 0 : x + 1)
                      : std::int64_t{job.d_row_neighbour[(row * (lattice.dim - 1) + axis - 1) * 2]} * L + min(x, L - 1);
        const uint4 n = spins[other];
        const std::uint32_t negative = 0U - (J >> (2 * axis) & 1U);
        const uint4 broken = both(different(different(s, n), make_uint4(negative, negative, negative, negative)),
                                  slot.copies.of_group[blockIdx.y]);
        counts.add(x < L ? broken : make_uint4(0, 0, 0, 0));
      }
    }
  }
  counts.gather(shared);
  for (unsigned copy = threadIdx.x; copy < copies_of_group; copy += series_threads) {
    atomicAdd(d_broken + blockIdx.y * copies_of_group + copy, static_cast<unsigned long long>(shared[copy]));
  }
}

dim3 sites_grid(const CopyJob& job) {
  return {static_cast<unsigned>((job.common.sites() + series_threads - 1) / series_threads),
          static_cast<unsigned>(job.groups)};
}
unsigned row_blocks(const CopyJob& job) {
  return static_cast<unsigned>((job.rows + rows_of_block - 1) / rows_of_block);
}

}  // namespace

void launch_spins_of_slot(const CopyJob& job, const CopySlot& slot, CopyField d_spins, cudaStream_t stream) {
  launch_kernel("ordering spins", spins_kernel, sites_grid(job), series_threads, 0, stream, job, slot, d_spins);
}

void launch_ring_overlaps(const CopyJob& job, const uint4* d_spins, int distance, const CopyMask& mask,
                          CopyField d_overlaps, cudaStream_t stream) {
  launch_kernel("forming overlaps", ring_kernel, sites_grid(job), series_threads, 0, stream, job, d_spins, distance,
                mask, d_overlaps);
}

void launch_kept_overlaps(const CopyJob& job, const CopySlot& slot, const uint4* d_spins, const std::uint64_t* d_kept,
                          CopyField d_overlaps, cudaStream_t stream) {
  launch_kernel("forming overlaps", kept_kernel, sites_grid(job), series_threads, 0, stream, job, slot, d_spins, d_kept,
                d_overlaps);
}

void launch_lag_counts(const CopyJob& job, const uint4* d_field, const CopyDirections& directions,
                       unsigned long long* d_different, cudaStream_t stream) {
  const dim3 grid(row_blocks(job), static_cast<unsigned>(directions.count * (job.common.lattice.L / 2)));
  launch_kernel("measuring correlations", lag_kernel, grid, series_threads, 0, stream, job, d_field, directions,
                d_different);
}

void launch_plane_counts(const CopyJob& job, const uint4* d_field, std::uint32_t* d_counts, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(job.common.lattice.dim * job.common.lattice.L),
                  static_cast<unsigned>(job.groups));
  launch_kernel("measuring planes", plane_kernel, grid, series_threads, 0, stream, job, d_field, d_counts);
}

void launch_broken_bonds(const CopyJob& job, const CopySlot& slot, const uint4* d_spins, unsigned long long* d_broken,
                         cudaStream_t stream) {
  const dim3 grid(row_blocks(job), static_cast<unsigned>(job.groups));
  launch_kernel("measuring energies", broken_kernel, grid, series_threads, 0, stream, job, slot, d_spins, d_broken);
}

}}  // namespace glassworks::cuda
