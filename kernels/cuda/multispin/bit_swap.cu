#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/multispin/bit_swap.hpp"
#include "kernels/cuda/multispin/padded_rows.hpp"
#include "kernels/cuda/multispin/quad_sweep.cuh"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_threads = 1024, most_warps = most_threads / 32;
/// Shared memory of a block that leaves room for two others beside it.
constexpr std::size_t bytes_of_third = 72 * 1024;

/// Lanes of the sites of a word while clusters grow: those in which the copies differ, and those in which the site is
/// in the cluster. A share of the threads of the block works at each word.
struct Growing {
  PaddedRows rows;
  int thread, threads;  ///< of the word
  std::uint32_t *open, *reached;

  /// Words of each of the two.
  [[nodiscard]] GLASSWORKS_HD static int room(const PaddedRows& rows) {
    const int transposed = (rows.sites() + 31) / 32 * 32;
    return rows.places() > transposed ? rows.places() : transposed;
  }
};

/// Sets the seeds of a word: in each lane the site at number `rank` among those that differ, in the order of the
/// lattice. All threads of the block take part. first_lane: of the word in its pack
__device__ void set_seeds(const MultispinBatch& b, const Growing& g, int pack, int first_lane, int place,
                          std::uint64_t move) {
  __shared__ int count[most_warps][32];
  const auto warp_of_block = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = g.thread / 32, warps = g.threads / 32, first_warp = warp_of_block - warp;
  const int groups = (g.rows.sites() + 31) / 32, share = (groups + warps - 1) / warps;
  const int first = min(warp * share, groups), end = min(first + share, groups);
  int own = 0;
#pragma unroll 4
  for (int group = first; group < end; ++group) {  // which of 32 sites differ in the lane of this thread
    const int site = group * 32 + lane;
    const std::uint32_t differing = multispin::transposed(site < g.rows.sites() ? g.open[g.rows.place_of(site)] : 0U);
    g.reached[site] = differing;
    own += __popc(differing);
  }
  count[warp_of_block][lane] = own;
  __syncthreads();
  int before = 0, total = 0;
  for (int other = 0; other < warps; ++other) {
    const int of_other = count[first_warp + other][lane];
    before += other < warp ? of_other : 0;
    total += of_other;
  }
  const int task = b.d_task[pack * b.lanes() + first_lane + lane];
  int rank = -1;  // in the share of this warp; negative: not there
  if (task >= 0 && total > 0) {
    const RandomBlock random = random_block(CurandKey(b.common.key), Stream::isoenergetic, b.common.d_realization[task],
                                            static_cast<std::uint32_t>(place), move, 0);
    rank = static_cast<int>(uniform_below(random.word[0], static_cast<std::uint32_t>(total))) - before;
  }
  int seed = -1;
  for (int group = first; rank >= 0 && rank < own; ++group) {
    std::uint32_t sites = g.reached[group * 32 + lane];
    const int here = __popc(sites);
    if (rank < here) {
      for (; rank > 0; --rank) sites &= sites - 1;
      seed = group * 32 + __ffs(static_cast<int>(sites)) - 1;
      break;
    }
    rank -= here;
    own -= here;
  }
  __syncthreads();
  for (int i = g.thread; i < g.rows.places(); i += g.threads) g.reached[i] = 0;
  __syncthreads();
  if (seed >= 0) atomicOr(&g.reached[g.rows.place_of(seed)], 1U << lane);
  __syncthreads();
}

/// Lanes in which the bond between the sites at coordinates u and u + 1 of a line is absent.
/// d_absent: of a word; stride: of the words of a pack
__device__ std::uint32_t absent_lanes(const PaddedRows& rows, const std::uint32_t* d_absent, int stride, int axis,
                                      int line, int u) {
  Lattice::Coordinates c{};
  rows.for_other_axes(axis, line, [&](int k, int x) { c[static_cast<std::size_t>(k)] = x; });
  c[static_cast<std::size_t>(axis)] = u;
  return d_absent[rows.lattice.bond_place(c, axis) * stride];
}

