#pragma once

#include "kernels/cuda/tile.hpp"
#include "kernels/cuda/tile_item.cuh"

namespace glassworks { inline namespace cuda {

/// The dynamic shared memory of a block, by addresses in the shared window. The order of these accesses against
/// barriers is kept, because all are volatile.
struct TileMemory {
  static __device__ __forceinline__ unsigned address(int word) {
    extern __shared__ float tile_spins[];
    return static_cast<unsigned>(__cvta_generic_to_shared(tile_spins)) + 4U * static_cast<unsigned>(word);
  }
  static __device__ __forceinline__ float load(unsigned address) {
    float x;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(address));
    return x;
  }
  static __device__ __forceinline__ void store(unsigned address, float x) {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
  }
  static __device__ __forceinline__ void copy(unsigned to, const float* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }
  static __device__ __forceinline__ void prefetch(const float* from) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
  }
  /// The same number, of which the compiler knows nothing: what is made of it is not kept in registers for later.
  static __device__ __forceinline__ int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }
};

/// What the threads of a block share beside the spins.
template <class Shape>
struct TileScratch {
  TileOrigin origin;
  int task, first, end;  ///< replicas first .. end - 1 of a realization
  std::uint32_t realization;
  std::uint64_t heat_bath_sweep;  ///< number of the first one
  exact::HeatBathTemperature<float> temperature[Shape::items];
};

/// One block of the tile kernel: one tile of one realization, for a run of replicas, one or `items` at a time.
template <class Shape, bool with_fields, bool repeated>
class TileBlock {
 public:
  using Item = TileItem<Shape, with_fields, TileMemory>;
  static constexpr int items = Shape::items, per_item = Shape::threads_per_item;

  /// scratch: ready, and seen by all threads.
  __device__ __forceinline__ TileBlock(const DeviceBatch& batch, TileScratch<Shape>& scratch)
      : b_(batch),
        scratch_(scratch),
        thread_(static_cast<int>(threadIdx.x)),
        item_(has_sites() ? thread_ : 0, batch.lattice.L, scratch.origin) {}

  __device__ __forceinline__ void run() {
    const int task = scratch_.task;
    item_.load_couplings(b_.couplings_of(task), with_fields ? b_.fields_of(task) : nullptr);
#pragma unroll 1
    for (int first = scratch_.first; first < scratch_.end; first += items) {
      first_ = first;
      arrive();
      all_sweeps();
      if (has_sites() && (items == 1 || first_ + local() < scratch_.end)) item_.store(spins(first_));
    }
  }

