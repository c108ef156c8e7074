#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/multispin/bit_swap.hpp"
#include "kernels/cuda/multispin/quad_sweep.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int swap_threads = 256, swap_warps = swap_threads / 32;

/// The word of two replicas at which a block works, and what of it is in the cluster [colour][place].
struct WordPair {
  std::uint32_t *a, *b;
  int stride;  ///< words of a site
  std::uint32_t* reached;

  [[nodiscard]] __device__ __forceinline__ std::uint32_t differing(int site) const {
    return a[site * stride] ^ b[site * stride];
  }
};

/// The sites of the lattice in their natural order, 32 at a time, for a warp: the share of warp `warp` of a block.
struct NaturalOrder {
  const MultispinBatch& batch;
  int first, end;

  __device__ NaturalOrder(const MultispinBatch& b, int warp) : batch(b) {
    const int groups = static_cast<int>((b.common.sites() + 31) / 32), share = (groups + swap_warps - 1) / swap_warps;
    first = min(warp * share, groups);
    end = min(first + share, groups);
  }
  /// Index of a site in [colour][place].
  [[nodiscard]] __device__ int index_of(std::int64_t site) const {
    const HalfLattice::Place at = batch.lattice.place_of(batch.common.lattice.coordinates(site));
    return at.colour * batch.lattice.places + at.place;
  }
  /// Which of the 32 sites of a group differ in the lane of this thread.
  [[nodiscard]] __device__ std::uint32_t differing(const WordPair& pair, int group) const {
    const std::int64_t site = std::int64_t{group} * 32 + (threadIdx.x & 31U);
    return multispin::transposed(site < batch.common.sites() ? pair.differing(index_of(site)) : 0U);
  }
};

/// Sets the seeds: in each lane the site at number `rank` among those that differ, in the order of the lattice.
__device__ void set_seeds(const MultispinBatch& b, const WordPair& pair, int pack, int lane_of_pack, int place,
                          std::uint64_t move, int (&count)[swap_warps][32]) {
  const auto thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const NaturalOrder order(b, warp);
  int own = 0;
  for (int group = order.first; group < order.end; ++group) own += __popc(order.differing(pair, group));
  count[warp][lane] = own;
  __syncthreads();
  int before = 0, total = 0;
  for (int w = 0; w < swap_warps; ++w) {
    before += w < warp ? count[w][lane] : 0;
    total += count[w][lane];
  }
  const int task = b.d_task[pack * b.lanes() + lane_of_pack + lane];
  int rank = -1;  // in the share of this warp; negative: not there
  if (task >= 0 && total > 0) {
    const RandomBlock random = random_block(CurandKey(b.common.key), Stream::isoenergetic, b.common.d_realization[task],
                                            static_cast<std::uint32_t>(place), move, 0);
    rank = static_cast<int>(uniform_below(random.word[0], static_cast<std::uint32_t>(total))) - before;
    if (rank >= own) rank = -1;
  }
  for (int group = order.first; group < order.end && __any_sync(~0U, rank >= 0); ++group) {
    std::uint32_t sites = order.differing(pair, group);
    const int here = __popc(sites);
    if (rank >= 0 && rank < here) {
      for (; rank > 0; --rank) sites &= sites - 1;
      atomicOr(pair.reached + order.index_of(std::int64_t{group} * 32 + __ffs(static_cast<int>(sites)) - 1),
               1U << lane);
      rank = -1;
    } else {
      rank -= here;  // a negative one stays so
    }
  }
}

/// Takes the sites of a colour of a quad that differ and have a neighbour that is reached; returns whether any did.
template <int d, int colour>
__device__ __forceinline__ bool grow(const HalfLattice& g, const Quad& quad, const WordPair& pair,
                                     const std::uint32_t* absent) {
  constexpr int z = 2 * d;
  bool grown = false;
  for (int i = 0; i < quad.count; ++i) {
    const int at = colour * g.places + quad.base + i * g.plane;
    const std::uint32_t old = pair.reached[at], open = pair.differing(at) & ~old;
    if (open == 0) continue;
    std::uint32_t near = 0;
#pragma unroll
    for (int k = 0; k < z; ++k) {
      std::uint32_t x = pair.reached[(1 - colour) * g.places + quad.neighbour<z>(i, colour, k, g.plane)];
      if (absent != nullptr) x &= ~absent[multispin::coupling_place<z, colour>(g, quad, i, k) * pair.stride];
      near |= x;
    }
    if ((near & open) == 0) continue;
    pair.reached[at] = old | (near & open);
    grown = true;
  }
  return grown;
}

