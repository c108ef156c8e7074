#pragma once

#include <type_traits>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/cuda/multispin/step_parts.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// Kernels of the sweeps of multi-spin coding.
namespace glassworks { inline namespace cuda { namespace multispin {

/// The geometry of a lattice for a kernel.
template <class Geometry>
__device__ __forceinline__ Geometry geometry(const HalfLattice& lattice) {
  if constexpr (std::is_same_v<Geometry, HalfLattice>) {
    return lattice;
  } else {
    return {};
  }
}

/// The sites of a replica, for BondCounter.
template <class Site>
struct ReplicaSites {
  const Site* spins;
  int places;
  __device__ __forceinline__ Site operator()(int colour, int place) const { return spins[colour * places + place]; }
};

/// The bonds of quads first, first + 32, ... below end, by a warp. bits: of numbers in which they fit
template <class V, int bits, class Geometry, class Load>
__device__ __forceinline__ void count_bonds(const Geometry& g, const Load& load, const typename V::Site* negative,
                                            const typename V::Site* absent, int first, int end, int* total) {
  BondCounter<V::dim, V::words, bits> counter;
#pragma unroll 1
  for (int q = first + static_cast<int>(threadIdx.x & 31U); q < end; q += 32) {
    counter.add(g, quad_of<V::dim>(g, q), load, negative, absent);
  }
  counter.add_to(total);
}

/// Where the parts of the shared memory of a block begin.
template <class V, class Geometry>
struct BlockMemory {
  typename V::Site *spins, *negative, *absent;
  BitThreshold* thresholds;
  int* unsatisfied;
  std::uint32_t* exchanged;  ///< lanes that take the spins of another place [place][word]

  __device__ BlockMemory(std::uint32_t* memory, const Geometry& g, const SweepShape& shape) {
    spins = reinterpret_cast<typename V::Site*>(memory);
    negative = spins + 2 * g.places * shape.places;
    absent = negative + (V::couplings_in_block ? V::z * g.places : 0);
    auto* const end = absent + (V::couplings_in_block && V::diluted ? V::z * g.places : 0);
    unsatisfied = reinterpret_cast<int*>(end);
    exchanged = reinterpret_cast<std::uint32_t*>(unsatisfied + 32 * V::words * shape.places);
    thresholds = reinterpret_cast<BitThreshold*>(exchanged + V::words * shape.places + (V::words * shape.places & 1));
  }
};

/// A part of a step for the replicas at shape.places places of a pack, which stay in shared memory. Reads the present
/// spins and writes the next ones. Grid: packs x the parts of the places. Deterministic: integers. Bound by logic:
/// about 22 instructions for a word of 32 spins (Metropolis, d = 3), its random word included.
template <class V, class Geometry>
__global__ void __launch_bounds__(most_sweep_threads, 1)
    resident_kernel(const __grid_constant__ MultispinBatch b, const __grid_constant__ SweepShape shape,
                    const __grid_constant__ StepPart of_step) {
  using Site = typename V::Site;
  extern __shared__ __align__(16) std::uint32_t memory[];
  const Geometry g = geometry<Geometry>(b.lattice);
  const BlockMemory<V, Geometry> block(memory, g, shape);
  const Part part(b, shape);
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);

  const auto* negative = reinterpret_cast<const Site*>(b.d_negative + part.pack * b.coupling_words());
  const auto* absent =
      V::diluted ? reinterpret_cast<const Site*>(b.d_absent + part.pack * b.coupling_words()) : nullptr;
  if constexpr (V::couplings_in_block) {  // nothing changes them: before the kernel before has ended
    copy(block.negative, negative, V::z * g.places);
    negative = block.negative;
    if constexpr (V::diluted) {
      copy(block.absent, absent, V::z * g.places);
      absent = block.absent;
    }
  }
  constexpr int of_slot = V::thresholds_of_slot;
  for (int i = thread; i < shape.places * of_slot; i += threads) {
    const int place = min(part.first + i / of_slot, b.replicas() - 1);
    block.thresholds[i] = b.d_threshold[place % b.common.slots * of_slot + i % of_slot];
  }
  for (int i = thread; i < 32 * V::words * shape.places; i += threads) block.unsatisfied[i] = 0;
  const std::uint64_t step = of_step.step;
  begin_part<V::words>(b, part, of_step, 2 * g.places, block.exchanged, block.spins);

