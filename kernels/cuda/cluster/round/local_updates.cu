#include <type_traits>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/local_updates.hpp"
#include "kernels/cuda/cluster/round/site.cuh"
#include "kernels/cuda/site.cuh"

namespace glassworks::inline cuda {
namespace {

/// The sites that one launch updates: those of one colour of the lattice, in the tiles of one colour where there are
/// tiles.
struct HalfSweep {
  int parity, colour, tile;  ///< parity: the colour of the sites; tile: edge, 0: the whole lattice

  template <int dim>
  [[nodiscard]] __device__ __forceinline__ bool has(const SiteOfDimension<dim>& site) const {
    if (tile == 0) return true;
    const auto edge = static_cast<std::uint32_t>(tile);
    return static_cast<int>((site.c[0] / edge + site.c[1] / edge + site.c[2] / edge + site.c[3] / edge) & 1U) == colour;
  }
  /// Lattices other than the hypercubic one have no tiles.
  [[nodiscard]] __device__ __forceinline__ bool has(const LatticeSite&) const { return true; }
};

/// What a thread needs to update one site. Place: a SiteOfDimension or LatticeSite.
template <class Place>
struct LocalUpdate {
  unsigned system;
  Place site;
  int task;
  float beta;
  std::uint64_t number;  ///< of the sweep
  int parity;

  __device__ __forceinline__ LocalUpdate(const ClusterBatch& b, const ThreadPlace& place, const UpdateNumber& sweep,
                                         int p)
      : system(place.system),
        site(Place::of_colour(b.common.lattice, place.item, p)),
        task(b.task_of(place.system)),
        beta(b.beta_of(place.system)),
        number(sweep.of(b, task)),
        parity(p) {}

  [[nodiscard]] __device__ __forceinline__ RandomBlock random(const ClusterBatch& b, std::uint32_t index) const {
    return b.random(b.local_stream, system, colour_sweep(b.common.lattice, number, parity), index);
  }
  /// visit(neighbour, J, first) in the order x+, x-, y+, y-, ...
  template <class Visit>
  __device__ __forceinline__ void for_each_bond(const ClusterBatch& b, const Visit& visit) const {
#pragma unroll
    for (int bond = 0; bond < Place::most_bonds; ++bond) {
      if (bond >= Place::bonds(b.common.lattice)) break;
      const std::uint32_t backward = site.backward(bond);
      visit(site.forward(bond), b.coupling(task, bond, site.site), bond == 0);
      visit(backward, b.coupling(task, bond, backward), false);
    }
  }
};

/// The two words of a site in the block of its cell.
struct CellWords {
  std::uint32_t w0, w1;
  template <class Place>
  __device__ __forceinline__ CellWords(const ClusterBatch& b, const LocalUpdate<Place>& update) {
    const HeatBathAddress address = local_address(b.common.lattice, update.site.coordinates());
    const RandomBlock words = update.random(b, address.cell);
    w0 = address.member == 0 ? words.word[0] : words.word[2];
    w1 = address.member == 0 ? words.word[1] : words.word[3];
  }
};

// field: whether the sites have fields, with which a local field begins. Without them the kernels hold nothing of it.

/// What a local update knows of the neighbours of its site.
template <class M, bool field, class Place>
[[nodiscard]] __device__ __forceinline__ typename M::Neighbours neighbours(const ClusterBatch& b,
                                                                           const LocalUpdate<Place>& update,
                                                                           const SiteArray<typename M::Site>& sites) {
  typename M::Neighbours h{};
  if constexpr (field) M::start(h, b.fields_of<M::components>(update.task).load(update.site.site));
  update.for_each_bond(
      b, [&](std::uint32_t j, float J, bool first) { M::add_bond(h, J, sites.load(j), first && !field); });
  return h;
}

/// M: a model, see kernels/models/for_model.hpp.
template <class M, bool field, class Place>
__global__ void __launch_bounds__(256)
    local_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber sweep,
                 const __grid_constant__ HalfSweep half) {
  const ThreadPlace place(blocks);
  if (place.item >= Place::colour_sites(b.common.lattice)) return;
  const LocalUpdate<Place> update(b, place, sweep, half.parity);
  if (!half.has(update.site)) return;
  const std::uint32_t i = update.site.site;
  const auto sites = b.sites_of<M>(place.system);
  const auto h = neighbours<M, field>(b, update, sites);
  const SweepConstants constants{exact::LocalTemperature(update.beta), update.number, b.model.states, b.phi4};
  if constexpr (M::free_modulus) {
    const auto move = M::local_update(sites.load(i), h, constants, update.random(b, i));
    sites.store(i, move.phi);
    // A warp belongs to one system.
    const unsigned lanes = __activemask();
    const unsigned accepted = __ballot_sync(lanes, move.accepted);
    if ((threadIdx.x & 31U) == static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1 && accepted != 0) {
      atomicAdd(b.d_accepted + place.system, static_cast<unsigned long long>(__popc(accepted)));
    }
    if (move.too_large) b.d_too_large[place.system] = 1;
  } else {
    const CellWords words(b, update);
    sites.store(i, M::local_update(sites.load(i), h, constants, words.w0, words.w1));
  }
}

template <class M, bool field, class Place>
__global__ void __launch_bounds__(256) over_relaxation_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                              const __grid_constant__ HalfSweep half) {
  const ThreadPlace place(blocks);
  if (place.item >= Place::colour_sites(b.common.lattice)) return;
  const LocalUpdate<Place> update(b, place, UpdateNumber{}, half.parity);
  if (!half.has(update.site)) return;
  const auto sites = b.sites_of<M>(place.system);
  const std::uint32_t i = update.site.site;
  const auto s = sites.load(i), h = neighbours<M, field>(b, update, sites);
  if constexpr (M::components == 3) {
    if (b.conserving) return sites.store(i, exact::over_relax_conserving(s, h));
  }
  sites.store(i, exact::over_relax(s, h));
}

