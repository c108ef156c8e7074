#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/multispin/bit_swap.hpp"
#include "kernels/cuda/multispin/padded_rows.hpp"
#include "kernels/cuda/multispin/quad_sweep.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_threads = 1024, most_warps = most_threads / 32;
/// Shared memory of a block that leaves room for two others beside it.
constexpr std::size_t bytes_of_third = 72 * 1024;

/// A site while clusters grow: the lanes in which the copies differ, and those in which it is in the cluster.
struct alignas(8) GrowingSite {
  std::uint32_t open, reached;
};

/// Sets the seeds: in each lane the site at number `rank` among those that differ, in the order of the lattice. A share
/// of the warps works at each word.
template <int words>
__device__ void set_seeds(const MultispinBatch& b, GrowingSite* growing, int pack, int first_word, int place,
                          std::uint64_t move) {
  __shared__ int count[most_warps][32];
  const PaddedRows rows(b.lattice);
  const auto thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const int warps = static_cast<int>(blockDim.x) / 32 / words, w = warp / warps, first_warp = w * warps;
  const int groups = (rows.sites() + 31) / 32, share = (groups + warps - 1) / warps;
  const int first = min((warp - first_warp) * share, groups), end = min(first + share, groups);
  growing += w * rows.places();
  const auto differing = [&](int group) {  // which of 32 sites differ in the lane of this thread
    const int site = group * 32 + lane;
    return multispin::transposed(site < rows.sites() ? growing[rows.place_of(site)].open : 0U);
  };
  int own = 0;
  for (int group = first; group < end; ++group) own += __popc(differing(group));
  count[warp][lane] = own;
  __syncthreads();
  int before = 0, total = 0;
  for (int other = first_warp; other < first_warp + warps; ++other) {
    before += other < warp ? count[other][lane] : 0;
    total += count[other][lane];
  }
  const int task = b.d_task[pack * b.lanes() + 32 * (first_word + w) + lane];
  int rank = -1;  // in the share of this warp; negative: not there
  if (task >= 0 && total > 0) {
    const RandomBlock random = random_block(CurandKey(b.common.key), Stream::isoenergetic, b.common.d_realization[task],
                                            static_cast<std::uint32_t>(place), move, 0);
    rank = static_cast<int>(uniform_below(random.word[0], static_cast<std::uint32_t>(total))) - before;
    if (rank >= own) rank = -1;
  }
  for (int group = first; group < end && __any_sync(~0U, rank >= 0); ++group) {
    std::uint32_t sites = differing(group);
    const int here = __popc(sites);
    if (rank >= 0 && rank < here) {
      for (; rank > 0; --rank) sites &= sites - 1;
      const int site = group * 32 + __ffs(static_cast<int>(sites)) - 1;
      atomicOr(&growing[rows.place_of(site)].reached, 1U << lane);
      rank = -1;
    } else {
      rank -= here;  // a negative one stays so
    }
  }
}

/// Lanes in which the bond between the sites at coordinates u and u + 1 of a line is absent.
/// d_absent: of a word; stride: of the words of a pack
__device__ std::uint32_t absent_lanes(const PaddedRows& rows, const std::uint32_t* d_absent, int stride, int axis,
                                      int line, int u) {
  const HalfLattice& g = rows.lattice;
  Lattice::Coordinates c{};
  rows.for_other_axes(axis, line, [&](int k, int x) { c[static_cast<std::size_t>(k)] = x; });
  c[static_cast<std::size_t>(axis)] = u;
  HalfLattice::Place end = g.place_of(c);
  const bool ahead = end.colour == 0;  // a bond stands at its end of colour 0
  if (!ahead) {
    c[static_cast<std::size_t>(axis)] = u + 1 < g.L ? u + 1 : 0;
    end = g.place_of(c);
  }
  const int direction = g.direction(axis, ahead, c[static_cast<std::size_t>(g.dim - 1)]);
  return d_absent[(direction * g.places + end.place) * stride];
}

/// Walks along a line from one end to the other and takes the sites that differ and follow one that is reached. Returns
/// whether there were any.
///
/// site       the first one; stride: to the next one, negative on the way back
/// absent(k)  lanes without the bond between steps k - 1 and k
template <bool diluted, class Absent>
__device__ __forceinline__ bool walk(GrowingSite* site, int L, int stride, const Absent& absent) {
  std::uint32_t carry = site[(L - 1) * stride].reached, gained = 0;
  for (int k = 0; k < L; ++k, site += stride) {
    const GrowingSite old = *site;
    if constexpr (diluted) carry &= ~absent(k);
    carry = old.reached | (carry & old.open);
    gained |= carry ^ old.reached;
    if (carry != old.reached) site->reached = carry;
  }
  return gained != 0;
}