/// One move in 32 lanes. Grid: (slots of the packs, pairs of copies, words). Deterministic: a cluster is the same
/// however it grows.
template <int d>
__global__ void __launch_bounds__(swap_threads)
    swap_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, std::uint64_t move_of_step,
                std::uint32_t* d_scratch) {
  extern __shared__ std::uint32_t in_block[];
  __shared__ int count[swap_warps][32];
  begin_overlapped();
  const HalfLattice& g = b.lattice;
  const auto thread = static_cast<int>(threadIdx.x), sites = 2 * g.places, slots = b.common.slots;
  const auto unit = static_cast<int>(blockIdx.x), word = static_cast<int>(blockIdx.z);
  const int pack = unit / slots, slot = unit - pack * slots;
  const auto of_step = static_cast<std::uint64_t>(b.common.protocol.sweeps_per_exchange) *
                       static_cast<std::uint64_t>(b.common.protocol.isoenergetic);
  const std::uint64_t move = b.steps_before(pack, step) * of_step + move_of_step;
  const CopyPair copies = isoenergetic_pair(b.common.copies, move, static_cast<int>(blockIdx.y));
  const int place = copies.first * slots + slot;
  WordPair pair{b.spins_of(pack, place) + word, b.spins_of(pack, copies.second * slots + slot) + word, b.words,
                in_block};
  if (d_scratch != nullptr) {
    const std::int64_t block = (std::int64_t{unit} * gridDim.y + blockIdx.y) * b.words + word;
    pair.reached = d_scratch + block * sites;
  }
  for (int i = thread; i < sites; i += swap_threads) pair.reached[i] = 0;
  set_seeds(b, pair, pack, 32 * word, place, move, count);
  const std::uint32_t* const absent = b.d_absent == nullptr ? nullptr : b.d_absent + pack * b.coupling_words() + word;
  bool grown = true;
  while (__syncthreads_or(grown)) {
    grown = false;
    for (int q = thread; q < g.quads; q += swap_threads) {
      const Quad quad = quad_of<d>(g, q);
      grown |= grow<d, 0>(g, quad, pair, absent);
      grown |= grow<d, 1>(g, quad, pair, absent);
    }
  }
  for (int i = thread; i < sites; i += swap_threads) {
    const std::uint32_t cluster = pair.reached[i];
    if (cluster == 0) continue;
    pair.a[i * pair.stride] ^= cluster;
    pair.b[i * pair.stride] ^= cluster;
  }
}

using SwapKernel = void (*)(MultispinBatch, std::uint64_t, std::uint64_t, std::uint32_t*);
SwapKernel swap_kernel_of(int dim) { return dim == 2 ? swap_kernel<2> : dim == 3 ? swap_kernel<3> : swap_kernel<4>; }

std::size_t bytes_of_cluster(const MultispinBatch& b) {
  return 2 * static_cast<std::size_t>(b.lattice.places) * sizeof(std::uint32_t);
}

/// What is left for a cluster beside the static shared memory of the kernel.
std::size_t most_bytes_in_block() {
  int device = 0, bytes = 0;
  check_cuda(cudaGetDevice(&device), "querying the device");
  check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "querying the device");
  return static_cast<std::size_t>(bytes) - swap_warps * 32 * sizeof(int);
}

}  // namespace

std::size_t swap_scratch_words(const MultispinBatch& b) {
  if (bytes_of_cluster(b) <= most_bytes_in_block()) return 0;
  return bytes_of_cluster(b) / sizeof(std::uint32_t) * static_cast<std::size_t>(b.packs) *
         static_cast<std::size_t>(b.common.slots) * static_cast<std::size_t>(b.common.copies / 2) *
         static_cast<std::size_t>(b.words);
}

void launch_bit_swap(const MultispinBatch& b, std::uint64_t step, int begin, int end, std::uint32_t* d_scratch,
                     cudaStream_t stream) {
  const SwapKernel kernel = swap_kernel_of(b.lattice.dim);
  const std::size_t bytes = d_scratch == nullptr ? bytes_of_cluster(b) : 0;
  allow_shared_memory(kernel, bytes);
  const dim3 grid(static_cast<unsigned>(b.packs * b.common.slots), static_cast<unsigned>(b.common.copies / 2),
                  static_cast<unsigned>(b.words));
  for (int move = begin; move < end; ++move) {
    launch_overlapped("swapping clusters", kernel, grid, swap_threads, bytes, stream, b, step,
                      static_cast<std::uint64_t>(move), d_scratch);
  }
}

}}  // namespace glassworks::cuda
