#pragma once

#include <vector>

#include "kernels/cuda/resident_item.cuh"
#include "kernels/cuda/resident_turns.cuh"

namespace glassworks {

/// One block of the resident kernel. While item i is worked on, i - 1 is reported and the spins of i + 1 come in, if
/// its exchange is done: nothing of this is waited for.
template <class Shape, bool with_fields>
class ResidentBlock {
 public:
  using V = exact::Vector3<float>;
  using Item = ResidentItem<Shape, with_fields>;
  using Turns = ResidentTurns<Shape>;
  static constexpr int items = Turns::items, per_item = Turns::per_item;

  __device__ __forceinline__ ResidentBlock(const DeviceBatch& batch, const ResidentWork& work)
      : b_(batch),
        work_(work),
        scratch_(resident_scratch<Shape>()),
        turns_(batch, work),
        item_(turns_.has_sites() ? static_cast<int>(threadIdx.x) : 0, !turns_.has_sites()) {}

  __device__ __forceinline__ void run() {
    turns_.begin();
    item_.use(Turns::buffer(0) + 4U * static_cast<unsigned>(turns_.local() * Shape::item_floats));
    if (Shape::shared_couplings > 0) item_.keep_couplings_at(Turns::buffer(2) + 4U * threadIdx.x);
    int task = -1;  // whose couplings are in the registers
    unsigned i = 0;
    for (;; ++i) {
      const ResidentAddress& here = scratch_.address[i & 3U][turns_.local()];
      if (!here.in_launch) break;
      if ((Shape::blocks > 1 || turns_.in_first_warp()) && (scratch_.next_ready == 0 || !scratch_.fetched)) {
        turns_.catch_up(i);
      }
      turns_.take_temperature(i);
      if (here.task != task) {
        task = here.task;
        item_.take_couplings(couplings_of(task));
        if constexpr (with_fields) item_.take_fields(b_.fields_of(task));
      }
      piece_copy::await_fetch(shared_memory::address(&scratch_.arrival[i & 1U]), (i >> 1) & 1U);
      item_.take_spins();
      sweeps(i);
      add_energies(i);
      turns_.store(i);
      item_.move((i & 1U) == 0 ? buffer_bytes : -buffer_bytes);
    }
    if (Shape::blocks > 1 || turns_.in_first_warp()) turns_.finish(i);
  }

 private:
  static constexpr unsigned buffer_bytes = 4U * Shape::buffer_floats;

  [[nodiscard]] __device__ __forceinline__ const float* couplings_of(int task) const {
    return b_.d_arranged_couplings +
           (static_cast<std::int64_t>(task) * Shape::blocks + Turns::rank()) * (Shape::couplings * per_item);
  }

  /// All sweeps of the step. Before and after it, everybody has seen everybody's spins.
  __device__ __forceinline__ void sweeps(unsigned i) {
    const int n_T = b_.protocol.sweeps_per_exchange, n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
    if (Shape::blocks > 1 || n_M == 0) turns_.arrive();  // else the first half-sweep shows what the first warp wrote
#pragma unroll 1
    for (int t = 0; t < n_T; ++t) {
      over_relaxation(i, n_M, t == 0);
#pragma unroll 1
      for (int m = 0; m < n_B; ++m) {
        const ResidentAddress& here = scratch_.address[i & 3U][turns_.local()];
        const std::uint64_t global_step = b_.d_first_step[here.task] + here.step;
        const std::uint64_t index =
            (global_step * static_cast<unsigned>(n_T) + static_cast<unsigned>(t)) * static_cast<unsigned>(n_B) +
            static_cast<unsigned>(m);
        heat_bath<0>(here, 2 * index, false);
        heat_bath<1>(here, 2 * index + 1, t + 1 == n_T && m + 1 == n_B);
      }
    }
    turns_.await_slabs();
  }

