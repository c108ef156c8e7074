#pragma once

#include "kernels/cuda/exchange.cuh"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_item.cuh"

namespace glassworks {

/// What the threads of a block share beside the spins.
template <class Shape>
struct ResidentScratch {
  long long energy[Shape::items][Shape::copies];  ///< sums of the running step
  exact::HeatBathTemperature<float> temperature[Shape::items][Shape::copies];
};

/// The exchanges of a set of copies, by the first warp of a block. Not inlined: it is rare, and its registers and code
/// would weigh on the sweeps.
static __device__ __noinline__ void exchange_copies(const DeviceBatch& b, int task, int first_copy, int copies,
                                                    std::uint64_t step) {
  for (int copy = first_copy; copy < first_copy + copies; ++copy) {
    WarpExchange exchange(b, task, copy, step);
    exchange.collect_reports();
    exchange.run();
    exchange.give_orders();
  }
}

/// One work item: replica index k of a set of copies. Items are numbered (task, set of copies, k), k fastest.
struct ResidentAddress {
  int item, set, k;

  __device__ __forceinline__ ResidentAddress(int item_, int slots)
      : item(item_), set(item_ / slots), k(item_ % slots) {}
  __device__ __forceinline__ void advance(int by, int slots) {
    item += by;
    for (k += by; k >= slots; k -= slots) ++set;
  }
};

/// One block of the resident kernel: goes through its work items step by step.
template <class Shape, bool with_fields>
class ResidentBlock {
 public:
  using V = exact::Vector3<float>;
  using Item = ResidentItem<Shape, with_fields>;
  static constexpr int items = Shape::items, per_item = Shape::threads_per_item, copies = Shape::copies;

  __device__ __forceinline__ ResidentBlock(const DeviceBatch& batch, const ResidentWork& work,
                                           ResidentScratch<Shape>& scratch)
      : b_(batch),
        work_(work),
        scratch_(scratch),
        thread_(static_cast<int>(threadIdx.x)),
        local_(items > 1 && thread_ / per_item < items ? thread_ / per_item : 0),
        has_sites_(thread_ < per_item * items),
        rank_(Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0),
        item_(has_sites_ ? thread_ % per_item : 0, rank_),
        here_(0, 1) {}

  __device__ __forceinline__ void run() {
    const int groups = (work_.items + items - 1) / items;
    const int clusters = static_cast<int>(gridDim.x) / Shape::blocks;
    const int mine = static_cast<int>(blockIdx.x) / Shape::blocks;
    const int begin = share(groups, mine, clusters), count = share(groups, mine + 1, clusters) - begin;
    if (count == 0) return;
    const ResidentAddress first(begin * items + local_, b_.slots);
    const bool fetch_ahead = work_.buffers == 2 && count > 1;
    fetch_orders(first);
    if (fetch_ahead) fetch_spins(buffer(0), first);
    int current = 0;
    for (int s = 0; s < work_.steps; ++s) {
      step_ = work_.first_step + static_cast<unsigned>(s);
      here_ = first;
      for (int i = 0; i < count; ++i) {
        active_ = has_sites_ && here_.item < work_.items;
        const bool arrives = count > 1 || s == 0, leaves = count > 1 || s + 1 == work_.steps;
        take_temperatures();
        if (arrives) {
          if (!fetch_ahead) fetch_spins(buffer(current), here_);
          item_.use(buffer(current));
          if (active_) item_.take_prefetched();
          load_couplings();
        }
        barrier();
        ResidentAddress next = first;
        if (i + 1 < count) {
          next = here_;
          next.advance(items, b_.slots);
        }
        settle();
        if (i + 1 < count || s + 1 < work_.steps) {
          fetch_orders(next);
          if (fetch_ahead) fetch_spins(buffer(current ^ 1), next);
        }
        sweeps();
        if (active_ && leaves) store();
        report();
        if (fetch_ahead) current ^= 1;
        here_ = next;
      }
    }
    settle();
  }

