#include "kernels/core/addresses.hpp"
#include "kernels/core/bit_sums.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/copies/copy_job.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int threads = 128, sites_of_quad = 4, words = 4, warp = 32;
/// From one word of the quads to the next: the two sites of a quad that are read together lie in other banks.
constexpr int word_stride = threads + 2;

struct Plain {};
using Sums = BitSums<std::uint32_t, Plain>;

/// Who draws: a quad of one replica in a half-sweep.
struct QuadNumbers {
  const PhiloxRoundKeys& key;
  std::uint32_t realization, replica, quad, blocks;
  std::uint64_t half_sweep;

  [[nodiscard]] __device__ RandomBlock block(std::uint32_t part) const {
    return random_block(key, Stream::multispin, realization, replica, half_sweep, part * blocks + quad);
  }
};

/// The levels of the quads of a block (CopyLevels) in shared memory, where the place of a mark can be addressed: bits
/// of the number of the level [bit][word: place / 32][thread of the quad].
template <int levels>
class LevelBits {
 public:
  static constexpr int bits = levels < 4 ? 2 : 3, words_of_quad = sites_of_quad * words,
                       size = bits * words_of_quad * word_stride;

  __device__ explicit LevelBits(std::uint32_t* shared) : shared_(shared), own_(shared + threadIdx.x) {}

  /// Draws the levels of the quad of this thread. returns whether there are any above 1; else bits above 0 are not set
  __device__ bool draw(const CopyLevels& of_slot, const QuadNumbers& numbers) {
    if (of_slot.marks) return draw_marks(of_slot, numbers);
    for (std::uint32_t site = 0; site < sites_of_quad; ++site) draw_digits(of_slot, numbers, site);
    return true;
  }
  /// Bit k of the levels of 32 copies, of a site of the quad of a thread.
  [[nodiscard]] __device__ std::uint32_t at(int k, int site, int word, int thread) const {
    return shared_[(k * words_of_quad + site * words + word) * word_stride + thread];
  }
  /// Lanes whose level is at least k + 1, from the bits.
  [[nodiscard]] static __device__ std::uint32_t at_least(int k, const std::uint32_t (&bit)[bits]) {
    if constexpr (bits == 2) return k == 0 ? bit[0] | bit[1] : k == 1 ? bit[1] : bit[0] & bit[1];
    const std::uint32_t four = bit[bits - 1];
    return k == 0 ? bit[0] | bit[1] | four : k == 1 ? bit[1] | four : k == 2 ? (bit[0] & bit[1]) | four : four;
  }

 private:
  [[nodiscard]] __device__ std::uint32_t& word_at(int k, std::uint32_t word) {
    return own_[(static_cast<std::uint32_t>(k * words_of_quad) + word) * word_stride];
  }
  __device__ void clear(int first, int end) {
    for (int k = first; k < end; ++k) {
#pragma unroll
      for (std::uint32_t word = 0; word < words_of_quad; ++word) word_at(k, word) = 0;
    }
  }
  /// A mark of level 1, before any higher one.
  __device__ void mark(std::uint32_t place) { word_at(0, place / 32) |= 1U << place % 32; }
  /// Raises the level at a place.
  __device__ void raise(std::uint32_t place, int level) {
    int before = 0;
    for (int k = 0; k < bits; ++k) before |= static_cast<int>(word_at(k, place / 32) >> place % 32 & 1U) << k;
    if (level <= before) return;
    for (int k = 0; k < bits; ++k) {
      word_at(k, place / 32) ^= static_cast<std::uint32_t>((before ^ level) >> k & 1) << place % 32;
    }
  }