  /// Fills the scratch; by one thread. Blocks are numbered (task, run, tile), tile fastest: so neighbouring tiles of a
  /// replica are worked on at about the same time and share what lies between them in the cache.
  static __device__ __forceinline__ void find_work(const DeviceBatch& b, const TileWork& w, TileScratch<Shape>& s) {
    const int edge = b.lattice.L / Shape::T, half_edge = edge / 2;
    int n = static_cast<int>(blockIdx.x);
    const int X = n % half_edge;
    n /= half_edge;
    const int Y = n % edge;
    n /= edge;
    const int Z = n % edge;
    n /= edge;
    const int run = n % w.runs;
    s.task = n / w.runs;
    s.origin = {(2 * X + ((Y + Z + w.colour) & 1)) * Shape::T, Y * Shape::T, Z * Shape::T};
    const auto begin_of = [&](int i) { return static_cast<int>(static_cast<std::int64_t>(b.replicas()) * i / w.runs); };
    s.first = begin_of(run);
    s.end = begin_of(run + 1);
    s.realization = b.d_realization[s.task];
    s.heat_bath_sweep = ((b.d_first_step[s.task] + w.step) * static_cast<unsigned>(b.protocol.sweeps_per_exchange) +
                         static_cast<unsigned>(w.t)) *
                        static_cast<unsigned>(b.protocol.tile_repeats * b.protocol.heatbath);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ bool has_sites() const {
    return Shape::threads == per_item * items || thread_ < per_item * items;
  }
  [[nodiscard]] __device__ __forceinline__ int local() const {
    return items > 1 ? TileMemory::opaque(thread_) / per_item : 0;
  }
  /// The thread's replica; where the last run of several ends early, its last one once more.
  [[nodiscard]] __device__ __forceinline__ int replica(int first) const {
    return items > 1 ? min(first + local(), scratch_.end - 1) : first;
  }
  [[nodiscard]] __device__ __forceinline__ float* spins(int first) const {
    return b_.spins_of(scratch_.task, replica(first));
  }
  static __device__ __forceinline__ void barrier() {
    if constexpr (Shape::threads == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  __device__ __forceinline__ void arrive() {
    if (has_sites()) item_.fetch_halo(spins(first_));
    item_.load(spins(first_));
    if (has_sites() && thread_ % per_item == 0) {
      const std::int64_t r = static_cast<std::int64_t>(scratch_.task) * b_.replicas() + replica(first_);
      scratch_.temperature[local()] = b_.d_temperature[b_.d_slot[r]];
    }
    if (has_sites()) {
      item_.template show<0>();
      item_.template show<1>();
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    barrier();
    if (first_ + items < scratch_.end) item_.prefetch(spins(first_ + items));
  }

  /// A kernel without repetitions has no loop over them: even a loop of one turn takes registers, and 6 % of the time.
  __device__ __forceinline__ void all_sweeps() {
    if constexpr (repeated) {
      const int n_B = b_.protocol.heatbath, all = b_.protocol.tile_repeats * n_B;
#pragma unroll 1
      for (int done = 0; done < all; done += n_B) sweeps(done);
    } else {
      sweeps(0);
    }
  }
  /// n_M over-relaxation and n_B heat-bath sweeps; `done`: heat-bath sweeps before them.
  __device__ __forceinline__ void sweeps(int done) {
    const int n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
#pragma unroll 1
    for (int m = 0; m < n_M; ++m) {
      item_.template over_relax<0>();
      shown<0>();
      item_.template over_relax<1>();
      shown<1>();
    }
#pragma unroll 1
    for (int m = done; m < done + n_B; ++m) {
      local_updates<0>(m);
      local_updates<1>(m);
    }
  }
  template <int parity>
  __device__ __forceinline__ void local_updates(int m) {
    const std::uint64_t sweep = scratch_.heat_bath_sweep + static_cast<unsigned>(m);
    item_.template local_updates<parity>(scratch_.temperature[local()], sweep, [&](std::uint32_t cell) {
      return random_block(b_.key, Shape::Chain::value.local_stream, scratch_.realization,
                          static_cast<std::uint32_t>(replica(first_)), 2 * sweep + parity, cell);
    });
    shown<parity>();
  }
  template <int parity>
  __device__ __forceinline__ void shown() const {
    if (has_sites()) item_.template show<parity>();
    barrier();
  }

  const DeviceBatch& b_;
  TileScratch<Shape>& scratch_;
  int thread_;
  Item item_;
  int first_ = 0;  ///< replica of the block; of its first item, if it has several
};

/// `tile_repeats` times n_M over-relaxation and n_B heat-bath sweeps of every tile of one colour, of every replica of
/// the batch; `repeated`: tile_repeats may be more than 1.
///
/// Grid: task, run of replicas, tile. A tile's spins stay in registers and shared memory for all sweeps, its couplings
/// in registers for a run of replicas. Streams: heat_bath or local_update. Same bits for every grid: tiles of a colour
/// are independent. Traffic per site of a tile: 4 n bytes each way, and the halo once (6/T sites per site, mostly from
/// the second-level cache).
template <class Shape, bool with_fields, bool repeated>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_multiprocessor)
    tile_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ TileWork work) {
  __shared__ TileScratch<Shape> scratch;
  using Block = TileBlock<Shape, with_fields, repeated>;
  if (threadIdx.x == 0) Block::find_work(batch, work, scratch);
  __syncthreads();
  Block(batch, scratch).run();
}

template <class Shape>
TileVariant tile_variant() {
  return {Shape::Chain::value,
          Shape::T,
          Shape::threads,
          Shape::items,
          Shape::shared_bytes,
          {{reinterpret_cast<const void*>(&tile_kernel<Shape, false, false>),
            reinterpret_cast<const void*>(&tile_kernel<Shape, false, true>)},
           {reinterpret_cast<const void*>(&tile_kernel<Shape, true, false>),
            reinterpret_cast<const void*>(&tile_kernel<Shape, true, true>)}}};
}

}}  // namespace glassworks::cuda
