#include "kernels/core/addresses.hpp"
#include "kernels/core/bit_sums.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/copies/copy_job.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int threads = 128, sites_of_quad = 4, words = 4, quad_words = sites_of_quad * words;

struct Plain {};
using Sums = BitSums<std::uint32_t, Plain>;

/// The random numbers of a quad in a half-sweep (CopyLevels). One thread has a quad: four sites of 128 copies. Bits of
/// levels are in shared memory, where a place can be addressed.
template <int levels>
class QuadBits {
 public:
  __device__ QuadBits(const CopyJob& job, const CopyLevels& of_slot, std::uint32_t realization, std::uint32_t replica,
                      std::uint64_t half_sweep, std::uint32_t quad, std::uint32_t* shared)
      : job_(job),
        levels_(of_slot),
        realization_(realization),
        replica_(replica),
        sweep_(half_sweep),
        quad_(quad),
        bits_(shared + threadIdx.x) {}

  __device__ void draw() {
    if (levels_.marks) {
      draw_marks();
    } else {
      for (std::uint32_t site = 0; site < sites_of_quad; ++site) draw_digits(site);
      higher_ = true;
    }
  }
  /// Copies of a word whose level is at least k + 1.
  [[nodiscard]] __device__ std::uint32_t reach(int k, int word) const {
    return k > 0 && !higher_ ? 0U : bits_[(k * quad_words + word) * threads];
  }
  [[nodiscard]] __device__ RandomBlock block(std::uint32_t part) const {
    return random_block(job_.common.key, Stream::multispin, realization_, replica_, sweep_, part * job_.blocks + quad_);
  }

 private:
  __device__ void clear(int first, int end) {
    for (int i = first * quad_words; i < end * quad_words; ++i) bits_[i * threads] = 0;
  }
  __device__ void set(int k, std::uint32_t place) {
    bits_[(k * quad_words + static_cast<int>(place / 32)) * threads] |= 1U << (place % 32);
  }

  __device__ void draw_marks() {
    clear(0, 1);
    const RandomBlock numbers = block(0);
    RandomBlock later = numbers;
    std::uint32_t part = 0;
    for (int m = 0; m < levels_.more_count && numbers.word[0] >= levels_.more[m]; ++m) {
      const CopyAddress at = CopyAddress::of_mark(static_cast<std::uint32_t>(m));
      if (at.part != part) {
        part = at.part;
        later = block(part);
      }
      const std::uint32_t word = at.word == 0   ? later.word[0]
                                 : at.word == 1 ? later.word[1]
                                 : at.word == 2 ? later.word[2]
                                                : later.word[3];
      set(0, (word >> at.shift) % CopyAddress::places);
    }
    for (int m = 0; m < levels_.more_higher_count && numbers.word[1] >= levels_.more_higher[m]; ++m) {
      if (!higher_) clear(1, levels);
      higher_ = true;
      const RandomBlock mark = block(CopyAddress::higher_mark(static_cast<std::uint32_t>(m)));
      const std::uint32_t place = mark.word[0] >> 23;
      set(0, place);
      set(1, place);
      for (int k = 2; k < levels && mark.word[1] < levels_.higher[k]; ++k) set(k, place);
    }
  }

  /// U < P_k digit by digit, until that is decided in all copies.
  __device__ void draw_digits(std::uint32_t site) {
    std::uint32_t below[levels][words] = {}, equal[levels][words];
#pragma unroll
    for (int k = 0; k < levels; ++k) {
#pragma unroll
      for (int w = 0; w < words; ++w) equal[k][w] = ~0U;
    }
    std::uint32_t open = ~0U;
    for (std::uint32_t digit = 0; digit < CopyAddress::digits && open != 0; ++digit) {
      const RandomBlock u = block(CopyAddress::digit(digit, site));
      open = 0;
#pragma unroll
      for (int k = 0; k < levels; ++k) {
        const bool one = (levels_.probability[k] >> (31 - digit) & 1U) != 0;
#pragma unroll
        for (int w = 0; w < words; ++w) {
          if (one) below[k][w] |= equal[k][w] & ~u.word[w];
          equal[k][w] &= one ? u.word[w] : ~u.word[w];
          open |= equal[k][w];
        }
      }
    }
#pragma unroll
    for (int k = 0; k < levels; ++k) {
#pragma unroll
      for (int w = 0; w < words; ++w)
        bits_[(k * quad_words + static_cast<int>(site) * words + w) * threads] = below[k][w];
    }
  }

