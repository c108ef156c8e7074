#include <type_traits>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/round/device_site_updates.hpp"
#include "kernels/cuda/cluster/round/local_site.cuh"
#include "kernels/models/anisotropy.hpp"
#include "kernels/rounds/beside.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// What an update of SiteUpdates sees of the site of a thread. K: a LocalKernel.
template <class K>
struct UpdateContext {
  using M = typename K::M;
  using Site = typename M::Site;
  const ClusterBatch& b;
  const LocalUpdate<typename K::Place>& update;
  const SweepConstants& of_sweep;
  SiteArray<Site> all;
  Site spin;
  typename M::Neighbours known;

  [[nodiscard]] __device__ __forceinline__ const Site& here() const { return spin; }
  [[nodiscard]] __device__ __forceinline__ const SweepConstants& constants() const { return of_sweep; }
  [[nodiscard]] __device__ __forceinline__ std::int64_t sites() const { return b.sites; }
  [[nodiscard]] __device__ __forceinline__ std::int64_t index() const { return update.site.site; }
  [[nodiscard]] __device__ __forceinline__ float gain(const Site& s) const {
    return site_gain<M>(known, of_sweep.model, s, anisotropy(s));
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t energy(const Site& s) const {
    const float multiplier = b.common.energy_scale(update.task).multiplier();
    std::int64_t sum = -std::int64_t{to_fixed_clamped(anisotropy(s), multiplier)};
    if constexpr (K::may_have_fields) {
      if (K::has_fields(b)) {
        const auto H = b.fields_of<M::components>(update.task).load(update.site.site);
        sum -= to_fixed_clamped(M::in_field(b.model, H, s), multiplier);
      }
    }
    if constexpr (M::has_site_energy) {
      sum += to_fixed_clamped(static_cast<float>(M::site_energy(b.model, s)), multiplier);
    }
    update.for_each_bond(b, [&](std::uint32_t j, float J, bool) {
      sum -= to_fixed_clamped(exact::mul(J, M::product(b.model, s, all.load(j))), multiplier);
    });
    update.template for_each_term<M>(b, all, [&](float J, const Site& others) {
      sum -= to_fixed_clamped(exact::mul(J, M::product(b.model, s, others)), multiplier);
    });
    return sum;
  }
  [[nodiscard]] __device__ __forceinline__ RandomBlock words(int k) const {
    return update.random(b, update_block(index(), sites(), k));
  }
  [[nodiscard]] __device__ __forceinline__ RandomBlock sweep_words() const {
    return b.random(b.local_stream, update.system, colour_sweep(b.common.lattice, update.number, 0), sweep_block);
  }
  [[nodiscard]] __device__ __forceinline__ float width() const {
    return b.common.beside_widths > 0 ? width_of(numbers()[b.common.d_slot[update.system]]) : 1.0F;
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t& reserve(std::int64_t j) const {
    const auto replica = static_cast<std::int64_t>(update.system % static_cast<unsigned>(b.common.replicas()));
    return numbers()[b.common.beside_widths + replica * sites() + j];
  }

 private:
  [[nodiscard]] __device__ __forceinline__ std::int64_t* numbers() const { return b.common.beside_of(update.task); }
  /// D (n.s)^2.
  [[nodiscard]] __device__ __forceinline__ float anisotropy(const Site& s) const {
    if constexpr (K::may_have_axes) {
      if (K::has_axes(b)) {
        return exact::anisotropy_term(b.common.anisotropy, b.axes_of<M::components>(update.task).load(update.site.site),
                                      s);
      }
    }
    return 0.0F;
  }
};

template <class Update, class K>
__global__ void __launch_bounds__(256)
    update_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber sweep,
                  const __grid_constant__ HalfSweep half) {
  using M = typename K::M;
  const ThreadPlace place(blocks);
  if (place.item >= K::Place::colour_sites(b.common.lattice)) return;
  const LocalUpdate<typename K::Place> update(b, place, sweep, half.parity);
  if (!half.has(update.site)) return;
  const std::uint32_t i = update.site.site;
  const std::size_t of_task = static_cast<std::size_t>(update.task) * b.sites + i;
  if (b.common.d_absent != nullptr && b.common.d_absent[of_task] != 0) return;
  const auto sites = b.sites_of<M>(place.system);
  const SweepConstants constants{exact::LocalTemperature(update.beta), update.number, b.model, b.phi4};
  const UpdateContext<K> context{b, update, constants, sites, sites.load(i), neighbours<K>(b, update, sites)};
  const SiteMove<M> move = Update::template move<M>(context);
  sites.store(i, move.spin);
  if constexpr (Update::traits.rejects) count_accepted(b, place.system, move.accepted);
}

/// start(LocalKernel{}) of a batch: one kernel for cubes of the hypercubic lattice, which may have tiles, one for
/// graphs, one for all others.
template <class Start>
void for_update_kernel_of(const ClusterBatch& b, const Start& start) {
  for_any_model(b.model, [&](auto any) {
    using M = std::conditional_t<std::is_same_v<decltype(any), DilutedIsing>, Ising, decltype(any)>;
    if constexpr (!M::free_modulus) {
      const Lattice& lattice = b.common.lattice;
      if (lattice.is_graph()) return start(LocalKernel<M, Terms::any, GraphSite>{});
      if (are_cubes(lattice)) return start(LocalKernel<M, Terms::any, HypercubicSite>{});
      start(LocalKernel<M, Terms::any, LatticeSite>{});
    }
  });
}

/// Grid: systems. Traffic: 8 bytes per site.
__global__ void __launch_bounds__(256) reserve_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  const int task = b.task_of(place.system);
  const auto replica = static_cast<std::int64_t>(place.system) % b.common.replicas();
  const std::int64_t* const reserves = b.common.beside_of(task) + b.common.beside_widths + replica * b.sites;
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) sum += reserves[i];
  block_add(sum, b.d_reserve + place.system);
}

