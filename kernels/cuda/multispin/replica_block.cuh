#pragma once

#include <type_traits>

#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/cuda/multispin/step_parts.cuh"
#include "kernels/cuda/multispin/sweep_job.hpp"

/// Replicas of a pack in the shared memory of a block: their sweeps and energies.
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

/// The ends of a lattice at a quad, by its number. open: Lattice::open
template <class V, class Geometry>
[[nodiscard]] __device__ __forceinline__ typename V::Ends ends_of(const Geometry& g, int q, unsigned open) {
  if constexpr (V::open_ends) {
    return QuadEnds::of<V::dim>(g, q, open);
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

/// How many quads of a replica the threads of a warp have side by side: all, where several replicas share a warp.
template <class Geometry>
constexpr int quads_of_warp = 32;
template <int dim, int edge>
requires(FixedHalfLattice<dim, edge>::quads == 8 ||
         FixedHalfLattice<dim, edge>::quads ==
             16) constexpr int quads_of_warp<FixedHalfLattice<dim, edge>> = FixedHalfLattice<dim, edge>::quads;

/// The bonds of quads first, first + 32, ... below end, by a warp. bits: of numbers in which they fit
template <class V, int bits, class Geometry, class Load>
__device__ __forceinline__ void count_bonds(const Geometry& g, unsigned open, const Load& load,
                                            const typename V::Site* negative, const typename V::Site* absent, int first,
                                            int end, int* total) {
  BondCounter<V::dim, V::words, bits> counter;
#pragma unroll 1
  for (int q = first + static_cast<int>(threadIdx.x & 31U); q < end; q += 32) {
    counter.add(g, quad_of<V::dim>(g, q), ends_of<V>(g, q, open), load, negative, absent);
  }
  counter.add_to(total);
}

/// Replicas at some places of a pack, in the shared memory of a block.
template <class V, class Geometry>
struct ReplicaBlock {
  using Site = typename V::Site;

  Geometry g;
  Site *spins, *couplings, *absent_couplings;  ///< the latter two only if V::couplings_in_block
  BitThreshold* thresholds;
  int* unsatisfied;          ///< bonds [place][lane]
  int* down;                 ///< spins -1 [place][lane], only in a field
  std::uint32_t* exchanged;  ///< lanes that take the spins of another place [place][word]
  std::uint16_t* walkers;    ///< of a ladder: before and after its exchanges [2][place][lane]
  const Site *negative, *absent;
  unsigned open;  ///< Lattice::open

  __device__ __forceinline__ ReplicaBlock(std::uint32_t* memory, const MultispinBatch& b, const SweepShape& shape,
                                          int pack)
      : g(geometry<Geometry>(b.lattice)) {
    spins = reinterpret_cast<Site*>(memory);
    couplings = spins + 2 * g.places * shape.places;
    absent_couplings = couplings + (V::couplings_in_block ? V::z * g.places : 0);
    auto* const end = absent_couplings + (V::couplings_in_block && V::diluted ? V::z * g.places : 0);
    unsatisfied = reinterpret_cast<int*>(end);
    down = unsatisfied + (V::in_field ? 32 * V::words * shape.places : 0);
    exchanged = reinterpret_cast<std::uint32_t*>(down + 32 * V::words * shape.places);
    thresholds = reinterpret_cast<BitThreshold*>(exchanged + V::words * shape.places + (V::words * shape.places & 1));
    walkers = reinterpret_cast<std::uint16_t*>(thresholds + V::thresholds_of_slot * shape.places);
    negative = reinterpret_cast<const Site*>(b.d_negative + pack * b.coupling_words());
    absent = V::diluted ? reinterpret_cast<const Site*>(b.d_absent + pack * b.coupling_words()) : nullptr;
    open = b.common.lattice.open;
  }

  /// What no kernel changes: before the kernel before has ended. first: place
  __device__ __forceinline__ void begin(const MultispinBatch& b, const SweepShape& shape, int first) {
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    if constexpr (V::couplings_in_block) {
      copy(couplings, negative, V::z * g.places);
      negative = couplings;
      if constexpr (V::diluted) {
        copy(absent_couplings, absent, V::z * g.places);
        absent = absent_couplings;
      }
    }
    constexpr int of_slot = V::thresholds_of_slot;
    for (int i = thread; i < shape.places * of_slot; i += threads) {
      const int place = min(first + i / of_slot, b.replicas() - 1);
      thresholds[i] = b.d_threshold[place % b.common.slots * of_slot + i % of_slot];
    }
    clear(shape);
  }
  __device__ __forceinline__ void clear(const SweepShape& shape) const {
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < 32 * V::words * shape.places; i += threads) unsatisfied[i] = 0;
    if constexpr (V::in_field) {
      for (int i = thread; i < 32 * V::words * shape.places; i += threads) down[i] = 0;
    }
  }

  /// Adds what the energies of the replicas depend on to `unsatisfied` and `down`.
  __device__ __forceinline__ void count(const SweepShape& shape, int replicas) const {
    count_unsatisfied(shape, replicas);
    if constexpr (V::in_field) {
      const int sites = 2 * g.places, parts = (sites + most_down_sites - 1) / most_down_sites;
      const auto warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
#pragma unroll 1
      for (int item = warp; item < replicas * parts; item += warps) {
        const int replica = item / parts, first = (item - replica * parts) * most_down_sites;
        count_down<V::words>(spins + replica * sites, first, min(first + most_down_sites, sites),
                             down + replica * 32 * V::words);
      }
    }
  }

 private:
  __device__ __forceinline__ void count_unsatisfied(const SweepShape& shape, int replicas) const {
    const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    const int warp = thread / 32, warps = threads / 32;
    constexpr int few_bits = BondCounter<V::dim, V::words, 8>::of_quad, many_bits = 8;
    constexpr int together = 32 / quads_of_warp<Geometry>;  // replicas
    if constexpr (together > 1) {
      const int quad = thread % quads_of_warp<Geometry>;
#pragma unroll 1
      for (int first = warp * together; first < replicas; first += warps * together) {
        const int replica = first + (thread & 31) / quads_of_warp<Geometry>;
        BondCounter<V::dim, V::words, few_bits> counter;
        const ReplicaSites<Site> load{spins + min(replica, replicas - 1) * 2 * g.places, g.places};
        counter.add(g, quad_of<V::dim>(g, quad), ends_of<V>(g, quad, open), load, negative, absent);
        int* const total = unsatisfied + replica * 32 * V::words;
        sum_lanes<V::words, quads_of_warp<Geometry>>(counter.number, [&](int lane, int sum) {
          if (replica < replicas) total[lane] = sum;
        });
      }
    } else {
      const int chunk = 32 * shape.counted, chunks = (g.quads + chunk - 1) / chunk;
#pragma unroll 1
      for (int item = warp; item < replicas * chunks; item += warps) {
        const int replica = item / chunks, first = (item - replica * chunks) * chunk, end = min(first + chunk, g.quads);
        const ReplicaSites<Site> load{spins + replica * 2 * g.places, g.places};
        int* const total = unsatisfied + replica * 32 * V::words;
        if (chunk == 32) {
          count_bonds<V, few_bits>(g, open, load, negative, absent, first, end, total);
        } else {
          count_bonds<V, many_bits>(g, open, load, negative, absent, first, end, total);
        }
      }
    }
  }
};

/// A thread of such a block in its sweeps: its quads, and the replicas in which it updates them.
template <class V, class Geometry>
class BlockSweeps {
 public:
  /// first_place: of the block
  __device__ __forceinline__ BlockSweeps(const ReplicaBlock<V, Geometry>& block, const MultispinBatch& b,
                                         const SweepShape& shape, int pack, int first_place)
      : b_(b), shape_(shape), g_(block.g), pack_(pack) {
    const int bundles = shape.places / V::replicas_together;
    const QuadWalk walk(g_, static_cast<int>(threadIdx.x), shape.walkers, shape.groups);
    const int group = walk.group;
    walker_ = walk.walker;
    one_quad_ = shape.walkers >= g_.quads;
    const int first = group * bundles / shape.groups * V::replicas_together;
    replicas_ = (group + 1) * bundles / shape.groups * V::replicas_together - first;
    first_place_ = first_place + first;
    view_ = {block.spins + first * 2 * g_.places,
             block.negative,
             block.absent,
             block.thresholds + first * V::thresholds_of_slot,
             {}};
    const BitPack& of_pack = b.d_packs[pack];
    group_ = of_pack.group;
#pragma unroll
    for (int w = 0; w < V::words; ++w) view_.turn[w] = of_pack.turn[w];
    quads_ = group < shape.groups ? g_.quads : 0;  // threads past the last group have none
    along_x_ = shape.walkers == g_.plane;
    if (walker_ < quads_) take_quad(walker_);
  }

  /// Sweeps begin to end of a step of the round, then a barrier.
  __device__ __forceinline__ void run(std::uint64_t step, int begin, int end) {
    const std::uint64_t first = 2 * b_.steps_before(pack_, step) * static_cast<unsigned>(b_.sweeps);
#pragma unroll 1
    for (int sweep = begin; sweep < end; ++sweep) {
      half_sweep<0>(first + 2 * static_cast<unsigned>(sweep));
      half_sweep<1>(first + 2 * static_cast<unsigned>(sweep) + 1);
    }
  }

 private:
  __device__ __forceinline__ void take_quad(int q) {
    quad_ = quad_of<V::dim>(g_, q);
    ends_ = ends_of<V>(g_, q, b_.common.lattice.open);
  }
  template <int colour>
  __device__ __forceinline__ void half_sweep(std::uint64_t number) {
    const HalfSweepCounter counter(number, group_);
#pragma unroll 1
    for (int q = walker_; q < quads_; q += shape_.walkers) {
      if (!one_quad_) {
        if (along_x_ && q != walker_) {
          quad_.template advance<V::z>(g_);
          if constexpr (V::open_ends) ends_.advance(4 * g_.by_plane.of(q), g_.L, b_.common.lattice.open);
        } else {
          take_quad(q);
        }
      }
      sweep_quad<V, colour>(g_, view_, quad_, ends_, b_.common.key, counter, first_place_, replicas_);
    }
    __syncthreads();
  }

  const MultispinBatch& b_;
  const SweepShape& shape_;
  Geometry g_;
  int pack_, walker_ = 0, quads_ = 0, first_place_ = 0, replicas_ = 0;
  std::uint32_t group_ = 0;
  bool one_quad_ = false, along_x_ = false;
  PackView<V> view_{};
  Quad quad_{};
  typename V::Ends ends_{};
};

}}}  // namespace glassworks::cuda::multispin