  /// The marks m, m + 1, ... whose places are in one word of random bits (CopyAddress::of_mark). returns whether there
  /// may be more
  __device__ bool marks_of_word(const CopyLevels& of_slot, std::uint32_t number, int m, std::uint32_t places) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      if (m + i >= of_slot.more_count || number < of_slot.more[m + i]) return false;
      mark(places >> (23 - 9 * i) & (CopyAddress::places - 1));
    }
    return true;
  }

  __device__ bool draw_marks(const CopyLevels& of_slot, const QuadNumbers& from) {
    clear(0, 1);
    const RandomBlock numbers = from.block(0);
    if (marks_of_word(of_slot, numbers.word[0], 0, numbers.word[2]) &&
        marks_of_word(of_slot, numbers.word[0], 3, numbers.word[3])) {
      int m = 6;
      for (bool more = true; more && m < of_slot.more_count && numbers.word[0] >= of_slot.more[m]; m += 12) {
        const RandomBlock later = from.block(CopyAddress::of_mark(static_cast<std::uint32_t>(m)).part);
        more = marks_of_word(of_slot, numbers.word[0], m, later.word[0]) &&
               marks_of_word(of_slot, numbers.word[0], m + 3, later.word[1]) &&
               marks_of_word(of_slot, numbers.word[0], m + 6, later.word[2]) &&
               marks_of_word(of_slot, numbers.word[0], m + 9, later.word[3]);
      }
    }
    if (of_slot.more_higher_count == 0 || numbers.word[1] < of_slot.more_higher[0]) return false;
    clear(1, bits);
    for (int m = 0; m < of_slot.more_higher_count && numbers.word[1] >= of_slot.more_higher[m]; ++m) {
      const RandomBlock mark = from.block(CopyAddress::higher_mark(static_cast<std::uint32_t>(m)));
      int level = 2;
      while (level < levels && mark.word[1] < of_slot.higher[level]) ++level;
      raise(mark.word[0] >> 23, level);
    }
    return true;
  }

  /// U < P_k digit by digit, until that is decided in all copies.
  __device__ void draw_digits(const CopyLevels& of_slot, const QuadNumbers& from, std::uint32_t site) {
    std::uint32_t below[levels][words] = {}, equal[levels][words];
#pragma unroll
    for (int k = 0; k < levels; ++k) {
#pragma unroll
      for (int w = 0; w < words; ++w) equal[k][w] = ~0U;
    }
    std::uint32_t open = ~0U;
    for (std::uint32_t digit = 0; digit < CopyAddress::digits && open != 0; ++digit) {
      const RandomBlock u = from.block(CopyAddress::digit(digit, site));
      open = 0;
#pragma unroll
      for (int k = 0; k < levels; ++k) {
        const bool one = (of_slot.probability[k] >> (31 - digit) & 1U) != 0;
#pragma unroll
        for (int w = 0; w < words; ++w) {
          if (one) below[k][w] |= equal[k][w] & ~u.word[w];
          equal[k][w] &= one ? u.word[w] : ~u.word[w];
          open |= equal[k][w];
        }
      }
    }
    // Each condition implies the one before: bit 0 of the level is 1 where an odd number of them holds, and so on.
#pragma unroll
    for (int w = 0; w < words; ++w) {
      std::uint32_t low = below[0][w] ^ below[1][w], high = below[1][w];
      if constexpr (levels > 2) low ^= below[2][w];
      if constexpr (levels > 3) {
        low ^= below[3][w];
        high ^= below[3][w];
        word_at(2, site * words + static_cast<std::uint32_t>(w)) = below[3][w];
      }
      word_at(0, site * words + static_cast<std::uint32_t>(w)) = low;
      word_at(1, site * words + static_cast<std::uint32_t>(w)) = high;
    }
  }

  std::uint32_t *shared_, *own_;
};

__device__ __forceinline__ std::uint32_t word_of(const uint4& four, int w) {
  return w == 0 ? four.x : w == 1 ? four.y : w == 2 ? four.z : four.w;
}

/// What two rows of a quad share.
struct RowPair {
  int row, first_x, parity;  ///< the lower row; x of the first site of the quad; colour of that row at x = 0

  template <int dim>
  static __device__ RowPair of(const CopyJob& job, std::uint32_t quad) {
    unsigned of_row = quad;
    const int pair = job.quads_of_row.divide(of_row);
    int row = 2 * pair;  // two rows that follow each other along the last axis
    if constexpr (dim > 2) {
      auto of_layer = static_cast<unsigned>(pair);
      row = pair + job.rows_of_layer.divide(of_layer) * static_cast<int>(job.rows_of_layer.value);
    }
    return {row, sites_of_quad * static_cast<int>(of_row), job.d_row_parity[row]};
  }
};

/// A site of 128 copies in a half-sweep, by Metropolis or, if `drawn`, heat bath. higher: whether the quad may have
/// levels above 1
template <int dim, bool drawn, bool higher>
__device__ __forceinline__ void update_site(const CopyJob& job, const LevelBits<dim>& levels,
                                            const QuadNumbers& numbers, uint4* own, const uint4* other,
                                            const std::uint8_t* negative, int row, int x, int site, int thread,
                                            bool has_higher) {
  constexpr int z = 2 * dim, bits = LevelBits<dim>::bits;
  const int L = job.common.lattice.L, across = L / 2, start = row * across, at = start + x / 2;
  uint4 neighbour[z];
  neighbour[0] = other[start + (x + 1 == L ? 0 : x + 1) / 2];
  neighbour[1] = other[start + (x == 0 ? L - 1 : x - 1) / 2];
#pragma unroll
  for (int k = 2; k < z; ++k) neighbour[k] = other[job.d_row_neighbour[row * (z - 2) + k - 2] * across + x / 2];
  const auto J = static_cast<int>(negative[at]);
  uint4 s = own[at];
  if constexpr (drawn) {
    const RandomBlock spins = numbers.block(CopyAddress::spins(static_cast<std::uint32_t>(site)));
    s = make_uint4(spins.word[0], spins.word[1], spins.word[2], spins.word[3]);
  }
  std::uint32_t after[words];
#pragma unroll
  for (int w = 0; w < words; ++w) {
    std::uint32_t unsatisfied[z], holds[dim] = {}, passed[Sums::half_word_count<z>], bit[bits] = {};
#pragma unroll
    for (int k = 0; k < z; ++k) {
      const auto negated = static_cast<std::uint32_t>(J << (31 - k) >> 31);
      unsatisfied[k] = word_of(s, w) ^ word_of(neighbour[k], w) ^ negated;
    }
    bit[0] = levels.at(0, site, w, thread);
    if constexpr (higher) {
#pragma unroll
      for (int k = 1; k < bits; ++k) bit[k] = has_higher ? levels.at(k, site, w, thread) : 0U;
    }
#pragma unroll
    for (int k = 0; k < (higher ? dim : 1); ++k) holds[dim - 1 - k] = LevelBits<dim>::at_least(k, bit);
    Sums::half_words<z>(holds, passed);
    after[w] = word_of(s, w) ^ Sums::reaches_half(unsatisfied, passed);
  }
  own[at] = make_uint4(after[0], after[1], after[2], after[3]);
}

