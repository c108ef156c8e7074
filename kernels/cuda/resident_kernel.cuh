#pragma once

#include <vector>

#include "kernels/cuda/resident_item.cuh"
#include "kernels/cuda/resident_turns.cuh"

namespace glassworks {

/// One block of the resident kernel. While ticket i is worked on, i - 1 is reported, the spins of i + 1 come in if its
/// exchange is done, the orders of i + 2 are looked at and ticket i + 4 is drawn: nothing of this is waited for.
template <class Shape, bool with_fields>
class ResidentBlock : ResidentTurns<Shape> {
 public:
  using V = exact::Vector3<float>;
  using Item = ResidentItem<Shape, with_fields>;
  using Turns = ResidentTurns<Shape>;
  using Turns::items, Turns::per_item, Turns::copies;

  __device__ __forceinline__ ResidentBlock(const DeviceBatch& batch, const ResidentWork& work,
                                           ResidentScratch<Shape>& scratch)
      : Turns(batch, work, scratch), item_(thread_ < per_item * items ? thread_ : 0, thread_ >= per_item * items) {}

  __device__ __forceinline__ void run() {
    if (blockIdx.x == 0 && thread_ == 0) b_.d_tickets[work_.turn ^ 1] = 0;
    draw_first_tickets();
    item_.use(local_ * Shape::item_packs);
    for (unsigned i = 0;; ++i) {
      const ResidentAddress here = scratch_.address[i & 3U][local_];
      if (!here.in_launch) break;
      if (!fetched_) {
        await_orders(i);
        block_barrier();
        fetch(here);
      }
      take_temperatures(i);
      asm volatile("cp.async.wait_all;" ::: "memory");
      block_barrier();
      if (has_sites()) item_.take_spins(incoming());
      item_.take_couplings(incoming() + 4U * copies * Shape::incoming_spins,
                           with_fields ? b_.fields_of(task_of_set(here.set)) : nullptr);
      step_ = here.step;
      set_ = here.set;
      k_ = here.k;
      exists_ = has_sites() && (items == 1 || here.exists);
      fetched_ = false;
      sweeps(i);
      if (exists_) store();
      add_energies(i);
      last_ = i;
    }
    settle();
  }

 private:
  using Turns::arrive, Turns::await_slabs, Turns::draw_first_tickets, Turns::draw, Turns::pass_on, Turns::form_address;
  using Turns::b_, Turns::work_, Turns::scratch_, Turns::thread_, Turns::local_, Turns::drawn_, Turns::last_;
  using Turns::evaluate, Turns::settle, Turns::add_in_first_block;
  using Turns::has_sites, Turns::leads, Turns::rank, Turns::task_of_set, Turns::replica_of, Turns::block_barrier;
  using Turns::look_at_orders, Turns::see_next, Turns::await_orders, Turns::take_temperatures, Turns::send;

  [[nodiscard]] __device__ __forceinline__ unsigned incoming() const {
    return Item::address(0) + static_cast<unsigned>(Shape::spin_bytes + local_ * Shape::incoming * 4);
  }

  __device__ __forceinline__ void fetch(const ResidentAddress& a) {
    if (!has_sites()) return;
    const int task = task_of_set(a.set);
    unsigned to = incoming();
#pragma unroll
    for (int copy = 0; copy < copies; ++copy, to += 4U * Shape::incoming_spins) {
      item_.fetch_spins(to, b_.spins_of(task, replica_of(a.set, a.k, copy)));
    }
    item_.fetch_couplings(to, b_.couplings_of(task));
  }
  __device__ __forceinline__ void store() {
    float* spins[copies];
    for (int copy = 0; copy < copies; ++copy) spins[copy] = b_.spins_of(task_of_set(set_), replica_of(set_, k_, copy));
    item_.store(spins);
  }

  /// What has to be done beside the sweeps of item i, in small parts between over-relaxation sweeps: what a part starts
  /// has come in when a later one needs it. By the first warp; then all fetch the next item's spins, if it is ready.
  static constexpr int duties = 6;
  __device__ __forceinline__ void duty(int part, unsigned i) {
    if (part == duties - 1) {
      fetched_ = scratch_.next_ready[i & 1U];
      if (fetched_) fetch(scratch_.address[(i + 1) & 3U][local_]);
      return;
    }
    if (thread_ >= 32) return;
    if (part == 0) {
      send(last_);
    } else if (part == 1) {
      evaluate();
    } else if (part == 2) {
      if (i > 0) form_address(i + 2);
      look_at_orders(i + 2);
    } else if (part == 3) {
      if (thread_ == 0 && rank() == 0) {
        pass_on(i + 3, drawn_);
        drawn_ = draw();
      }
    } else {
      see_next(i);
    }
  }

