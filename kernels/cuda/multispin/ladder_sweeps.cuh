#pragma once

#include "kernels/cuda/multispin/replica_block.cuh"

/// A kernel for all steps between two measurements: whole ladders stay in shared memory.
namespace glassworks { inline namespace cuda { namespace multispin {

/// Most threads of a block with a ladder: packs of few words need fewer registers.
template <class V>
constexpr int most_ladder_threads = V::words* V::replicas_together <= 2 ? most_narrow_threads : most_sweep_threads;

/// Even-odd exchanges of the ladder of a copy in the one or two blocks that hold it.
template <class V, class Geometry>
class LadderExchange {
 public:
  using Site = typename V::Site;
  static constexpr int lanes = 32 * V::words;

  __device__ __forceinline__ LadderExchange(const ReplicaBlock<V, Geometry>& block, const MultispinBatch& b,
                                            const SweepShape& shape, int pack, int copy, int rank)
      : block_(block),
        b_(b),
        pack_(pack),
        copy_(copy),
        first_(rank * shape.places),
        end_(min(first_ + shape.places, b.common.slots)),
        places_(shape.places),
        in_cluster_(shape.blocks_of_ladder > 1) {
    if (in_cluster_) other_rank_ = 1 - rank;
  }

  [[nodiscard]] __device__ int present() const { return end_ - first_; }

  /// All threads of the blocks of a ladder meet.
  __device__ __forceinline__ void meet() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (in_cluster_) {
      asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
      asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
      return;
    }
#endif
    __syncthreads();
  }

  /// The exchanges after a step of the round; energies are there. walkers: those before and after, of the block. last:
  /// energies follow their replicas to the memory of the device
  __device__ __forceinline__ void run(std::uint64_t step, const std::uint16_t* walkers, std::uint16_t* next_walkers,
                                      bool last) {
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const auto parity = static_cast<int>(b_.steps_before(pack_, step) & 1U);
    const int least = max(first_ - 1, 0), first_pair = least + ((least ^ parity) & 1);
    const int pairs = (min(end_, b_.common.slots - 1) - first_pair + 1) / 2;  // with a slot here
    for (int item = thread / 32; item < pairs * V::words; item += threads / 32) {
      const int pair = item / V::words, t = first_pair + 2 * pair;
      const int lane = (item - pair * V::words) * 32 + (thread & 31);
      const LadderOfLane ladder(b_, pack_, copy_, lane, step);
      const int low = *of_slot(block_.unsatisfied, lanes, t, lane);
      const int high = *of_slot(block_.unsatisfied, lanes, t + 1, lane);
      bool accepted = false;
      if constexpr (V::in_field) {
        accepted = ladder.accepts(t, low, *of_slot(block_.down, lanes, t, lane), high,
                                  *of_slot(block_.down, lanes, t + 1, lane));
      } else {
        accepted = ladder.accepts(t, low, high);
      }
      if (accepted && t >= first_) ladder.count(t);
      const std::uint32_t bits = __ballot_sync(~0U, accepted);
      if ((thread & 31) == 0) block_.exchanged[item] = bits;
    }
    __syncthreads();
    for (int i = thread; i < lanes * present(); i += threads) {
      const int place = i / lanes, lane = i - place * lanes, slot = first_ + place, t = slot - ((slot ^ parity) & 1);
      const bool paired = t >= 0 && t + 1 < b_.common.slots;
      const bool moves =
          paired && (block_.exchanged[(t - first_pair) / 2 * V::words + lane / 32] >> (lane & 31) & 1U) != 0;
      const int from = moves ? 2 * t + 1 - slot : slot;
      std::uint16_t walker = *of_slot(walkers, lanes, from, lane);
      if (slot == 0 || slot == b_.common.slots - 1) {
        const LadderOfLane ladder(b_, pack_, copy_, lane, step);
        if (ladder.exists()) walker = ladder.turned(slot, walker);
      }
      next_walkers[i] = walker;
      if (!last) continue;
      b_.d_unsatisfied[first_lane() + i] = *of_slot(block_.unsatisfied, lanes, from, lane);
      if constexpr (V::in_field) b_.d_down[first_lane() + i] = *of_slot(block_.down, lanes, from, lane);
    }
    const int sites = 2 * block_.g.places;
    const auto* const exchanged = reinterpret_cast<const Site*>(block_.exchanged);
    const bool low_is_there = first_pair<first_, high_is_there = pairs> 0 && first_pair + 2 * pairs - 1 >= end_;
    const int first_here = low_is_there ? 1 : 0, pairs_here = pairs - first_here - (high_is_there ? 1 : 0);
    for (int i = thread; i < pairs_here * sites; i += threads) {
      const int pair = i / sites, site = i - pair * sites;
      const Site mask = exchanged[first_here + pair];
      Site* const low = block_.spins + (first_pair + 2 * (first_here + pair) - first_) * sites + site;
      Site a = low[0], c = low[sites];
#pragma unroll
      for (int w = 0; w < V::words; ++w) {
        const std::uint32_t differing = (a.word[w] ^ c.word[w]) & mask.word[w];
        a.word[w] ^= differing;
        c.word[w] ^= differing;
      }
      low[0] = a;
      low[sites] = c;
    }
    Site edge[most_sites_at_edge];
    const bool at_edge = low_is_there || high_is_there;
    Site* const own = block_.spins + (low_is_there ? 0 : present() - 1) * sites;
    if (at_edge) {
      const Site mask = exchanged[low_is_there ? 0 : pairs - 1];
      const Site* const theirs = there(block_.spins + (low_is_there ? places_ - 1 : 0) * sites);
#pragma unroll
      for (int k = 0; k < most_sites_at_edge; ++k) {
        const int site = thread + k * threads;
        if (site >= sites) continue;
        edge[k] = own[site];
        const Site x = theirs[site];
#pragma unroll
        for (int w = 0; w < V::words; ++w) edge[k].word[w] ^= (edge[k].word[w] ^ x.word[w]) & mask.word[w];
      }
    }
    meet();
    if (at_edge) {
#pragma unroll
      for (int k = 0; k < most_sites_at_edge; ++k) {
        if (thread + k * threads < sites) own[thread + k * threads] = edge[k];
      }
    }
  }