/// In place: a colour reads the other one. Every thread draws the levels of one quad; then the threads of a warp share
/// the sites of their quads in the order of the memory. Grid: (quads, lattices).
/// Cost: 7 reads and a write of 16 bytes, and a byte, for 128 spins; bound by the integer instructions.
template <int dim, bool drawn>
__global__ void __launch_bounds__(threads)
    half_sweep_kernel(const __grid_constant__ CopyJob job, std::uint64_t step, int half) {
  __shared__ std::uint32_t shared[LevelBits<dim>::size];
  LevelBits<dim> levels(shared);
  const DeviceBatch& b = job.common;
  const auto number = static_cast<int>(blockIdx.y);
  const int slot = number % b.slots, group = number / b.slots % job.groups, task = number / (b.slots * job.groups);
  const std::uint64_t half_sweep =
      (b.d_first_step[task] + step) * (2 * static_cast<std::uint64_t>(job.sweeps)) + static_cast<std::uint64_t>(half);
  const int colour = half & 1, thread = static_cast<int>(threadIdx.x), lane = thread % warp;
  const std::uint32_t block_first = blockIdx.x * threads;
  QuadNumbers numbers{b.key,
                      b.d_realization[task],
                      static_cast<std::uint32_t>(group * b.slots + slot),
                      block_first + threadIdx.x,
                      job.blocks,
                      half_sweep};
  const bool higher = numbers.quad < job.blocks && levels.draw(job.d_levels[slot], numbers);
  const unsigned rare = __ballot_sync(~0U, higher);
  __syncwarp();
  begin_overlapped();

  uint4* const own = job.d_spins + (std::int64_t{number} * 2 + colour) * job.places();
  const uint4* const other = job.d_spins + (std::int64_t{number} * 2 + 1 - colour) * job.places();
  const std::uint8_t* const negative = job.d_negative + (2 * task + colour) * job.places();
#pragma unroll 1
  for (int part = 0; part < 2; ++part) {
    const int of_warp = part * (warp / 2) + lane / 2, of_block = thread - lane + of_warp;
    numbers.quad = block_first + static_cast<std::uint32_t>(of_block);
    if (numbers.quad >= job.blocks) continue;
    const RowPair rows = RowPair::of<dim>(job, numbers.quad);
    const bool has_higher = (rare >> of_warp & 1U) != 0;
#pragma unroll
    for (int second = 0; second < 2; ++second) {
      const int site = 2 * (lane & 1) + ((rows.parity + colour + second) & 1), x = rows.first_x + site;
      if (x >= b.lattice.L) continue;
      const int row = rows.row + (second == 1 ? static_cast<int>(job.rows_of_layer.value) : 0);
      if (rare == 0) {
        update_site<dim, drawn, false>(job, levels, numbers, own, other, negative, row, x, site, of_block, false);
      } else {
        update_site<dim, drawn, true>(job, levels, numbers, own, other, negative, row, x, site, of_block, has_higher);
      }
    }
  }
}

template <int dim>
auto kernel_for(MultispinRule rule) {
  return rule == MultispinRule::heat_bath ? half_sweep_kernel<dim, true> : half_sweep_kernel<dim, false>;
}

}  // namespace

void launch_copy_half_sweep(const CopyJob& job, std::uint64_t step, int half, cudaStream_t stream) {
  const int dim = job.common.lattice.dim;
  const auto kernel = dim == 2 ? kernel_for<2>(job.rule) : dim == 3 ? kernel_for<3>(job.rule) : kernel_for<4>(job.rule);
  const dim3 grid((job.blocks + threads - 1) / threads, static_cast<unsigned>(job.lattices()));
  launch_overlapped("sweeping copies", kernel, grid, threads, 0, stream, job, step, half);
}

}}  // namespace glassworks::cuda