/// Both ways along a line whose length the compiler knows: sites stay in registers.
template <int L>
__device__ __forceinline__ bool walk_both_ways(GrowingSite* first, int stride) {
  GrowingSite old[L];
  std::uint32_t reached[L];
#pragma unroll
  for (int k = 0; k < L; ++k) old[k] = first[k * stride];
  std::uint32_t carry = old[L - 1].reached;
#pragma unroll
  for (int k = 0; k < L; ++k) carry = reached[k] = old[k].reached | (carry & old[k].open);
  carry = reached[0];
  bool grown = false;
#pragma unroll
  for (int k = L - 1; k >= 0; --k) {
    carry = reached[k] | (carry & old[k].open);
    if (carry == old[k].reached) continue;
    first[k * stride].reached = carry;
    grown = true;
  }
  return grown;
}

/// Grows the clusters of all lanes along the lines of one axis after the other, until none adds a site. A cluster is
/// the same however it grows.
///
/// fixed_L   L, where the compiler is to know it, else 0
/// d_absent  of the first word; null: all bonds are there; absent_stride: of the words of a pack
template <int fixed_L, int words>
__device__ void grow(const HalfLattice& g, GrowingSite* growing, const std::uint32_t* d_absent, int absent_stride) {
  const PaddedRows rows(g);
  const int L = g.L, lines = rows.lines();
  for (int axis = 0, unchanged = 0; unchanged < g.dim; axis = axis + 1 < g.dim ? axis + 1 : 0) {
    const int stride = rows.stride(axis);
    bool grown = false;
    for (int item = static_cast<int>(threadIdx.x); item < words * lines; item += static_cast<int>(blockDim.x)) {
      int w = 0, line = item;
      for (; line >= lines; line -= lines) ++w;
      GrowingSite* const first = growing + w * rows.places() + rows.start_of(axis, line);
      if constexpr (fixed_L > 0) {
        grown |= walk_both_ways<fixed_L>(first, stride);
      } else if (d_absent == nullptr) {
        const auto none = [](int) { return 0U; };
        grown |= walk<false>(first, L, stride, none);
        grown |= walk<false>(first + (L - 1) * stride, L, -stride, none);
      } else {
        const auto absent = [&](int u) { return absent_lanes(rows, d_absent + w, absent_stride, axis, line, u); };
        grown |= walk<true>(first, L, stride, [&](int k) { return absent(k > 0 ? k - 1 : L - 1); });
        grown |= walk<true>(first + (L - 1) * stride, L, -stride, [&](int k) { return absent(L - 1 - k); });
      }
    }
    unchanged = __syncthreads_or(grown) != 0 ? 0 : unchanged + 1;
  }
}

/// One for each line of the words of a block, as far as it has them.
constexpr int threads_for(int lines) {
  return lines <= 256 ? 256 : lines > most_threads ? most_threads : (lines + 127) / 128 * 128;
}
/// Lines of 32 sites fill the registers of half as many threads.
template <int fixed_L, int words>
constexpr int most_threads_of = fixed_L == 0    ? most_threads
                                : fixed_L >= 32 ? most_threads / 2
                                                : threads_for(words* fixed_L* fixed_L);

/// One move in the lanes of `words` words. Grid: (words of the packs / words, slots, pairs of copies).
/// d_scratch: for what does not fit into shared memory; null: all does
template <int fixed_L, int words>
__global__ void __launch_bounds__((most_threads_of<fixed_L, words>), 1)
    swap_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, std::uint64_t move_of_step,
                GrowingSite* d_scratch) {
  using Site = multispin::Words<words>;
  extern __shared__ GrowingSite in_block[];
  begin_overlapped();
  const PaddedRows rows(b.lattice);
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), slots = b.common.slots;
  const int of_pack = b.words / words, pack = static_cast<int>(blockIdx.x) / of_pack;
  const int first_word = (static_cast<int>(blockIdx.x) - pack * of_pack) * words, slot = static_cast<int>(blockIdx.y);
  const auto of_step = static_cast<std::uint64_t>(b.common.protocol.sweeps_per_exchange) *
                       static_cast<std::uint64_t>(b.common.protocol.isoenergetic);
  const std::uint64_t move = b.steps_before(pack, step) * of_step + move_of_step;
  const CopyPair copies = isoenergetic_pair(b.common.copies, move, static_cast<int>(blockIdx.z));
  const int place = copies.first * slots + slot;
  std::uint32_t* const a = b.spins_of(pack, place) + first_word;
  std::uint32_t* const other = b.spins_of(pack, copies.second * slots + slot) + first_word;

  GrowingSite* growing = in_block;
  const int places = rows.places();
  if (d_scratch != nullptr) {
    const auto block = blockIdx.x + std::int64_t{gridDim.x} * (blockIdx.y + std::int64_t{gridDim.y} * blockIdx.z);
    growing = d_scratch + block * words * places;
  }
  for (int i = thread; i < rows.sites(); i += threads) {
    const Site here = *reinterpret_cast<const Site*>(a + i * b.words);
    const Site there = *reinterpret_cast<const Site*>(other + i * b.words);
    GrowingSite* const to = growing + rows.place_of_index(i);
#pragma unroll
    for (int w = 0; w < words; ++w) to[w * places] = {here.word[w] ^ there.word[w], 0U};
  }
  __syncthreads();
  set_seeds<words>(b, growing, pack, first_word, place, move);
  __syncthreads();
  grow<fixed_L, words>(b.lattice, growing,
                       b.d_absent == nullptr ? nullptr : b.d_absent + pack * b.coupling_words() + first_word, b.words);
  for (int i = thread; i < rows.sites(); i += threads) {
    const GrowingSite* const from = growing + rows.place_of_index(i);
    std::uint32_t swapped[words], any = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) any |= swapped[w] = from[w * places].reached;
    if (any == 0) continue;
    for (std::uint32_t* const replica : {a, other}) {
      Site& spins = *reinterpret_cast<Site*>(replica + i * b.words);
#pragma unroll
      for (int w = 0; w < words; ++w) spins.word[w] ^= swapped[w];
    }
  }
}