template <class M>
__global__ void __launch_bounds__(256) unit_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  const auto sites = b.sites_of<M>(place.system);
  sites.store(place.item, exact::renormalize(sites.load(place.item)));
}

template <class M, bool field, class Place>
__global__ void __launch_bounds__(256)
    energy_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, std::uint64_t step) {
  const ThreadPlace place(blocks);
  const int task = b.task_of(place.system);
  const float multiplier = b.common.energy_scale(task).multiplier();
  const auto sites = b.sites_of<M>(place.system);
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const Place site(b.common.lattice, i);
    const auto s = sites.load(i);
    if constexpr (field) {
      sum += to_fixed_clamped(M::in_field(b.fields_of<M::components>(task).load(i), s), multiplier);
    }
#pragma unroll
    for (int bond = 0; bond < Place::most_bonds; ++bond) {
      if (bond >= Place::bonds(b.common.lattice)) break;
      const float x = M::product(s, sites.load(site.forward(bond)));
      sum += to_fixed_clamped(exact::mul(b.coupling(task, bond, i), x), multiplier);
    }
  }
  block_add(sum, reinterpret_cast<long long*>(
                     b.common.energy_sum(step, task, static_cast<int>(place.system) % b.common.replicas())));
}

/// start(M{}, std::bool_constant<field>{}, type of a Place) for the model of a batch, whether its sites have fields,
/// and its lattice.
template <class Start>
void for_kernel_of(const ClusterBatch& b, const Start& start) {
  const auto with_place = [&](auto m, auto field) {
    const Lattice& lattice = b.common.lattice;
    if (!lattice.is_hypercubic()) return start(m, field, std::type_identity<LatticeSite>{});
    for_dimension(lattice.dim, [&](auto dim) { start(m, field, std::type_identity<SiteOfDimension<dim()>>{}); });
  };
  for_model(b.model, [&](auto m) {
    if constexpr (decltype(m)::has_fields) {
      if (b.has_fields()) return with_place(m, std::true_type{});
    }
    with_place(m, std::false_type{});
  });
}

/// Threads for the sites of one colour.
SystemLaunch colour_launch(const ClusterBatch& b) { return SystemLaunch(LatticeSite::colour_sites(b.common.lattice)); }

/// Edge of the tiles; 0: the whole lattice is one.
int tile_of(const ClusterBatch& b) { return b.common.protocol.tile == b.common.lattice.L ? 0 : b.common.protocol.tile; }

/// In the tiles of one colour.
void launch_local_sweep(const ClusterBatch& b, const UpdateNumber& sweep, int colour, cudaStream_t stream) {
  const SystemLaunch launch = colour_launch(b);
  for (int parity = 0; parity < b.common.lattice.colours(); ++parity) {
    const HalfSweep half{parity, colour, tile_of(b)};
    for_kernel_of(b, [&](auto m, auto field, auto place) {
      launch("updating single spins", local_kernel<decltype(m), field(), typename decltype(place)::type>, b.systems(),
             stream, b, sweep, half);
    });
  }
}

void launch_over_relaxation(const ClusterBatch& b, int colour, cudaStream_t stream) {
  const SystemLaunch launch = colour_launch(b);
  for (int parity = 0; parity < b.common.lattice.colours(); ++parity) {
    const HalfSweep half{parity, colour, tile_of(b)};
    for_kernel_of(b, [&](auto m, auto field, auto place) {
      if constexpr (!decltype(m)::discrete) {
        launch("over-relaxing spins", over_relaxation_kernel<decltype(m), field(), typename decltype(place)::type>,
               b.systems(), stream, b, half);
      }
    });
  }
}

}  // namespace

void launch_local_sweeps(const ClusterBatch& b, std::uint64_t step, int t, cudaStream_t stream) {
  const Protocol& protocol = b.common.protocol;
  const auto n_T = static_cast<std::uint64_t>(protocol.sweeps_per_exchange);
  const auto n_B = static_cast<std::uint64_t>(protocol.heatbath);
  for (int colour = 0; colour < (tile_of(b) == 0 ? 1 : 2); ++colour) {
    for (int m = 0; m < protocol.overrelaxation; ++m) launch_over_relaxation(b, colour, stream);
    for (std::uint64_t i = 0; i < n_B; ++i) {
      launch_local_sweep(b, {step, n_T * n_B, static_cast<std::uint64_t>(t) * n_B + i}, colour, stream);
    }
  }
}

void launch_unit_vectors(const ClusterBatch& b, cudaStream_t stream) {
  for_vector_model(b.model, [&](auto m) {
    if constexpr (!decltype(m)::free_modulus) {
      SystemLaunch(b.sites)("bringing spins to length 1", unit_kernel<decltype(m)>, b.systems(), stream, b);
    }
  });
}

void launch_cluster_energies(const ClusterBatch& b, std::uint64_t step, cudaStream_t stream) {
  for_kernel_of(b, [&](auto m, auto field, auto place) {
    SystemLaunch(b.sites, 1024)("summing energies", energy_kernel<decltype(m), field(), typename decltype(place)::type>,
                                b.systems(), stream, b, step);
  });
}

}  // namespace glassworks::inline cuda