  /// n_M over-relaxation sweeps. The first warp does the duties of item i between them; the first of these comes when
  /// the last item has had time to be stored. The other warps do not leave the inner loop, unless registers are scarce:
  /// loops that are different for every warp take more of them.
  static constexpr bool leave_others_alone = Shape::depth == 2;
  __device__ __forceinline__ void over_relaxation(unsigned i, int n_M, bool with_duties) {
    constexpr int duties = Turns::duties;
    const bool has_duties = with_duties && (!leave_others_alone || turns_.in_first_warp());
    int sweep = 0;
#pragma unroll 1
    for (int part = has_duties ? min(max(duties - n_M, -2), 0) : duties; part <= duties; ++part) {
      if (part >= 0 && part < duties && turns_.in_first_warp()) turns_.duty(part, i);
      const int end = part < duties ? min(sweep + 1, n_M) : n_M;
      if (part < duties && sweep == end) meet();
#pragma unroll 1
      for (; sweep < end; ++sweep) {
        over_relax<0>();
        over_relax<1>();
      }
    }
    if (with_duties && !has_duties) {
      for (int part = n_M; part < duties; ++part) meet();
    }
  }
  /// The blocks of a cluster meet between two half-sweeps.
  __device__ __forceinline__ void meet() const {
    if constexpr (Shape::blocks > 1) {
      turns_.await_slabs();
      turns_.arrive();
    }
  }

  /// Local fields of the sites of a parity, site by site: use(n, h) gets them. The loads of a site run ahead of the
  /// arithmetic of the one before.
  template <int parity, class Use>
  __device__ __forceinline__ void for_fields(const Use& use) {
    if constexpr (Shape::blocks == 1) {
      fields_in_block<parity, 0, Item::sites_of_parity>(use);
    } else {
      // Inner planes, then what the outer ones need of this slab, while the other blocks finish; then the rest.
      constexpr int outer = Item::sites_of_parity - 2;
      fields_in_block<parity, 2, outer>(use);
      constexpr int site[4] = {0, 1, outer, outer + 1};
      typename Item::Far far[2];
      V h[4];
      item_.load_in_plane(0, q_of<parity>(0), far[0]);
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        if (m < 3) item_.load_in_plane(site[m + 1] / 2, q_of<parity>(site[m + 1]), far[(m + 1) & 1]);
        h[m] = item_.add_in_plane(site[m] / 2, q_of<parity>(site[m]), far[m & 1]);
      }
      turns_.await_slabs();
      item_.load_across(0, q_of<parity>(0), far[0]);
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        if (m < 3) item_.load_across(site[m + 1] / 2, q_of<parity>(site[m + 1]), far[(m + 1) & 1]);
        use(site[m], item_.add_across(site[m] / 2, q_of<parity>(site[m]), far[m & 1], h[m]));
      }
    }
  }
  /// Sites first .. end - 1 of a parity, whose neighbours are all in the block.
  template <int parity, int first, int end, class Use>
  __device__ __forceinline__ void fields_in_block(const Use& use) {
    if constexpr (first < end) {
      typename Item::Far far[2];
      load<parity>(first, far[first & 1]);
#pragma unroll
      for (int n = first; n < end; ++n) {
        if (n + 1 < end) load<parity>(n + 1, far[(n + 1) & 1]);
        const V h = item_.add_in_plane(n / 2, q_of<parity>(n), far[n & 1]);
        use(n, item_.add_across(n / 2, q_of<parity>(n), far[n & 1], h));
      }
    }
  }
  template <int parity>
  __device__ __forceinline__ void load(int n, typename Item::Far& far) const {
    item_.load_in_plane(n / 2, q_of<parity>(n), far);
    item_.load_across(n / 2, q_of<parity>(n), far);
  }
  template <int parity>
  static __device__ __forceinline__ constexpr int q_of(int n) {
    return Item::site_of(parity, n / 2, n % 2);
  }

  template <int parity>
  __device__ __forceinline__ void over_relax() {
    for_fields<parity>([&](int n, const V& h) {
      const int k = n / 2, q = q_of<parity>(n);
      item_.set(k, q, exact::over_relax(item_.spin(k, q), h));
    });
    turns_.arrive();
  }

  template <int parity>
  __device__ __forceinline__ void heat_bath(const ResidentAddress& here, std::uint64_t sweep, bool with_energy) {
    if (parity == 1) energy_ = 0;
    const std::uint32_t realization = b_.d_realization[here.task];
    const auto replica = static_cast<std::uint32_t>(here.number);
    const float multiplier = b_.energy_scale(here.task).multiplier();
    RandomBlock u;
    for_fields<parity>([&](int n, const V& h) {
      const int k = n / 2, i = n % 2, q = q_of<parity>(n);
      if (i == 0) {  // the two sites of a plane share a random block
        u = random_block(b_.key, Stream::heat_bath, realization, replica, sweep, item_.cell(k));
      }
      const V spin = exact::heat_bath(h, scratch_.temperature[turns_.local()], u.word[2 * i], u.word[2 * i + 1]);
      if (parity == 1 && with_energy) energy_ += to_fixed(exact::dot(spin, h), multiplier);
      item_.set(k, q, spin);
    });
    if (with_fields && parity == 1 && with_energy) add_field_energies(multiplier);
    turns_.arrive();
  }

  /// Sites of even parity: s.H.
  __device__ __forceinline__ void add_field_energies(float multiplier) {
#pragma unroll
    for (int n = 0; n < Item::sites_of_parity; ++n) {
      const int k = n / 2, q = q_of<0>(n);
      energy_ += to_fixed(exact::dot(item_.spin(k, q), item_.site_field(k, q)), multiplier);
    }
  }

  /// Sums the energies of the item; they are reported while the next one is worked on.
  __device__ __forceinline__ void add_energies(unsigned i) {
    constexpr int width = items > 1 ? per_item : 32;
    static_assert(items == 1 || (per_item & (per_item - 1)) == 0);
    long long e = turns_.has_sites() ? energy_ : 0;
#pragma unroll
    for (int d = width / 2; d > 0; d /= 2) e += __shfl_xor_sync(~0U, e, d);
    if (threadIdx.x % width == 0) {
      asm volatile(
          "red.shared.add.u64 [%0], %1;" ::"r"(shared_memory::address(&scratch_.energy[i & 1U][turns_.local()])), "l"(e)
          : "memory");
    }
    if (threadIdx.x == 0) scratch_.pending = true;
    piece_copy::publish();
    turns_.arrive();
    turns_.await_slabs();
  }

  const DeviceBatch& b_;
  const ResidentWork& work_;
  ResidentScratch<Shape>& scratch_;
  Turns turns_;
  Item item_;
  long long energy_ = 0;
};