  const CopyJob& job_;
  const CopyLevels& levels_;
  std::uint32_t realization_, replica_;
  std::uint64_t sweep_;
  std::uint32_t quad_;
  std::uint32_t* bits_;
  bool higher_ = false;
};

/// In place: a colour reads the other one. Grid: (quads, lattices).
template <int dim, bool drawn>
__global__ void __launch_bounds__(threads)
    half_sweep_kernel(const __grid_constant__ CopyJob job, std::uint64_t step, int half) {
  constexpr int z = 2 * dim;
  __shared__ std::uint32_t shared[dim * quad_words * threads];
  begin_overlapped();
  const std::uint32_t quad = blockIdx.x * threads + threadIdx.x;
  if (quad >= job.blocks) return;
  const DeviceBatch& b = job.common;
  const auto number = static_cast<int>(blockIdx.y);
  const int slot = number % b.slots, group = number / b.slots % job.groups, task = number / (b.slots * job.groups);
  const std::uint64_t half_sweep =
      (b.d_first_step[task] + step) * (2 * static_cast<std::uint64_t>(job.sweeps)) + static_cast<std::uint64_t>(half);
  const int colour = half & 1, L = b.lattice.L, across = L / 2, quads = (L + 3) / 4;
  QuadBits<dim> bits(job, job.d_levels[slot], b.d_realization[task], static_cast<std::uint32_t>(group * b.slots + slot),
                     half_sweep, quad, shared);
  bits.draw();

  // Two rows that follow each other along the last axis.
  const int pair = static_cast<int>(quad) / quads, first_x = 4 * (static_cast<int>(quad) - pair * quads);
  const int layer = job.rows / L, row_0 = pair / layer * 2 * layer + pair % layer;
  const int parity = job.d_row_parity[row_0];
  uint4* const own = job.d_spins + (std::int64_t{number} * 2 + colour) * job.places();
  const uint4* const other = job.d_spins + (std::int64_t{number} * 2 + 1 - colour) * job.places();
  const std::uint8_t* const negative = job.d_negative + (2 * task + colour) * job.places();
#pragma unroll 1
  for (int i = 0; i < sites_of_quad; ++i) {
    const int x = first_x + i;
    if (x >= L) break;
    const int row = row_0 + (((x + parity + colour) & 1) == 0 ? 0 : layer);
    const std::int64_t start = std::int64_t{row} * across, at = start + x / 2;
    uint4 neighbour[z];
    neighbour[0] = other[start + (x + 1 == L ? 0 : x + 1) / 2];
    neighbour[1] = other[start + (x == 0 ? L - 1 : x - 1) / 2];
#pragma unroll
    for (int k = 2; k < z; ++k) {
      neighbour[k] = other[std::int64_t{job.d_row_neighbour[row * (z - 2) + k - 2]} * across + x / 2];
    }
    const uint4 here = own[at];
    std::uint32_t s[words] = {here.x, here.y, here.z, here.w};
    if constexpr (drawn) {
      const RandomBlock spins = bits.block(CopyAddress::spins(static_cast<std::uint32_t>(i)));
#pragma unroll
      for (int w = 0; w < words; ++w) s[w] = spins.word[w];
    }
    const unsigned J = negative[at];
#pragma unroll
    for (int w = 0; w < words; ++w) {
      std::uint32_t unsatisfied[z], holds[dim], passed[Sums::half_word_count<z>];
#pragma unroll
      for (int k = 0; k < z; ++k) {
        const std::uint32_t n = w == 0   ? neighbour[k].x
                                : w == 1 ? neighbour[k].y
                                : w == 2 ? neighbour[k].z
                                         : neighbour[k].w;
        unsatisfied[k] = s[w] ^ n ^ (0U - (J >> k & 1U));
      }
#pragma unroll
      for (int k = 0; k < dim; ++k) holds[dim - 1 - k] = bits.reach(k, i * words + w);
      Sums::half_words<z>(holds, passed);
      s[w] ^= Sums::reaches_half(unsatisfied, passed);
    }
    own[at] = make_uint4(s[0], s[1], s[2], s[3]);
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