/// Walks along a line from one end to the other and takes the sites that differ and follow one that is reached. Returns
/// whether there were any.
///
/// first      place of the first one; stride: to the next one, negative on the way back
/// absent(k)  lanes without the bond between steps k - 1 and k
template <bool diluted, class Absent>
__device__ __forceinline__ bool walk(const Growing& g, int first, int L, int stride, const Absent& absent) {
  std::uint32_t carry = g.reached[first + (L - 1) * stride], gained = 0;
  for (int k = 0, at = first; k < L; ++k, at += stride) {
    const std::uint32_t old = g.reached[at];
    if constexpr (diluted) carry &= ~absent(k);
    carry = old | (carry & g.open[at]);
    gained |= carry ^ old;
    if (carry != old) g.reached[at] = carry;
  }
  return gained != 0;
}

/// Grows the clusters of all lanes along the lines of one axis after the other, until none adds a site. A cluster is
/// the same however it grows.
///
/// d_absent  of the word; null: all bonds are there; absent_stride: of the words of a pack
__device__ void grow(const HalfLattice& lattice, const Growing& g, const std::uint32_t* d_absent, int absent_stride) {
  const int L = lattice.L;
  for (int axis = 0, unchanged = 0; unchanged < lattice.dim; axis = axis + 1 < lattice.dim ? axis + 1 : 0) {
    const int stride = g.rows.stride(axis);
    bool grown = false;
    for (int line = g.thread; line < g.rows.lines(); line += g.threads) {
      const int first = g.rows.start_of(axis, line), last = first + (L - 1) * stride;
      if (d_absent == nullptr) {
        const auto none = [](int) { return 0U; };
        grown |= walk<false>(g, first, L, stride, none);
        grown |= walk<false>(g, last, L, -stride, none);
      } else {
        const auto absent = [&](int u) { return absent_lanes(g.rows, d_absent, absent_stride, axis, line, u); };
        grown |= walk<true>(g, first, L, stride, [&](int k) { return absent(k > 0 ? k - 1 : L - 1); });
        grown |= walk<true>(g, last, L, -stride, [&](int k) { return absent(L - 1 - k); });
      }
    }
    unchanged = __syncthreads_or(grown) != 0 ? 0 : unchanged + 1;
  }
}

/// Axes whose lines of differing sites fit into the registers of a thread beside one line of those reached.
template <int L>
constexpr int kept_axes = L >= 32   ? 0
                          : L == 16 ? 2
                                    : 3;

/// The same in d = 3 with a length that the compiler knows and all bonds: lines in registers.
template <int L>
class FixedGrowth {
 public:
  __device__ __forceinline__ explicit FixedGrowth(const Growing& g) : g_(g) {
    keep<0>();
    keep<1>();
    keep<2>();
    for (int unchanged = 0;;) {
      if (pass<0>(unchanged) || pass<1>(unchanged) || pass<2>(unchanged)) return;
    }
  }

 private:
  using Line = std::uint32_t[L];
  static constexpr int kept = kept_axes<L>;

  template <int axis>
  static constexpr int stride = axis == 0   ? 1
                                : axis == 1 ? L + 1
                                            : L*(L + 1);
  /// Place of the first site of a line.
  template <int axis>
  [[nodiscard]] __device__ __forceinline__ static int start(int line) {
    constexpr int near = axis == 0 ? 1 : 0, far = axis == 2 ? 1 : 2;  // the other axes
    return line % L * stride<near> + line / L * stride<far>;
  }
  template <int axis>
  __device__ __forceinline__ static void load(Line& line, const std::uint32_t* first) {
#pragma unroll
    for (int k = 0; k < L; ++k) line[k] = first[k * stride<axis>];
  }
  template <int axis>
  __device__ __forceinline__ void keep() {
    if constexpr (axis < kept) {
      if (g_.thread < L * L) load<axis>(open_[axis], g_.open + start<axis>(g_.thread));
    }
  }
  /// Both ways along a line. Returns whether it gained a site.
  template <int axis>
  __device__ __forceinline__ static bool walk(const Line& open, std::uint32_t* first) {
    Line reached;
    std::uint32_t gained = 0;
    load<axis>(reached, first);
    const auto step = [&](int k, int before) {
      const std::uint32_t now = reached[k] | (reached[before] & open[k]);
      gained |= now ^ reached[k];
      reached[k] = now;
    };
#pragma unroll
    for (int k = 0; k < L; ++k) step(k, k > 0 ? k - 1 : L - 1);
#pragma unroll
    for (int k = L - 1; k >= 0; --k) step(k, k + 1 < L ? k + 1 : 0);
    if (gained == 0) return false;
#pragma unroll
    for (int k = 0; k < L; ++k) first[k * stride<axis>] = reached[k];
    return true;
  }
  /// Returns whether nothing has changed along the last three axes.
  template <int axis>
  __device__ __forceinline__ bool pass(int& unchanged) {
    bool grown = false;
    if constexpr (axis < kept) {
      if (g_.thread < L * L) grown = walk<axis>(open_[axis], g_.reached + start<axis>(g_.thread));
    } else {
      for (int line = g_.thread; line < L * L; line += g_.threads) {
        Line open;
        load<axis>(open, g_.open + start<axis>(line));
        grown |= walk<axis>(open, g_.reached + start<axis>(line));
      }
    }
    unchanged = __syncthreads_or(grown) != 0 ? 0 : unchanged + 1;
    return unchanged == 3;
  }