  /// All sweeps of the step. Before and after it, everybody has seen everybody's spins.
  __device__ __forceinline__ void sweeps(unsigned i) {
    const int n_T = b_.protocol.sweeps_per_exchange, n_M = b_.protocol.overrelaxation, n_B = b_.protocol.heatbath;
    arrive();
    for (int t = 0; t < n_T; ++t) {
      int part = t == 0 ? 0 : duties;
      const int last = part + n_M;
#pragma unroll 1
      for (; part < last; ++part) {
        if (part < duties) duty(part, i);
        over_relax<0>();
        over_relax<1>();
      }
#pragma unroll 1
      for (; part < duties; ++part) {
        duty(part, i);
        block_barrier();
      }
#pragma unroll 1
      for (int m = 0; m < n_B; ++m) {
        const std::uint64_t global_step = b_.d_first_step[task_of_set(set_)] + step_;
        const std::uint64_t index =
            (global_step * static_cast<unsigned>(n_T) + static_cast<unsigned>(t)) * static_cast<unsigned>(n_B) +
            static_cast<unsigned>(m);
        heat_bath<0>(2 * index, false);
        heat_bath<1>(2 * index + 1, t + 1 == n_T && m + 1 == n_B);
      }
    }
    await_slabs();
  }

  /// Local fields of the sites of a parity, site by site: use(n, h) gets them. The loads of a site run ahead of the
  /// arithmetic of the one before. In a cluster, everything inside the slab comes first, while the others finish.
  template <int parity, class Use>
  __device__ __forceinline__ void for_fields(const Use& use) {
    constexpr int n_sites = Item::sites_of_parity;
    typename Item::Far far[2];
    const auto k_of = [](int n) { return n / 2; };
    const auto q_of = [](int n) { return Item::site_of(parity, n / 2, n % 2); };
    if constexpr (Shape::blocks == 1) {
      item_.load_in_plane(0, q_of(0), far[0]);
      item_.load_across(0, q_of(0), far[0]);
#pragma unroll
      for (int n = 0; n < n_sites; ++n) {
        if (n + 1 < n_sites) {
          item_.load_in_plane(k_of(n + 1), q_of(n + 1), far[(n + 1) & 1]);
          item_.load_across(k_of(n + 1), q_of(n + 1), far[(n + 1) & 1]);
        }
        V h[copies];
        item_.add_in_plane(k_of(n), q_of(n), far[n & 1], h);
        item_.add_across(k_of(n), q_of(n), far[n & 1], h);
        use(n, h);
      }
    } else {
      V h[n_sites][copies];
      item_.load_in_plane(0, q_of(0), far[0]);
#pragma unroll
      for (int n = 0; n < n_sites; ++n) {
        if (n + 1 < n_sites) item_.load_in_plane(k_of(n + 1), q_of(n + 1), far[(n + 1) & 1]);
        item_.add_in_plane(k_of(n), q_of(n), far[n & 1], h[n]);
      }
      await_slabs();
      item_.load_across(0, q_of(0), far[0]);
#pragma unroll
      for (int n = 0; n < n_sites; ++n) {
        if (n + 1 < n_sites) item_.load_across(k_of(n + 1), q_of(n + 1), far[(n + 1) & 1]);
        item_.add_across(k_of(n), q_of(n), far[n & 1], h[n]);
        use(n, h[n]);
      }
    }
  }

  template <int parity>
  __device__ __forceinline__ void over_relax() {
    for_fields<parity>([&](int n, const V(&h)[copies]) {
      const int k = n / 2, q = Item::site_of(parity, k, n % 2);
      V spins[copies];
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) spins[copy] = exact::over_relax(item_.spin(k, q, copy), h[copy]);
      item_.set(k, q, spins);
      item_.show(k, q);
    });
    arrive();
  }