 private:
  static __device__ __forceinline__ int share(int groups, int i, int n) {
    return static_cast<int>(static_cast<std::int64_t>(groups) * i / n);
  }
  __device__ __forceinline__ int buffer(int i) const { return i * Shape::buffer_packs + local_ * Shape::item_packs; }
  __device__ __forceinline__ void barrier() const {
    if constexpr (Shape::blocks > 1) {
      asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    } else {
      block_barrier();
    }
  }
  __device__ __forceinline__ void block_barrier() const {
    if constexpr (Shape::threads == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  [[nodiscard]] __device__ __forceinline__ int sets_per_task() const { return b_.copies / copies; }
  [[nodiscard]] __device__ __forceinline__ int task_of(const ResidentAddress& a) const {
    return a.set / sets_per_task();
  }
  [[nodiscard]] __device__ __forceinline__ int replica_of(const ResidentAddress& a, int copy) const {
    return (a.set % sets_per_task() * copies + copy) * b_.slots + a.k;
  }
  /// One thread of each item speaks for it; all of them are in the first warp.
  [[nodiscard]] __device__ __forceinline__ bool leads() const {
    return items > 1 ? has_sites_ && thread_ % per_item == 0 : thread_ == 0;
  }

  __device__ __forceinline__ void fetch_spins(int to, const ResidentAddress& a) {
    if (!has_sites_ || a.item >= work_.items) return;
    const float* spins[copies];
    for (int copy = 0; copy < copies; ++copy) spins[copy] = b_.spins_of(task_of(a), replica_of(a, copy));
    item_.forget_addresses();
    item_.prefetch(to, spins);
  }
  __device__ __forceinline__ void store() {
    float* spins[copies];
    for (int copy = 0; copy < copies; ++copy) spins[copy] = b_.spins_of(task_of(here_), replica_of(here_, copy));
    item_.forget_addresses();
    item_.store(spins);
  }
  __device__ __forceinline__ void load_couplings() {
    const int task = task_of(here_);
    if (task == couplings_of_ || !active_) return;
    couplings_of_ = task;
    item_.forget_addresses();
    item_.load_couplings(b_.couplings_of(task), with_fields ? b_.fields_of(task) : nullptr);
    realization_ = b_.d_realization[task];
    energy_multiplier_ = b_.energy_scale(task).multiplier();
  }

  /// Looks at the orders of an item early, so that the answer is there when it is needed.
  __device__ __forceinline__ void fetch_orders(const ResidentAddress& a) {
    if (!leads() || a.item >= work_.items) return;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) order_[copy] = order(a, copy);
  }
  [[nodiscard]] __device__ __forceinline__ unsigned long long order(const ResidentAddress& a, int copy) const {
    return *const_cast<const volatile unsigned long long*>(
        b_.d_order + static_cast<std::int64_t>(task_of(a)) * b_.replicas() + replica_of(a, copy));
  }

  /// Waits until the exchanges of the step before are done and takes the temperatures that they gave.
  __device__ __forceinline__ void take_temperatures() {
    block_barrier();  // the last user of the scratch is done
    if (thread_ >= 32) return;
    bool waiting = false;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) waiting = waiting || order_[copy] >> 32 < step_;
    if (__any_sync(~0U, waiting && leads() && active_)) settle();  // what is waited for may be this block's own duty
    if (!leads() || !active_) return;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      while (order_[copy] >> 32 < step_) {
        __nanosleep(50);
        order_[copy] = order(here_, copy);
      }
      const float beta = exact::as_float(static_cast<std::uint32_t>(order_[copy]));
      scratch_.temperature[local_][copy] = {-2.0F * beta, -exact::reciprocal(beta)};
      if (rank_ == 0) scratch_.energy[local_][copy] = 0;
    }
  }

  /// All sweeps of the step.
  __device__ __forceinline__ void sweeps() {
    const int n_T = b_.protocol.sweeps_per_exchange, n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
    for (int t = 0; t < n_T; ++t) {
#pragma unroll 1
      for (int m = 0; m < n_M; ++m) {
        over_relax<0>();
        barrier();
        over_relax<1>();
        barrier();
      }
#pragma unroll 1
      for (int m = 0; m < n_B; ++m) {
        const std::uint64_t global_step = b_.d_first_step[task_of(here_)] + step_;
        const std::uint64_t index =
            (global_step * static_cast<unsigned>(n_T) + static_cast<unsigned>(t)) * static_cast<unsigned>(n_B) +
            static_cast<unsigned>(m);
        heat_bath<0>(2 * index, false);
        barrier();
        heat_bath<1>(2 * index + 1, t + 1 == n_T && m + 1 == n_B);
        barrier();
      }
    }
  }