  const Growing& g_;
  Line open_[kept > 0 ? kept : 1];  ///< of the thread
};

/// Threads of a block: one for each line of its words, in warps of their own, as far as it has them.
constexpr int threads_for(int lines, int words) {
  const int of_word = (lines + 31) / 32 * 32, most = most_threads / words;
  return words * (of_word < most ? of_word : most);
}
/// Blocks that share a multiprocessor: the registers of a thread follow.
template <int fixed_L, int words>
constexpr int threads_of = fixed_L == 0    ? most_threads
                           : fixed_L >= 32 ? most_threads / 2  // lines fill the registers of no more
                                           : threads_for(fixed_L* fixed_L, words);
template <int fixed_L, int words>
constexpr int blocks_of = fixed_L == 0 || fixed_L >= 32 ? 1 : most_threads / threads_of<fixed_L, words>;

/// One move in the lanes of `words` words. Grid: (words of the packs / words, slots, pairs of copies).
///
/// fixed_L    L, where d = 3, all bonds are there and the compiler is to know it, else 0
/// d_scratch  for what does not fit into shared memory; null: all does
template <int fixed_L, int words>
__global__ void __launch_bounds__((threads_of<fixed_L, words>), (blocks_of<fixed_L, words>))
    swap_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, std::uint64_t move_of_step,
                std::uint32_t* d_scratch) {
  using Site = multispin::Words<words>;
  constexpr int at_once = words == 4 ? 2 : 4;  // sites that a thread loads
  extern __shared__ std::uint32_t in_block[];
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
  const auto site_of = [&](std::uint32_t* replica, int i) { return reinterpret_cast<Site*>(replica + i * b.words); };

  const int room = Growing::room(rows);
  std::uint32_t* open = in_block;  // [word], then as many words of sites that are reached
  if ((fixed_L == 0 || fixed_L >= 32) && d_scratch != nullptr) {
    const auto block = blockIdx.x + std::int64_t{gridDim.x} * (blockIdx.y + std::int64_t{gridDim.y} * blockIdx.z);
    open = d_scratch + block * 2 * words * room;
  }
  std::uint32_t* const reached = open + words * room;
#pragma unroll 1
  for (int first = thread; first < rows.sites(); first += at_once * threads) {
    Site here[at_once], there[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (first + k * threads >= rows.sites()) continue;
      here[k] = *site_of(a, first + k * threads);
      there[k] = *site_of(other, first + k * threads);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (first + k * threads >= rows.sites()) continue;
      const int to = rows.place_of_index(first + k * threads);
#pragma unroll
      for (int w = 0; w < words; ++w) open[w * room + to] = here[k].word[w] ^ there[k].word[w];
    }
  }
  __syncthreads();

  const int of_word = threads / words, w = thread / of_word;
  const Growing growing{rows, thread - w * of_word, of_word, open + w * room, reached + w * room};
  set_seeds(b, growing, pack, 32 * (first_word + w), place, move);
  if constexpr (fixed_L > 0) {
    FixedGrowth<fixed_L>{growing};
  } else {
    grow(b.lattice, growing, b.d_absent == nullptr ? nullptr : b.d_absent + pack * b.coupling_words() + first_word + w,
         b.words);
  }

#pragma unroll 1
  for (int first = thread; first < rows.sites(); first += at_once * threads) {
    Site swapped[at_once], spins[2][at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const int i = first + k * threads;
      swapped[k] = {};
      if (i >= rows.sites()) continue;
      const int from = rows.place_of_index(i);
      std::uint32_t any = 0;
#pragma unroll
      for (int w = 0; w < words; ++w) any |= swapped[k].word[w] = reached[w * room + from];
      if (any == 0) continue;
      spins[0][k] = *site_of(a, i);
      spins[1][k] = *site_of(other, i);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      std::uint32_t any = 0;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        any |= swapped[k].word[w];
        spins[0][k].word[w] ^= swapped[k].word[w];
        spins[1][k].word[w] ^= swapped[k].word[w];
      }
      if (any == 0) continue;
      *site_of(a, first + k * threads) = spins[0][k];
      *site_of(other, first + k * threads) = spins[1][k];
    }
  }
}