  const BitPack& of_pack = b.d_packs[part.pack];
  const int group = thread / shape.walkers, walker = thread - group * shape.walkers;
  const int of_group = shape.places / shape.groups;  // replicas; threads past the last group have none
  PackView<V> view{block.spins + group * of_group * 2 * g.places,
                   negative,
                   absent,
                   block.thresholds + group * of_group * of_slot,
                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const int quads = group < shape.groups ? g.quads : 0;
  const bool one_quad = shape.walkers >= g.quads, along_x = shape.walkers == g.plane;
  Quad quad{};
  if (walker < quads) quad = quad_of<V::dim>(g, walker);
  __syncthreads();

  const std::uint64_t first = 2 * b.steps_before(part.pack, step) * static_cast<unsigned>(b.sweeps);
  const auto half_sweep = [&]<int colour>(std::uint64_t number) {
    const HalfSweepCounter counter(number, of_pack.group);
#pragma unroll 1
    for (int q = walker; q < quads; q += shape.walkers) {
      if (!one_quad) {
        if (along_x && q != walker) {
          quad.template advance<V::z>(g);
        } else {
          quad = quad_of<V::dim>(g, q);
        }
      }
      sweep_quad<V, colour>(g, view, quad, b.common.key, counter, part.first + group * of_group, of_group);
    }
    __syncthreads();
  };
#pragma unroll 1
  for (int sweep = of_step.begin; sweep < of_step.end; ++sweep) {
    half_sweep.template operator()<0>(first + 2 * static_cast<unsigned>(sweep));
    half_sweep.template operator()<1>(first + 2 * static_cast<unsigned>(sweep) + 1);
  }

  auto* const next =
      reinterpret_cast<Site*>(b.d_next_spins) + (std::int64_t{part.pack} * b.replicas() + part.first) * 2 * g.places;
  if (!of_step.energies) {
    copy(next, block.spins, 2 * g.places * part.present);
    return;
  }
  const int warp = thread / 32, warps = threads / 32;
  constexpr int few_bits = 6, many_bits = 10;  // for one quad of a thread, and for several
  const int share = (g.quads * part.present + threads - 1) / threads;
  const int chunk = 32 * min(share, most_quads<V::dim, many_bits>), chunks = (g.quads + chunk - 1) / chunk;
#pragma unroll 1
  for (int item = warp; item < part.present * chunks; item += warps) {
    const int replica = item / chunks, begin = (item - replica * chunks) * chunk, end = min(begin + chunk, g.quads);
    const ReplicaSites<Site> load{block.spins + replica * 2 * g.places, g.places};
    int* const total = block.unsatisfied + replica * 32 * V::words;
    if (chunk == 32) {
      count_bonds<V, few_bits>(g, load, negative, absent, begin, end, total);
    } else {
      count_bonds<V, many_bits>(g, load, negative, absent, begin, end, total);
    }
  }
  copy(next, block.spins, 2 * g.places * part.present);
  __syncthreads();
  copy(b.d_next_unsatisfied + b.lane_of(part.pack, part.first, 0), block.unsatisfied, 32 * V::words * part.present);
}

/// One half-sweep where spins stay in the memory of the device, in place. Grid: quads of all replicas, a thread each.
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
                   b.d_threshold + place % b.common.slots * V::thresholds_of_slot,
                   {}};
#pragma unroll
  for (int w = 0; w < V::words; ++w) view.turn[w] = of_pack.turn[w];
  const std::uint64_t first = 2 * b.steps_before(pack, step) * static_cast<unsigned>(b.sweeps);
  const Quad quad = quad_of<V::dim>(g, static_cast<int>(item - replica * g.quads));
  const HalfSweepCounter counter(first + static_cast<unsigned>(half), of_pack.group);
  if ((half & 1) == 0) {
    sweep_quad<V, 0>(g, view, quad, b.common.key, counter, place, 1);
  } else {
    sweep_quad<V, 1>(g, view, quad, b.common.key, counter, place, 1);
  }
}

/// Unsatisfied bonds of replicas in the memory of the device, added to d_unsatisfied. Grid: (replicas, chunks of
/// quads), a warp each.
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

/// Spins -1 of replicas in the memory of the device, added to d_down. Grid: (replicas, chunks of down_sites), a warp
/// each.
template <int words>
__global__ void __launch_bounds__(32) down_kernel(const __grid_constant__ MultispinBatch b) {
  constexpr int bits = 10;
  static_assert(down_sites < 32 << bits);
  const int sites = 2 * b.lattice.places, first = static_cast<int>(blockIdx.y) * down_sites;
  const auto replica = static_cast<int>(blockIdx.x), end = min(first + down_sites, sites);
  const auto* const spins = reinterpret_cast<const Words<words>*>(b.d_spins + replica * b.replica_words());
  typename Sums::Number<bits> count[words];
#pragma unroll 1
  for (int i = first + static_cast<int>(threadIdx.x); i < end; i += 32) {
    const Words<words> s = spins[i];
#pragma unroll
    for (int w = 0; w < words; ++w) count[w].add(s.word[w]);
  }
#pragma unroll
  for (int w = 0; w < words; ++w) {
    int sum = 0;
#pragma unroll
    for (int k = 0; k < bits; ++k) sum += sum_of_lane(count[w].bit[k]) << k;
    atomicAdd(b.d_down + std::int64_t{replica} * b.lanes() + 32 * w + (threadIdx.x & 31U), sum);
  }
}

/// The kernels in a constant field: spins stay in the memory of the device. The rule is in the thresholds.
template <int dim, bool diluted>
SweepKernels kernels_in_field() {
  using V = Variant<dim, 4, diluted, MultispinRule::heat_bath, 1, false, true>;
  return {nullptr, half_sweep_kernel<V>, bonds_kernel<V>, down_kernel<4>};
}

/// The kernels that are compiled for a geometry: fewer where the size is not known to the compiler.
template <int dim, bool diluted, MultispinRule rule, class Geometry>
SweepKernels kernels_of(const SweepForm& form) {
  using Plain = Variant<dim, 4, diluted, rule, 1, false>;
  constexpr bool fixed = !std::is_same_v<Geometry, HalfLattice>;
#if GLASSWORKS_CUDA_ALL_SIZES
  constexpr bool every_form = true;
#else
  constexpr bool every_form = fixed && dim == 3 && rule == MultispinRule::metropolis;
#endif
  SweepKernels kernels{nullptr, half_sweep_kernel<Plain>, bonds_kernel<Plain>, nullptr};
  const auto offer = [&]<class V>() {
    if (form == SweepForm{V::words, V::replicas_together, V::couplings_in_block}) {
      kernels.resident = resident_kernel<V, Geometry>;
    }
  };
  offer.template operator()<Plain>();
  if constexpr (every_form) offer.template operator()<Variant<dim, 1, diluted, rule, 1, false>>();
  if constexpr (every_form && fixed && !diluted) {
    constexpr int coupling_bytes = 16 * 2 * dim * Geometry::places, most_in_block = 100 << 10;
    if constexpr (coupling_bytes <= most_in_block) {
      offer.template operator()<Variant<dim, 4, diluted, rule, 1, true>>();
      offer.template operator()<Variant<dim, 4, diluted, rule, 2, true>>();
      offer.template operator()<Variant<dim, 1, diluted, rule, 1, true>>();
    } else {
      offer.template operator()<Variant<dim, 4, diluted, rule, 2, false>>();
      offer.template operator()<Variant<dim, 2, diluted, rule, 2, false>>();
    }
  }
  return kernels;
}

template <int dim, bool diluted, class Geometry>
SweepKernels kernels_for_rule(MultispinRule rule, const SweepForm& form) {
  if (rule == MultispinRule::metropolis) return kernels_of<dim, diluted, MultispinRule::metropolis, Geometry>(form);
  return kernels_of<dim, diluted, MultispinRule::heat_bath, Geometry>(form);
}

/// Those of a chain: the sizes have kernels of their own.
template <int dim, int... sizes>
SweepKernels kernels_for_sizes(const SweepKind& kind, const SweepForm& form) {
  if (kind.in_field) return kind.diluted ? kernels_in_field<dim, true>() : kernels_in_field<dim, false>();
  if (kind.diluted) return kernels_for_rule<dim, true, HalfLattice>(kind.rule, form);
  SweepKernels kernels{};
  const auto fits = [&]<int L>() {
    if (kind.lattice.L == L) kernels = kernels_for_rule<dim, false, FixedHalfLattice<dim, L>>(kind.rule, form);
    return kind.lattice.L == L;
  };
  if ((fits.template operator()<sizes>() || ...)) return kernels;
  return kernels_for_rule<dim, false, HalfLattice>(kind.rule, form);
}

}}}  // namespace glassworks::cuda::multispin