/// Steps first_step .. first_step + steps - 1 of a round for every work item: over-relaxation, heat bath, energies,
/// exchange.
///
/// Grid: as many blocks (clusters) as the device holds at once. An item lives in shared memory and registers for a
/// step; the spins of the next one come in meanwhile. A ladder's exchange is done by the block that reports its last
/// energy; the others find their new temperatures when they come to the next step. Streams: heat_bath, exchange. Same
/// bits for every grid and every order of the blocks: all sums are integers. Traffic: 24 bytes per spin and step and
/// 18 bytes of couplings per site and run, mostly in the second-level cache.
template <class Shape, bool with_fields>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_multiprocessor)
    resident_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ ResidentWork work) {
#if __CUDA_ARCH__ >= 900
  constexpr bool possible = true;
#else
  constexpr bool possible = Shape::blocks == 1;  // there are no clusters, and such a plan is never made
#endif
  if constexpr (possible) {
    ResidentBlock<Shape, with_fields>(batch, work).run();
  }
}

template <class Shape>
ResidentVariant resident_variant() {
  return {Shape::L,
          Shape::blocks,
          Shape::depth,
          Shape::registers,
          Shape::threads,
          Shape::items,
          Shape::shared_bytes,
          reinterpret_cast<const void*>(&resident_kernel<Shape, false>),
          reinterpret_cast<const void*>(&resident_kernel<Shape, true>)};
}

}  // namespace glassworks
