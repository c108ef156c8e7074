#pragma once

#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// Kernels of the sweeps of multi-spin coding.
namespace glassworks::inline cuda::multispin {

constexpr int most_threads = 512;

template <class Site>
__device__ __forceinline__ void copy(Site* to, const Site* from, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) to[i] = from[i];
}

/// The sites of a replica, for BondCounter.
template <class Site>
struct ReplicaSites {
  const Site* spins;
  int places;
  __device__ __forceinline__ Site operator()(int colour, int place) const { return spins[colour * places + place]; }
};

/// The bonds of quads first, first + 32, ... below end, by a warp. bits: of numbers in which they fit
template <class V, int bits, class Load>
__device__ __forceinline__ void count_bonds(const HalfLattice& g, const Load& load, const typename V::Site* negative,
                                            const typename V::Site* absent, int first, int end, int* total) {
  BondCounter<V::dim, V::words, bits> counter;
#pragma unroll 1
  for (int q = first + static_cast<int>(threadIdx.x & 31U); q < end; q += 32) {
    counter.add(g, g.template quad<V::dim>(q), load, negative, absent);
  }
  counter.add_to(total);
}

/// Where the parts of the shared memory of a block begin.
template <class V>
struct BlockMemory {
  typename V::Site *spins, *negative, *absent;
  BitThreshold* thresholds;
  int* unsatisfied;

  __device__ BlockMemory(void* memory, const HalfLattice& g, const SweepShape& shape) {
    spins = static_cast<typename V::Site*>(memory);
    negative = spins + 2 * g.places * shape.places;
    absent = negative + (shape.couplings_in_block ? 2 * V::z * g.places : 0);
    auto* const end = absent + (shape.couplings_in_block && V::diluted ? 2 * V::z * g.places : 0);
    unsatisfied = reinterpret_cast<int*>(end);
    thresholds = reinterpret_cast<BitThreshold*>(unsatisfied + 32 * V::words * shape.places);
  }
};

/// The sweeps of a step, and the energies after them, of the replicas at shape.places places of a pack, which stay in
/// shared memory. Grid: packs x the parts of the places. Deterministic: integers. Bound by logic: about 22 instructions
/// for a word of 32 spins (Metropolis, d = 3), its random word included.
template <class V>
__global__ void __launch_bounds__(most_threads, 1)
    resident_kernel(const __grid_constant__ MultispinBatch b, const __grid_constant__ SweepShape shape,
                    std::uint64_t step) {
  using Site = typename V::Site;
  extern __shared__ __align__(16) std::uint32_t memory[];
  const HalfLattice& g = b.lattice;
  const BlockMemory<V> block(memory, g, shape);
  const int parts = (b.replicas() + shape.places - 1) / shape.places;
  const int pack = static_cast<int>(blockIdx.x) / parts, part = static_cast<int>(blockIdx.x) - pack * parts;
  const int first_place = part * shape.places, present = min(shape.places, b.replicas() - first_place);
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  auto* const spins = reinterpret_cast<Site*>(b.spins_of(pack, first_place));
  const auto* negative = reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words());
  const auto* absent = V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr;
  copy(block.spins, spins, 2 * g.places * present);
  if (shape.couplings_in_block) {
    copy(block.negative, negative, 2 * V::z * g.places);
    negative = block.negative;
    if constexpr (V::diluted) {
      copy(block.absent, absent, 2 * V::z * g.places);
      absent = block.absent;
    }
  }
  for (int i = thread; i < shape.places * V::thresholds; i += threads) {
    const int place = min(first_place + i / V::thresholds, b.replicas() - 1);
    block.thresholds[i] = b.d_threshold[place % b.common.slots * V::thresholds + i % V::thresholds];
  }
  for (int i = thread; i < 32 * V::words * shape.places; i += threads) block.unsatisfied[i] = 0;

  const BitPack& of_pack = b.d_packs[pack];
  const int groups = threads / shape.walkers, group = thread / shape.walkers, walker = thread - group * shape.walkers;
  const int of_group = shape.places / groups;  // replicas; threads past the last group have none
  PackView<V> view{block.spins + group * of_group * 2 * g.places,
                   negative,
                   absent,
                   block.thresholds + group * of_group * V::thresholds,
                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const int quads = group < groups ? g.quads : 0;
  const bool one_quad = shape.walkers >= g.quads;
  HalfLattice::Quad quad{};
  if (walker < quads) quad = g.template quad<V::dim>(walker);
  __syncthreads();

  const std::uint64_t first = 2 * b.steps_before(pack, step) * static_cast<unsigned>(b.sweeps);
#pragma unroll 1
  for (int half = 0; half < 2 * b.sweeps; ++half) {
    const HalfSweepCounter counter(first + static_cast<unsigned>(half), of_pack.group);
#pragma unroll 1
    for (int q = walker; q < quads; q += shape.walkers) {
      if (!one_quad) quad = g.template quad<V::dim>(q);
      sweep_quad<V>(g, view, quad, half & 1, b.common.key, counter, first_place + group * of_group, of_group);
    }
    __syncthreads();
  }

  const int warp = thread / 32, warps = threads / 32;
  constexpr int few_bits = 6, many_bits = 10;  // for one quad of a thread, and for several
  const int share = (g.quads * present + threads - 1) / threads;
  const int chunk = 32 * min(share, most_quads<V::dim, many_bits>), chunks = (g.quads + chunk - 1) / chunk;
#pragma unroll 1
  for (int item = warp; item < present * chunks; item += warps) {
    const int replica = item / chunks, begin = (item - replica * chunks) * chunk, end = min(begin + chunk, g.quads);
    const ReplicaSites<Site> load{block.spins + replica * 2 * g.places, g.places};
    int* const total = block.unsatisfied + replica * 32 * V::words;
    if (chunk == 32) {
      count_bonds<V, few_bits>(g, load, negative, absent, begin, end, total);
    } else {
      count_bonds<V, many_bits>(g, load, negative, absent, begin, end, total);
    }
  }
  __syncthreads();
  copy(b.d_unsatisfied + b.lane_of(pack, first_place, 0), block.unsatisfied, 32 * V::words * present);
  copy(spins, block.spins, 2 * g.places * present);
}