  /// Of place 0 of the block, in lane 0.
  [[nodiscard]] __device__ std::int64_t first_lane() const {
    return b_.lane_of(pack_, copy_ * b_.common.slots + first_, 0);
  }

 private:
  /// The same place in the memory of the other block.
  template <class T>
  [[nodiscard]] __device__ __forceinline__ const T* there(const T* here) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const T* result;
    asm("mapa.u64 %0, %1, %2;" : "=l"(result) : "l"(here), "r"(other_rank_));
    return result;
#else
    return here;
#endif
  }
  /// Of a slot here or in the other block. numbers: [place][lane] of this block
  template <class T>
  [[nodiscard]] __device__ __forceinline__ const T* of_slot(const T* numbers, int of_place, int slot, int lane) const {
    if (slot < first_) return there(numbers + (slot - first_ + places_) * of_place + lane);
    if (slot >= end_) return there(numbers + (slot - end_) * of_place + lane);
    return numbers + (slot - first_) * of_place + lane;
  }

  const ReplicaBlock<V, Geometry>& block_;
  const MultispinBatch& b_;
  int pack_, copy_, first_, end_, places_;
  bool in_cluster_;
  int other_rank_ = 0;
};

/// All sweeps, energies and even-odd exchanges of some steps, in place. Grid: ladders of the packs, one or two blocks
/// (a cluster) each. Deterministic: integers.
template <class V, class Geometry>
__global__ void __launch_bounds__(most_ladder_threads<V>, 1)
    ladder_kernel(const __grid_constant__ MultispinBatch b, const __grid_constant__ SweepShape shape,
                  std::uint64_t first_step, int steps) {
  using Site = typename V::Site;
  extern __shared__ __align__(16) std::uint32_t memory[];
  const auto number = static_cast<int>(blockIdx.x), ladder = number / shape.blocks_of_ladder;
  const int rank = number - ladder * shape.blocks_of_ladder, pack = ladder / b.common.copies;
  const int copy_of_ladder = ladder - pack * b.common.copies;
  const int first_place = copy_of_ladder * b.common.slots + rank * shape.places;
  ReplicaBlock<V, Geometry> block(memory, b, shape, pack);
  LadderExchange<V, Geometry> exchange(block, b, shape, pack, copy_of_ladder, rank);
  const int sites = 2 * block.g.places, present = exchange.present();
  std::uint16_t *walkers = block.walkers, *next_walkers = block.walkers + shape.places * 32 * V::words;
  block.begin(b, shape, first_place);
  begin_overlapped();
  auto* const spins = reinterpret_cast<Site*>(b.spins_of(pack, first_place));
  copy(block.spins, spins, sites * present);
  copy(walkers, b.d_walker + exchange.first_lane(), 32 * V::words * present);
  BlockSweeps<V, Geometry> sweeps(block, b, shape, pack, first_place);
  __syncthreads();
#pragma unroll 1
  for (int s = 0; s < steps; ++s) {
    const std::uint64_t step = first_step + static_cast<unsigned>(s);
    sweeps.run(step, 0, b.sweeps);
    block.count(shape, present);
    exchange.meet();
    exchange.run(step, walkers, next_walkers, s + 1 == steps);
    block.clear(shape);
    std::uint16_t* const other = walkers;
    walkers = next_walkers;
    next_walkers = other;
    __syncthreads();
  }
  copy(spins, block.spins, sites * present);
  copy(b.d_walker + exchange.first_lane(), walkers, 32 * V::words * present);
}

}}}  // namespace glassworks::cuda::multispin