  template <int parity>
  __device__ __forceinline__ void over_relax() {
    if (!active_) return;
#pragma unroll
    for (int k = 0; k < Shape::depth; ++k) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int q = Item::site_of(parity, k, i);
        V spins[copies];
        item_.local_fields(k, q, spins);
#pragma unroll
        for (int copy = 0; copy < copies; ++copy) {
          spins[copy] = exact::over_relax(item_.spin(k, q, copy), spins[copy]);
        }
        item_.set(k, q, spins);
      }
    }
    item_.template show<parity>();
  }

  template <int parity>
  __device__ __forceinline__ void heat_bath(std::uint64_t sweep, bool with_energy) {
    if (parity == 1) {
      for (long long& e : energy_) e = 0;
    }
    if (!active_) return;
#pragma unroll
    for (int k = 0; k < Shape::depth; ++k) {
      RandomBlock u[copies];
      std::uint32_t cell = item_.cell(k);
      asm volatile("" : "+r"(cell));  // keeps the first round's products from being held in registers all the time
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        u[copy] = random_block(b_.key, Stream::heat_bath, realization_,
                               static_cast<std::uint32_t>(replica_of(here_, copy)), sweep, cell);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int q = Item::site_of(parity, k, i);
        V h[copies], spins[copies];
        item_.local_fields(k, q, h);
#pragma unroll
        for (int copy = 0; copy < copies; ++copy) {
          spins[copy] = exact::heat_bath(h[copy], scratch_.temperature[local_][copy], u[copy].word[2 * i],
                                         u[copy].word[2 * i + 1]);
          if (parity == 1 && with_energy) {
            energy_[copy] += to_fixed(exact::dot(spins[copy], h[copy]), energy_multiplier_);
          }
        }
        item_.set(k, q, spins);
      }
    }
    item_.template show<parity>();
    if (with_fields && parity == 1 && with_energy) add_field_energies();
  }

  /// Sites of even parity: s.H.
  __device__ __forceinline__ void add_field_energies() {
#pragma unroll
    for (int k = 0; k < Shape::depth; ++k) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int q = Item::site_of(0, k, i);
        const V H = item_.site_field(k, q);
#pragma unroll
        for (int copy = 0; copy < copies; ++copy) {
          energy_[copy] += to_fixed(exact::dot(item_.spin(k, q, copy), H), energy_multiplier_);
        }
      }
    }
  }

  /// Sums the energies of the item and reports them to whoever will do the exchange.
  __device__ __forceinline__ void report() {
    constexpr int width = items > 1 ? per_item : 32;
    static_assert(items == 1 || (per_item & (per_item - 1)) == 0);
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      long long e = active_ ? energy_[copy] : 0;
#pragma unroll
      for (int d = width / 2; d > 0; d /= 2) e += __shfl_xor_sync(~0U, e, d);
      if (thread_ % width == 0) add_in_first_block(&scratch_.energy[local_][copy], e);
    }
    barrier();
    if (!leads() || rank_ != 0 || !active_) return;
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      const auto energy = static_cast<unsigned long long>(-scratch_.energy[local_][copy]);
      *const_cast<volatile unsigned long long*>(b_.report(step_, task_of(here_), replica_of(here_, copy))) =
          (step_ + 1) << 48 | (energy & 0xFFFFFFFFFFFFULL);
    }
    arrived_ = atomicAdd(b_.d_arrived + here_.set, 1);
    reported_ = here_.set;
  }
  __device__ __forceinline__ void add_in_first_block(long long* sum, long long value) const {
    auto address = static_cast<unsigned>(__cvta_generic_to_shared(sum));
    if constexpr (Shape::blocks > 1) {
      asm volatile("mapa.shared::cluster.u32 %0, %0, 0;" : "+r"(address));
      asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    } else {
      asm volatile("red.shared.add.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
    }
  }

  /// If the item reported last completed a ladder, exchanges its replicas. By the first warp, some time after the
  /// report, when the answer of the counter has come in.
  __device__ __forceinline__ void settle() {
    if (thread_ >= 32) return;
    const bool due = reported_ >= 0 && (arrived_ + 1) % b_.slots == 0;
    for (unsigned lanes = __ballot_sync(~0U, due); lanes != 0; lanes &= lanes - 1) {
      const int lane = __ffs(static_cast<int>(lanes)) - 1;
      const int set = __shfl_sync(~0U, reported_, lane), arrived = __shfl_sync(~0U, arrived_, lane);
      exchange_copies(b_, set / sets_per_task(), set % sets_per_task() * copies, copies,
                      static_cast<unsigned>(arrived / b_.slots));  // every step has `slots` reports
    }
    reported_ = -1;
  }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  ResidentScratch<Shape>& scratch_;
  int thread_, local_;
  bool has_sites_, active_ = false;
  int rank_;
  Item item_;
  ResidentAddress here_;
  int couplings_of_ = -1, reported_ = -1, arrived_ = 0;
  unsigned long long order_[copies] = {};
  std::uint32_t realization_ = 0;
  float energy_multiplier_ = 0.0F;
  long long energy_[copies] = {};
  std::uint64_t step_ = 0;
};

/// Steps first_step .. first_step + steps - 1 of a round for every work item: over-relaxation, heat bath, energies,
/// exchange.
///
/// Grid: as many blocks (clusters) as the device holds at once; block i works on a fixed run of items, step after step,
/// spins in shared memory and registers, while the spins of its next item come in. A ladder's exchange is done by the
/// block that hands in its last energy; the others find the new slots when they come to the next step. Streams:
/// heat_bath, exchange. Same bits for every grid: all sums are integers. Traffic: 24 bytes per spin and step, none if
/// there is one item per block.
template <class Shape, bool with_fields>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_multiprocessor)
    resident_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ ResidentWork work) {
  __shared__ ResidentScratch<Shape> scratch;
  ResidentBlock<Shape, with_fields>(batch, work, scratch).run();
}

template <class Shape>
ResidentVariant resident_variant() {
  return {Shape::L,
          Shape::blocks,
          Shape::depth,
          Shape::copies,
          Shape::threads,
          Shape::items,
          Shape::buffer_bytes,
          reinterpret_cast<const void*>(&resident_kernel<Shape, false>),
          reinterpret_cast<const void*>(&resident_kernel<Shape, true>)};
}

}  // namespace glassworks