using SwapKernel = void (*)(MultispinBatch, std::uint64_t, std::uint64_t, std::uint32_t*);

/// How moves are launched.
struct SwapShape {
  int words = 1;  ///< at which a block works
  int threads = 0;
  std::size_t bytes = 0;    ///< of shared memory
  std::size_t scratch = 0;  ///< words of a block in the memory of the device, where shared memory is too small
  SwapKernel kernel = swap_kernel<0, 1>;

  explicit SwapShape(const MultispinBatch& b) {
    const PaddedRows rows(b.lattice);
    const auto of_word = 2 * static_cast<std::size_t>(Growing::room(rows));
    const auto most = static_cast<std::size_t>(current_cuda_device().shared_memory_per_block_bytes);
    for (const int w : {2, 4}) {
      const bool fits = sizeof(std::uint32_t) * of_word * static_cast<std::size_t>(w) <= bytes_of_third;
      if (b.words % w == 0 && fits && w * rows.lines() <= most_threads / 2) words = w;
    }
    threads = threads_for(rows.lines(), words);
    bytes = sizeof(std::uint32_t) * of_word * static_cast<std::size_t>(words);
    if (bytes + most_warps * 32 * sizeof(int) > most) {
      scratch = of_word;
      bytes = 0;
    }
    if (words == 4) kernel = swap_kernel<0, 4>;
    if (words == 2) kernel = swap_kernel<0, 2>;
#if GLASSWORKS_CUDA_ALL_SIZES
    if (b.d_absent != nullptr || b.lattice.dim != 3) return;
    const int L = b.lattice.L;
    if (L == 8) kernel = words == 4 ? swap_kernel<8, 4> : words == 2 ? swap_kernel<8, 2> : swap_kernel<8, 1>;
    if (L == 12) kernel = words == 2 ? swap_kernel<12, 2> : swap_kernel<12, 1>;
    if (L == 16) kernel = words == 2 ? swap_kernel<16, 2> : swap_kernel<16, 1>;
    if (L == 24) kernel = swap_kernel<24, 1>;
    if (L == 32) {
      kernel = swap_kernel<32, 1>;
      threads = threads_of<32, 1>;
    }
#endif
  }
};

/// Pairs of replicas of the first slots at all words, in blocks of `words` of them.
dim3 grid_of(const MultispinBatch& b, int words, int slots) {
  return {static_cast<unsigned>(b.packs * (b.words / words)), static_cast<unsigned>(slots),
          static_cast<unsigned>(b.common.copies / 2)};
}

}  // namespace

std::size_t swap_scratch_words(const MultispinBatch& b) {
  const SwapShape shape(b);
  const dim3 grid = grid_of(b, shape.words, b.common.slots);
  return shape.scratch * grid.x * grid.y * grid.z;
}

void launch_bit_swap(const MultispinBatch& b, std::uint64_t step, int begin, int end, int slots,
                     std::uint32_t* d_scratch, cudaStream_t stream) {
  const SwapShape shape(b);
  allow_shared_memory(shape.kernel, shape.bytes);
  const dim3 grid = grid_of(b, shape.words, slots);
  for (int move = begin; move < end; ++move) {
    launch_overlapped("swapping clusters", shape.kernel, grid, shape.threads, shape.bytes, stream, b, step,
                      static_cast<std::uint64_t>(move), d_scratch);
  }
}

}}  // namespace glassworks::cuda
