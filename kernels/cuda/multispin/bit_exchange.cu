#include <algorithm>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/bit_exchange.hpp"
#include "kernels/cuda/multispin/ladder_of_lane.cuh"
#include "kernels/cuda/multispin/quad_sweep.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// Grid: copies of the packs; block: lanes x pairs of slots, some at a time. The lanes of a word are a warp.
__global__ void __launch_bounds__(1024) exchange_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step) {
  begin_overlapped();
  const auto ladder_of_batch = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int pack = ladder_of_batch / b.common.copies, copy = ladder_of_batch - pack * b.common.copies;
  const int row = thread / b.lanes(), rows = static_cast<int>(blockDim.x) / b.lanes(), lane = thread - row * b.lanes();
  const int slots = b.common.slots;
  const multispin::LadderOfLane ladder(b, pack, copy, lane, step);
  std::uint32_t* const mask = b.d_mask + std::int64_t{ladder_of_batch} * slots * b.words + lane / 32;
  const ExchangePairs pairs = ladder.pairs();
  // Sequential exchanges have one row: each pair needs the outcome of the one before.
  for (int t = pairs.first + pairs.stride * row; t + 1 < slots; t += pairs.stride * rows) {
    const bool accepted = ladder.accepts(t);
    if (accepted) ladder.exchange(t);
    const std::uint32_t bits = __ballot_sync(~0U, accepted);
    if (lane % 32 == 0) mask[t * b.words] = bits;
  }
  __syncthreads();
  if (row == 0 && ladder.exists()) {
    ladder.turn(0);
    if (slots > 1) ladder.turn(slots - 1);
  }
}

/// The spins follow their replicas. Grid: (sites of both colours, copies of the packs).
template <int words>
__global__ void __launch_bounds__(256) move_spins_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step) {
  using Site = multispin::Words<words>;
  begin_overlapped();
  const int sites = b.sites, i = static_cast<int>(blockIdx.x * 256 + threadIdx.x), slots = b.common.slots;
  if (i >= sites) return;
  const auto ladder = static_cast<int>(blockIdx.y), pack = ladder / b.common.copies;
  const auto* const mask = reinterpret_cast<const Site*>(b.d_mask) + std::int64_t{ladder} * slots;
  auto* const spins = reinterpret_cast<Site*>(b.d_spins) + std::int64_t{ladder} * slots * sites + i;
  const ExchangePairs pairs = exchange_pairs(b.common.protocol.exchange, b.steps_before(pack, step));
#pragma unroll 2
  for (int t = pairs.first; t + 1 < slots; t += pairs.stride) {
    const Site lanes = mask[t];
    std::uint32_t any = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) any |= lanes.word[w];
    if (any == 0) continue;
    Site low = spins[std::int64_t{t} * sites], high = spins[std::int64_t{t + 1} * sites];
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const std::uint32_t differing = (low.word[w] ^ high.word[w]) & lanes.word[w];
      low.word[w] ^= differing;
      high.word[w] ^= differing;
    }
    spins[std::int64_t{t} * sites] = low;
    spins[std::int64_t{t + 1} * sites] = high;
  }
}

}  // namespace

void launch_bit_exchange(const MultispinBatch& b, std::uint64_t step, cudaStream_t stream) {
  const auto ladders = static_cast<unsigned>(b.packs * b.common.copies);
  const bool sequential = b.common.protocol.exchange == ExchangeSchedule::sequential;
  const unsigned rows = sequential ? 1U : static_cast<unsigned>(std::clamp(b.common.slots / 2, 1, 1024 / b.lanes()));
  launch_overlapped("exchanging replicas", exchange_kernel, dim3(ladders), rows * static_cast<unsigned>(b.lanes()), 0,
                    stream, b, step);
  if (b.common.protocol.exchange == ExchangeSchedule::none || b.common.slots < 2) return;
  const auto kernel = b.words == 4 ? move_spins_kernel<4> : b.words == 2 ? move_spins_kernel<2> : move_spins_kernel<1>;
  const auto blocks = static_cast<unsigned>((std::int64_t{b.sites} + 255) / 256);
  launch_overlapped("exchanging spins", kernel, dim3(blocks, ladders), 256, 0, stream, b, step);
}

}}  // namespace glassworks::cuda