using SwapKernel = void (*)(MultispinBatch, std::uint64_t, std::uint64_t, GrowingSite*);

/// How moves are launched.
struct SwapShape {
  int words = 1;  ///< at which a block works
  int threads = 0;
  std::size_t bytes = 0;    ///< of shared memory
  std::size_t scratch = 0;  ///< sites of a block in the memory of the device, where shared memory is too small
  SwapKernel kernel = nullptr;

  explicit SwapShape(const MultispinBatch& b) {
    int device = 0, most = 0;
    check_cuda(cudaGetDevice(&device), "querying the device");
    check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "querying the device");
    const auto sites = static_cast<std::size_t>(PaddedRows(b.lattice).places());
    for (const int w : {2, 4}) {
      if (b.words % w == 0 && static_cast<std::size_t>(w) * sites * sizeof(GrowingSite) <= bytes_of_third) words = w;
    }
    bytes = static_cast<std::size_t>(words) * sites * sizeof(GrowingSite);
    if (bytes + most_warps * 32 * sizeof(int) > static_cast<std::size_t>(most)) {
      scratch = sites;
      bytes = 0;
    }
    threads = threads_for(words * PaddedRows(b.lattice).lines());
    kernel = words == 4 ? swap_kernel<0, 4> : words == 2 ? swap_kernel<0, 2> : swap_kernel<0, 1>;
#if GLASSWORKS_CUDA_ALL_SIZES
    if (b.d_absent != nullptr || b.lattice.dim != 3) return;
    const int L = b.lattice.L;
    if (L == 8) kernel = words == 4 ? swap_kernel<8, 4> : words == 2 ? swap_kernel<8, 2> : swap_kernel<8, 1>;
    if (L == 12) kernel = words == 4 ? swap_kernel<12, 4> : words == 2 ? swap_kernel<12, 2> : swap_kernel<12, 1>;
    if (L == 16) kernel = words == 2 ? swap_kernel<16, 2> : swap_kernel<16, 1>;
    if (L == 24) kernel = swap_kernel<24, 1>;
    if (L == 32) {
      kernel = swap_kernel<32, 1>;
      threads = most_threads_of<32, 1>;
    }
#endif
  }
};

/// Pairs of replicas at all words, in blocks of `words` of them.
dim3 grid_of(const MultispinBatch& b, int words) {
  return {static_cast<unsigned>(b.packs * (b.words / words)), static_cast<unsigned>(b.common.slots),
          static_cast<unsigned>(b.common.copies / 2)};
}

}  // namespace

std::size_t swap_scratch_words(const MultispinBatch& b) {
  const SwapShape shape(b);
  const dim3 grid = grid_of(b, shape.words);
  return shape.scratch * sizeof(GrowingSite) / sizeof(std::uint32_t) * grid.x * grid.y * grid.z;
}

void launch_bit_swap(const MultispinBatch& b, std::uint64_t step, int begin, int end, int slots,
                     std::uint32_t* d_scratch, cudaStream_t stream) {
  const SwapShape shape(b);
  allow_shared_memory(shape.kernel, shape.bytes);
  dim3 grid = grid_of(b, shape.words);
  grid.y = static_cast<unsigned>(slots);
  for (int move = begin; move < end; ++move) {
    launch_overlapped("swapping clusters", shape.kernel, grid, shape.threads, shape.bytes, stream, b, step,
                      static_cast<std::uint64_t>(move), reinterpret_cast<GrowingSite*>(d_scratch));
  }
}

}}  // namespace glassworks::cuda