/// Moves accepted in the last step in the slot of a unit, over all copies.
__device__ unsigned long long accepted_in(const ClusterBatch& b, const int* last_replica_at, int unit) {
  const int task = unit / b.common.slots, slot = unit % b.common.slots, first = task * b.common.replicas();
  unsigned long long accepted = 0;
  for (int copy = 0; copy < b.common.copies; ++copy) {
    accepted += b.d_accepted[first + last_replica_at[first + copy * b.common.slots + slot]];
  }
  return accepted;
}

/// A thread for each unit.
__global__ void adaptation_kernel(const __grid_constant__ ClusterBatch b, const int* last_replica_at,
                                  std::uint64_t steps) {
  const int unit = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (unit >= b.units()) return;
  const int task = unit / b.common.slots;
  if (!is_adapting(b.common.protocol, b.common.d_first_step[task] + steps)) return;
  std::int64_t& width = b.common.beside_of(task)[unit % b.common.slots];
  width = adapted(width, accepted_in(b, last_replica_at, unit),
                  b.common.d_proposed[task] * static_cast<std::uint64_t>(b.common.copies));
}

__global__ void acceptance_kernel(const __grid_constant__ ClusterBatch b, const int* last_replica_at) {
  const int unit = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (unit >= b.units()) return;
  const std::uint64_t proposed = b.common.d_proposed[unit / b.common.slots];
  if (proposed == 0) return;
  const double accepted = static_cast<double>(accepted_in(b, last_replica_at, unit));
  b.common.d_mean[static_cast<std::int64_t>(unit + 1) * b.common.observables - 1] +=
      accepted / (static_cast<double>(proposed) * b.common.copies);
}

}  // namespace

void launch_site_updates(const ClusterBatch& b, const UpdateNumber& sweep, int colour, cudaStream_t stream) {
  const SystemLaunch launch = colour_launch(b);
  for_site_update(b.common.protocol.local, [&](auto update) {
    using Update = decltype(update);
    for (int parity = 0; parity < b.common.colours(); ++parity) {
      const HalfSweep half{parity, colour, tile_of(b), {}};
      for_update_kernel_of(b, [&](auto k) {
        launch("updating single spins", update_kernel<Update, decltype(k)>, b.systems(), stream, b, sweep, half);
      });
    }
  });
}

void launch_reserve_sums(const ClusterBatch& b, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(b.d_reserve, 0, static_cast<std::size_t>(b.systems()) * sizeof(long long), stream),
             "clearing memory");
  SystemLaunch(b.sites, 1024)("summing reserves", reserve_kernel, b.systems(), stream, b);
}

void launch_adaptation(const ClusterBatch& b, const int* d_last_replica_at, std::uint64_t steps, cudaStream_t stream) {
  if (b.common.beside_widths == 0 || b.common.protocol.adaptation == 0) return;
  launch_kernel("adapting widths", adaptation_kernel, blocks_for(static_cast<std::size_t>(b.units()), 128), 128, 0,
                stream, b, d_last_replica_at, steps);
}

void launch_acceptance(const ClusterBatch& b, const int* d_last_replica_at, cudaStream_t stream) {
  launch_kernel("adding acceptances", acceptance_kernel, blocks_for(static_cast<std::size_t>(b.units()), 128), 128, 0,
                stream, b, d_last_replica_at);
}

}}  // namespace glassworks::cuda
