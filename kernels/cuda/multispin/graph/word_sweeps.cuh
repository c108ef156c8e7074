#pragma once

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/graph/word_chunk.cuh"
#include "kernels/cuda/multispin/graph/word_sweeps.hpp"
#include "kernels/cuda/multispin/step_parts.cuh"

/// Kernels of the sweeps of multi-spin coding on a graph.
namespace glassworks { inline namespace cuda { namespace multispin {

/// The spins of a replica, for count_bonds_of and count_bits_of.
template <class Site>
struct PlaceSpins {
  const Site* spins;
  __device__ __forceinline__ Site operator()(int place) const { return spins[place]; }
};

/// Where the parts of the shared memory of a block begin.
template <class V>
struct GraphBlock {
  WordChunk* chunks;
  BitThreshold* thresholds;
  typename V::Site* spins;    ///< [replica][place]
  int *unsatisfied, *down;    ///< [replica][lane]; down: only in a field
  std::uint32_t* exchanged;   ///< lanes that take the spins of another place [replica][word]
  int *first_chunk, *shares;  ///< [colour]; shares: see shares_of

  __device__ GraphBlock(std::uint32_t* memory, const MultispinBatch& b, const SweepShape& shape) {
    const GraphBlockBytes bytes({b.sites, b.graph.chunks, b.graph.colours, 0, b.graph.thresholds}, V::words,
                                shape.places, V::in_field);
    auto* at = reinterpret_cast<char*>(memory);
    const auto take = [&at](std::size_t size) {
      char* const here = at;
      at += size;
      return here;
    };
    chunks = reinterpret_cast<WordChunk*>(take(bytes.chunks));
    thresholds = reinterpret_cast<BitThreshold*>(take(bytes.thresholds));
    spins = reinterpret_cast<typename V::Site*>(take(bytes.spins));
    unsatisfied = reinterpret_cast<int*>(take(bytes.sums));
    down = unsatisfied + 32 * V::words * shape.places;
    exchanged = reinterpret_cast<std::uint32_t*>(take(bytes.exchanged));
    first_chunk = reinterpret_cast<int*>(take(bytes.colours));
    shares = first_chunk + b.graph.colours + 1;
  }
};

/// Into how many shares by replicas the chunks of a colour go, so that its warps end soon: passes of all warps, each as
/// long as its replicas and loading the links once.
[[nodiscard]] __device__ __forceinline__ int shares_of(int chunks, int warps, int replicas) {
  int best = 1, least = 0x7FFFFFFF;
  for (int shares = 1; shares <= replicas; ++shares) {
    const int passes = (chunks * shares + warps - 1) / warps, share = (replicas + shares - 1) / shares;
    const int time = passes * (10 * share + 3);
    if (time >= least) continue;
    best = shares;
    least = time;
  }
  return best;
}

/// The sums of a block over its spins: items of (replica, chunks that follow each other) for its warps.
template <class V>
__device__ __forceinline__ void sum_block(const MultispinBatch& b, const GraphBlock<V>& block, int present,
                                          const typename V::Site* negative) {
  const auto warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
  const int chunks = b.graph.chunks, wanted = max(1, (warps + present - 1) / present);
  const int share = min(most_counted_chunks, max(1, (chunks + wanted - 1) / wanted));
  const int parts = (chunks + share - 1) / share;
#pragma unroll 1
  for (int item = warp; item < present * parts; item += warps) {
    const int r = item / parts, begin = (item - r * parts) * share, end = min(begin + share, chunks);
    const PlaceSpins<typename V::Site> load{block.spins + std::int64_t{r} * b.sites};
    LaneCounter<V::words> bonds;
#pragma unroll 1
    for (int c = begin; c < end; ++c) {
      const WordChunk chunk = block.chunks[c];
      count_bonds_of(bonds, chunk, b.graph.d_near_neighbour, negative, load);
    }
    bonds.add_to(block.unsatisfied + r * 32 * V::words);
    if constexpr (V::in_field) {
      const int last = block.chunks[end - 1].first + block.chunks[end - 1].count;
      LaneCounter<V::words> down;
      count_bits_of(down, block.chunks[begin].first, last, load);
      down.add_to(block.down + r * 32 * V::words);
    }
  }
}

/// A part of a step for the replicas at shape.places places of a pack, which stay in shared memory; see
/// resident_kernel. A warp takes a chunk at a time, and shares it with others by replicas where a colour has few.
/// Deterministic: integers. Bound by the gathers: six neighbours of 32 sites are 24 passes over the banks without
/// conflicts, about 62 with those of random places, for 4096 spins.
template <class V>
__global__ void __launch_bounds__(most_sweep_threads, 1)
    graph_resident_kernel(const __grid_constant__ MultispinBatch b, const __grid_constant__ SweepShape shape,
                          const __grid_constant__ StepPart of_step) {
  using Site = typename V::Site;
  extern __shared__ __align__(16) std::uint32_t memory[];
  const GraphBlock<V> block(memory, b, shape);
  const Part part(b, shape);
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int warp = thread / 32, warps = threads / 32;
  const auto* const negative = reinterpret_cast<const Site*>(b.d_negative + part.pack * b.coupling_words());

  // Nothing changes these: before the kernel before has ended.
  copy(block.chunks, b.graph.d_chunks, b.graph.chunks);
  copy(block.first_chunk, b.graph.d_first_chunk, b.graph.colours + 1);
  const int of_slot = b.graph.thresholds;
  copy(block.thresholds, b.d_threshold + part.first * of_slot, part.present * of_slot);
  for (int colour = thread; colour < b.graph.colours; colour += threads) {
    const int chunks = b.graph.d_first_chunk[colour + 1] - b.graph.d_first_chunk[colour];
    block.shares[colour] = shares_of(chunks, warps, part.present);
  }
  constexpr int sums = V::in_field ? 2 : 1;
  for (int i = thread; i < 32 * V::words * shape.places * sums; i += threads) block.unsatisfied[i] = 0;
  const std::uint64_t step = of_step.step;
  begin_part<V::words>(b, part, of_step, b.sites, block.exchanged, block.spins);

  const BitPack& of_pack = b.d_packs[part.pack];
  GraphView<V, std::uint16_t> view{block.spins, b.sites,          b.graph.d_site, b.graph.d_near_neighbour,
                                   negative,    block.thresholds, of_slot,        {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  __syncthreads();

  const std::uint64_t first = b.steps_before(part.pack, step) * static_cast<unsigned>(b.sweeps);
#pragma unroll 1
  for (int sweep = of_step.begin; sweep < of_step.end; ++sweep) {
    const HalfSweepCounter counter(first + static_cast<unsigned>(sweep), of_pack.group);
#pragma unroll 1
    for (int colour = 0; colour < b.graph.colours; ++colour) {
      const int begin = block.first_chunk[colour], chunks = block.first_chunk[colour + 1] - begin;
      if (chunks == 0) continue;
      const int shares = block.shares[colour], share = (part.present + shares - 1) / shares;
#pragma unroll 1
      for (int item = warp; item < chunks * shares; item += warps) {
        const int number = item / shares, first_replica = (item - number * shares) * share;
        const WordChunk chunk = block.chunks[begin + number];  // in registers: stores of spins cannot change it there
        sweep_chunk(view, chunk, b.common.key, counter, part.first, first_replica,
                    min(first_replica + share, part.present));
      }
      __syncthreads();
    }
  }

  auto* const next =
      reinterpret_cast<Site*>(b.d_next_spins) + (std::int64_t{part.pack} * b.replicas() + part.first) * b.sites;
  if (of_step.energies) sum_block<V>(b, block, part.present, negative);
  copy(next, block.spins, b.sites * part.present);
  if (!of_step.energies) return;
  __syncthreads();
  const std::int64_t first_lane = b.lane_of(part.pack, part.first, 0);
  copy(b.d_next_unsatisfied + first_lane, block.unsatisfied, 32 * V::words * part.present);
  if constexpr (V::in_field) copy(b.d_next_down + first_lane, block.down, 32 * V::words * part.present);
}

constexpr int memory_threads = 256, replicas_at_once = 8;  ///< of kernels on spins in the memory of the device

/// One colour of a sweep where spins stay in the memory of the device, in place: a warp for each chunk and some
/// replicas of a pack. Grid: chunks of the colour x parts of the replicas x packs.
template <class V>
__global__ void __launch_bounds__(memory_threads)
    graph_sweep_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, int sweep, int colour) {
  using Site = typename V::Site;
  const int begin = b.graph.d_first_chunk[colour], chunks = b.graph.d_first_chunk[colour + 1] - begin;
  const std::int64_t item = std::int64_t{blockIdx.x} * (memory_threads / 32) + threadIdx.x / 32;
  const int parts = (b.replicas() + replicas_at_once - 1) / replicas_at_once;
  if (chunks == 0 || item >= std::int64_t{chunks} * parts * b.packs) return;
  const auto unit = static_cast<int>(item / chunks), pack = unit / parts;
  const int first = (unit - pack * parts) * replicas_at_once, end = min(first + replicas_at_once, b.replicas());
  const BitPack& of_pack = b.d_packs[pack];
  GraphView<V, std::uint32_t> view{reinterpret_cast<Site*>(b.spins_of(pack, 0)),
                                   b.sites,
                                   b.graph.d_site,
                                   b.graph.d_neighbour,
                                   reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words()),
                                   b.d_threshold,
                                   b.graph.thresholds,
                                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const std::uint64_t number = b.steps_before(pack, step) * static_cast<unsigned>(b.sweeps);
  const HalfSweepCounter counter(number + static_cast<unsigned>(sweep), of_pack.group);
  const WordChunk chunk = b.graph.d_chunks[begin + static_cast<int>(item - std::int64_t{unit} * chunks)];
  sweep_chunk(view, chunk, b.common.key, counter, 0, first, end);
}

/// Sums of replicas in the memory of the device, added to d_unsatisfied and d_down. Grid: chunks, `share` of them a
/// warp, x replicas.
template <class V>
__global__ void __launch_bounds__(memory_threads)
    graph_sums_kernel(const __grid_constant__ MultispinBatch b, int share) {
  using Site = typename V::Site;
  const int parts = (b.graph.chunks + share - 1) / share;
  const std::int64_t item = std::int64_t{blockIdx.x} * (memory_threads / 32) + threadIdx.x / 32;
  if (item >= std::int64_t{parts} * b.packs * b.replicas()) return;
  const auto replica = static_cast<int>(item / parts);
  const int begin = static_cast<int>(item - std::int64_t{replica} * parts) * share,
            end = min(begin + share, b.graph.chunks), pack = replica / b.replicas();
  const PlaceSpins<Site> load{reinterpret_cast<const Site*>(b.d_spins + replica * b.replica_words())};
  const auto* const negative = reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words());
  LaneCounter<V::words> bonds;
#pragma unroll 1
  for (int c = begin; c < end; ++c) count_bonds_of(bonds, b.graph.d_chunks[c], b.graph.d_neighbour, negative, load);
  bonds.add_to(b.d_unsatisfied + std::int64_t{replica} * b.lanes());
  if constexpr (V::in_field) {
    const WordChunk last = b.graph.d_chunks[end - 1];
    LaneCounter<V::words> down;
    count_bits_of(down, b.graph.d_chunks[begin].first, last.first + last.count, load);
    down.add_to(b.d_down + std::int64_t{replica} * b.lanes());
  }
}

}}}  // namespace glassworks::cuda::multispin
