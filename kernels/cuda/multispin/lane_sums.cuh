#pragma once

#include <cstdint>

#include "kernels/core/bit_sums.hpp"

/// Sums over the threads of a warp of numbers that have a bit in each lane.
namespace glassworks { inline namespace cuda { namespace multispin {

/// Logic of three words in one instruction: left to itself, the compiler orders long sums anew and needs a tenth more.
struct ThreeInputs {
  GLASSWORKS_HD static std::uint32_t majority(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
    std::uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
#else
    return (a & b) | (c & (a ^ b));
#endif
  }
  GLASSWORKS_HD static std::uint32_t parity(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
    std::uint32_t result;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
#else
    return a ^ b ^ c;
#endif
  }
};
using Sums = BitSums<std::uint32_t, ThreeInputs>;

/// The transpose of 32 x 32 bits: bit b of thread t goes to bit t of thread b. All threads of the warp take part.
__device__ __forceinline__ std::uint32_t transposed(std::uint32_t x) {
  const int thread = static_cast<int>(threadIdx.x & 31U);
#pragma unroll
  for (int k = 16; k > 0; k >>= 1) {
    const std::uint32_t keep = k == 16  ? 0x0000FFFFU
                               : k == 8 ? 0x00FF00FFU
                               : k == 4 ? 0x0F0F0F0FU
                               : k == 2 ? 0x33333333U
                                        : 0x55555555U;
    const bool upper = (thread & k) != 0;
    std::uint32_t y = __shfl_xor_sync(~0U, x, k);
    y = __funnelshift_r(y, y, upper ? k : 32 - k);
    const std::uint32_t mask = upper ? ~keep : keep;
    x = (x & mask) | (y & ~mask);
  }
  return x;
}
/// In how many threads of a warp the bit of this thread's number is 1.
__device__ __forceinline__ int sum_of_lane(std::uint32_t x) { return __popc(transposed(x)); }

/// The number of another thread.
template <int bits>
[[nodiscard]] __device__ __forceinline__ Sums::Number<bits> from_thread(const Sums::Number<bits>& x, int distance) {
  Sums::Number<bits> there;
#pragma unroll
  for (int k = 0; k < bits; ++k) there.bit[k] = __shfl_xor_sync(~0U, x.bit[k], distance);
  return there;
}

/// Adds the numbers of `words` words over each `threads` threads of a warp that follow each other, and gives the sum of
/// each lane to one of them: take(lane, sum). Two threads share the words while they have several: each adds the half
/// that it keeps. All threads of the warp take part. have: words that a thread still has; distance: to whom it gives
template <int words, int threads = 32, int have = words, int distance = 1, int bits, class Take>
__device__ __forceinline__ void sum_lanes(const Sums::Number<bits> (&number)[have], const Take& take) {
  const int thread = static_cast<int>(threadIdx.x) % threads;
  if constexpr (have > 1) {
    const bool odd = (thread & distance) != 0;
    Sums::Number<bits + 1> sums[have / 2];
#pragma unroll
    for (int i = 0; i < have / 2; ++i) {
      Sums::Number<bits> keep, give;
#pragma unroll
      for (int k = 0; k < bits; ++k) {
        keep.bit[k] = odd ? number[2 * i + 1].bit[k] : number[2 * i].bit[k];
        give.bit[k] = odd ? number[2 * i].bit[k] : number[2 * i + 1].bit[k];
      }
      sums[i] = Sums::total(keep, from_thread(give, distance));
    }
    sum_lanes<words, threads, have / 2, 2 * distance>(sums, take);
  } else if constexpr (distance < threads) {
    const Sums::Number<bits + 1> sum[1] = {Sums::total(number[0], from_thread(number[0], distance))};
    sum_lanes<words, threads, 1, 2 * distance>(sum, take);
  } else {  // the word thread mod words: a thread takes up to four lanes of it at a time, a byte of a word each
    constexpr int lanes = 32 * words / threads, at_once = lanes < 4 ? lanes : 4;
    static_assert(lanes % at_once == 0);
#pragma unroll
    for (int i = 0; i < lanes; i += at_once) {
      const int first = thread / words * lanes + i;
      std::uint32_t bytes[(bits + 7) / 8] = {};
#pragma unroll
      for (int k = 0; k < bits; ++k) {
        const std::uint32_t few = number[0].bit[k] >> first & ((1U << at_once) - 1);
        bytes[k / 8] |= few * (0x00204081U << k % 8) & 0x01010101U << k % 8;
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        std::uint32_t sum = 0;
#pragma unroll
        for (int k = 0; k < (bits + 7) / 8; ++k) sum |= (bytes[k] >> 8 * n & 0xFFU) << 8 * k;
        take(32 * (thread % words) + first + n, static_cast<int>(sum));
      }
    }
  }
}

}}}  // namespace glassworks::cuda::multispin
