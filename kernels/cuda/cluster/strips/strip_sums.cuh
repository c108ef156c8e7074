#pragma once

#include "kernels/cuda/cluster/strips/device_strip.hpp"
#include "kernels/cuda/cluster/strips/strip_work.cuh"

namespace glassworks { inline namespace cuda {

/// Random states; the sweep of the work is 0. One thread for 32 sites. Cost: a Philox block for four of them.
__global__ void __launch_bounds__(256) strip_start_kernel(const __grid_constant__ StripWork work) {
  const std::uint32_t word = blockIdx.x * 256U + threadIdx.x;
  if (word >= work.lattice.plane_words) return;
  std::uint32_t bits[5];
  draw_states(work, Stream::initial_spins, work.first_site + std::uint64_t{32} * word, bits);
#pragma unroll
  for (int p = 0; p < 5; ++p) {
    if (p < work.planes) work.spins[static_cast<std::size_t>(p) * work.spin_words + word] = bits[p];
  }
}

/// A bijection of 64 bits (SplitMix64, Steele, Lea and Flood 2014).
__device__ __forceinline__ unsigned long long mixed(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Adds a number of each thread of a warp to one place.
__device__ __forceinline__ void add_of_warp(unsigned long long x, unsigned long long* to) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(all_lanes, x, d);
  if ((threadIdx.x & 31U) == 0 && x != 0) atomicAdd(to, x);
}

/// Counts satisfied bonds and states. Every thread has words of 32 sites, a grid apart.
template <class Move>
__global__ void __launch_bounds__(256) strip_sums_kernel(const __grid_constant__ StripWork work, StripCounts* to) {
  constexpr int most_states = Move::most_planes == 1 ? 2 : most_strip_states;
  const std::uint32_t words_of_row = work.width() / 32, last_row = work.row_count() - 1;
  unsigned long long satisfied = 0, digest = 0;
  std::uint32_t states[most_states];
#pragma unroll
  for (int k = 0; k < most_states; ++k) states[k] = 0;
  for (std::uint32_t word = blockIdx.x * 256U + threadIdx.x; word < work.lattice.plane_words;
       word += gridDim.x * 256U) {
    const std::uint32_t y = word / words_of_row, column = word - y * words_of_row;
    const bool ends = column + 1 == words_of_row;
    const std::uint32_t next = ends ? word - column : word + 1;
    const unsigned long long number = (work.first_site / 32 + word) * 8;
    std::uint32_t right = all_lanes, below = all_lanes, planes[Move::most_planes];
#pragma unroll
    for (int p = 0; p < Move::most_planes; ++p) {
      planes[p] = 0;
      if (p >= Move::planes(work)) continue;
      const std::uint32_t* const plane = work.spins + static_cast<std::size_t>(p) * work.spin_words;
      const std::uint32_t here = planes[p] = plane[word];
      right &= ~(here ^ __funnelshift_r(here, plane[next], 1));
      below &= ~(here ^ plane[word + words_of_row]);
      digest += mixed(mixed(number + static_cast<unsigned>(p)) + here);
    }
    if (work.open_x && ends) right &= all_lanes >> 1;
    if (work.open_below && y == last_row) below = 0;
    satisfied += static_cast<unsigned>(__popc(right) + __popc(below));
#pragma unroll
    for (int k = 0; k < most_states; ++k) {
      if (k >= static_cast<int>(work.states)) continue;
      std::uint32_t in_state = all_lanes;
#pragma unroll
      for (int p = 0; p < Move::most_planes; ++p) in_state &= ((k >> p) & 1) != 0 ? planes[p] : ~planes[p];
      states[k] += static_cast<unsigned>(__popc(in_state));
    }
  }
  add_of_warp(satisfied, &to->satisfied);
  add_of_warp(digest, &to->digest);
#pragma unroll
  for (int k = 0; k < most_states; ++k) add_of_warp(states[k], to->state + k);
}

}}  // namespace glassworks::cuda