  template <int parity>
  __device__ __forceinline__ void heat_bath(std::uint64_t sweep, bool with_energy) {
    if (parity == 1) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) energy_[copy] = 0;
    }
    const int task = task_of_set(set_);
    const std::uint32_t realization = b_.d_realization[task];
    const float multiplier = b_.energy_scale(task).multiplier();
    RandomBlock u[copies];
    for_fields<parity>([&](int n, const V(&h)[copies]) {
      const int k = n / 2, i = n % 2, q = Item::site_of(parity, k, i);
      V spins[copies];
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        if (i == 0) {  // the two sites of a plane share a random block
          u[copy] = random_block(b_.key, Stream::heat_bath, realization,
                                 static_cast<std::uint32_t>(replica_of(set_, k_, copy)), sweep, item_.cell(k));
        }
        spins[copy] =
            exact::heat_bath(h[copy], scratch_.temperature[local_][copy], u[copy].word[2 * i], u[copy].word[2 * i + 1]);
        if (parity == 1 && with_energy) energy_[copy] += to_fixed(exact::dot(spins[copy], h[copy]), multiplier);
      }
      item_.set(k, q, spins);
      item_.show(k, q);
    });
    if (with_fields && parity == 1 && with_energy) add_field_energies();
    arrive();
  }

  /// Sites of even parity: s.H.
  __device__ __forceinline__ void add_field_energies() {
    const float multiplier = b_.energy_scale(task_of_set(set_)).multiplier();
    Item::template for_sites<0>([&](int k, int, int q) {
      const V H = item_.site_field(k, q);
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        energy_[copy] += to_fixed(exact::dot(item_.spin(k, q, copy), H), multiplier);
      }
    });
  }

  /// Sums the energies of the item; they are reported while the next one is worked on.
  __device__ __forceinline__ void add_energies(unsigned i) {
    constexpr int width = items > 1 ? per_item : 32;
    static_assert(items == 1 || (per_item & (per_item - 1)) == 0);
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      long long e = exists_ ? energy_[copy] : 0;
#pragma unroll
      for (int d = width / 2; d > 0; d /= 2) e += __shfl_xor_sync(~0U, e, d);
      if (thread_ % width == 0) add_in_first_block(&scratch_.energy[i & 1U][local_][copy], e);
    }
    if (rank() == 0 && leads() && exists_) {
      scratch_.pending_set[local_] = set_;
      scratch_.pending_k[local_] = k_;
      scratch_.pending_step = step_;
    }
    arrive();
    await_slabs();
  }

  Item item_;
  int set_ = 0, k_ = 0;
  unsigned step_ = 0;  ///< of the round
  bool exists_ = false, fetched_ = false;
  long long energy_[copies] = {};
};

/// Steps first_step .. first_step + steps - 1 of a round for every work item: over-relaxation, heat bath, energies,
/// exchange.
///
/// Grid: as many blocks (clusters) as the device holds at once. An item lives in shared memory and registers for a
/// step; the spins of the next one come in meanwhile. A ladder's exchange is done by the block that reports its last
/// energy; the others find their new temperatures when they come to the next step. Streams: heat_bath, exchange. Same
/// bits for every grid and every order of the blocks: all sums are integers. Traffic: 24 bytes per spin and 12 bytes of
/// couplings per site and step, mostly in the second-level cache.
template <class Shape, bool with_fields>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_multiprocessor)
    resident_kernel(const __grid_constant__ DeviceBatch batch, const __grid_constant__ ResidentWork work) {
#if __CUDA_ARCH__ >= 900
  constexpr bool possible = true;
#else
  constexpr bool possible = Shape::blocks == 1;  // there are no clusters, and such a plan is never made
#endif
  if constexpr (possible) {
    __shared__ ResidentScratch<Shape> scratch;
    ResidentBlock<Shape, with_fields>(batch, work, scratch).run();
  }
}

template <class Shape>
ResidentVariant resident_variant() {
  return {Shape::L,
          Shape::blocks,
          Shape::depth,
          Shape::copies,
          Shape::registers,
          Shape::threads,
          Shape::items,
          Shape::shared_bytes,
          reinterpret_cast<const void*>(&resident_kernel<Shape, false>),
          reinterpret_cast<const void*>(&resident_kernel<Shape, true>)};
}

}  // namespace glassworks