/// One half-sweep where spins stay in the memory of the device. Grid: quads of all replicas, a thread each.
template <class V>
__global__ void __launch_bounds__(256)
    half_sweep_kernel(const __grid_constant__ MultispinBatch b, std::uint64_t step, int half) {
  using Site = typename V::Site;
  const HalfLattice& g = b.lattice;
  const std::int64_t item = std::int64_t{blockIdx.x} * 256 + threadIdx.x;
  const std::int64_t replica = item / g.quads;
  if (replica >= std::int64_t{b.packs} * b.replicas()) return;
  const int pack = static_cast<int>(replica / b.replicas()), place = static_cast<int>(replica - pack * b.replicas());
  const BitPack& of_pack = b.d_packs[pack];
  PackView<V> view{reinterpret_cast<Site*>(b.spins_of(pack, place)),
                   reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words()),
                   V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr,
                   b.d_threshold + place % b.common.slots * V::thresholds,
                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const std::uint64_t first = 2 * b.steps_before(pack, step) * static_cast<unsigned>(b.sweeps);
  sweep_quad<V>(g, view, g.template quad<V::dim>(static_cast<int>(item - replica * g.quads)), half & 1, b.common.key,
                HalfSweepCounter(first + static_cast<unsigned>(half), of_pack.group), place, 1);
}

/// Unsatisfied bonds of replicas in the memory of the device, added to d_unsatisfied. Grid: (chunks of quads,
/// replicas), a warp each.
template <class V>
__global__ void __launch_bounds__(32) bonds_kernel(const __grid_constant__ MultispinBatch b) {
  using Site = typename V::Site;
  constexpr int bits = 10, chunk = bond_quads(V::dim);
  static_assert(chunk <= 32 * most_quads<V::dim, bits>);
  const HalfLattice& g = b.lattice;
  const auto replica = static_cast<int>(blockIdx.x);
  const int pack = replica / b.replicas(), begin = static_cast<int>(blockIdx.y) * chunk;
  const ReplicaSites<Site> load{reinterpret_cast<const Site*>(b.d_spins + replica * b.replica_words()), g.places};
  count_bonds<V, bits>(g, load, reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words()),
                       V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr,
                       begin, min(begin + chunk, g.quads), b.d_unsatisfied + std::int64_t{replica} * b.lanes());
}

template <int dim, bool diluted, MultispinRule rule>
SweepKernels kernels_of(int words, int together) {
  using Plain = Variant<dim, 4, diluted, rule, 1>;
  SweepKernels kernels{nullptr, half_sweep_kernel<Plain>, bonds_kernel<Plain>};
  if (words == 4 && together == 1) kernels.resident = resident_kernel<Plain>;
  if (words == 1 && together == 1) kernels.resident = resident_kernel<Variant<dim, 1, diluted, rule, 1>>;
  if constexpr (!diluted) {
    if (words == 4 && together == 2) kernels.resident = resident_kernel<Variant<dim, 4, diluted, rule, 2>>;
  }
  if (words == 2 && together == 2) kernels.resident = resident_kernel<Variant<dim, 2, diluted, rule, 2>>;
  return kernels;
}

}  // namespace glassworks::inline cuda::multispin

namespace glassworks::inline cuda {

template <int dim>
SweepKernels sweep_kernels(bool diluted, MultispinRule rule, int words, int together) {
  constexpr auto metropolis = MultispinRule::metropolis, heat_bath = MultispinRule::heat_bath;
  if (rule == metropolis) {
    return diluted ? multispin::kernels_of<dim, true, metropolis>(words, together)
                   : multispin::kernels_of<dim, false, metropolis>(words, together);
  }
  return diluted ? multispin::kernels_of<dim, true, heat_bath>(words, together)
                 : multispin::kernels_of<dim, false, heat_bath>(words, together);
}

}  // namespace glassworks::inline cuda
