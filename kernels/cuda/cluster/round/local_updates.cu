#include <type_traits>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/absent_sites.hpp"
#include "kernels/cuda/cluster/round/device_site_updates.hpp"
#include "kernels/cuda/cluster/round/local_site.cuh"
#include "kernels/cuda/cluster/round/local_updates.hpp"
#include "kernels/cuda/device_site.cuh"
#include "kernels/cuda/graph/graph_multispin.hpp"
#include "kernels/models/anisotropy.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// The two words of a site in the block of its cell.
struct CellWords {
  std::uint32_t w0, w1;
  template <class Place>
  __device__ __forceinline__ CellWords(const ClusterBatch& b, const LocalUpdate<Place>& update) {
    const HeatBathAddress address = address_of(b.common.lattice, update.site);
    const RandomBlock words = update.random(b, address.cell);
    w0 = address.member == 0 ? words.word[0] : words.word[2];
    w1 = address.member == 0 ? words.word[1] : words.word[3];
  }
};

/// Moves a site, unless the anisotropy rejects the move (ReferenceSweeps::propose).
template <class K>
__device__ __forceinline__ void propose(const ClusterBatch& b, const LocalUpdate<typename K::Place>& update,
                                        const UpdateNumber& move, const SiteArray<typename K::Site>& sites,
                                        const typename K::Site& before, const typename K::Site& after) {
  const std::uint32_t i = update.site.site;
  if constexpr (K::may_have_axes) {
    if (K::has_axes(b)) {
      const auto axis = b.axes_of<K::M::components>(update.task).load(i);
      const float D = b.common.anisotropy;
      const RandomBlock words = b.random(Stream::anisotropy, update.system, move.of(b, update.task), i / 4);
      const std::uint32_t low = i % 2 == 0 ? words.word[0] : words.word[1];
      const std::uint32_t high = i % 2 == 0 ? words.word[2] : words.word[3];
      if (!exact::anisotropy_accepts(update.beta, exact::anisotropy_term(D, axis, before),
                                     exact::anisotropy_term(D, axis, after), i % 4 < 2 ? low : high)) {
        return;
      }
    }
  }
  sites.store(i, after);
}

template <class K>
__global__ void __launch_bounds__(256)
    local_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ UpdateNumber sweep,
                 const __grid_constant__ HalfSweep half) {
  using M = typename K::M;
  const ThreadPlace place(blocks);
  if (place.item >= K::Place::colour_sites(b.common.lattice)) return;
  const LocalUpdate<typename K::Place> update(b, place, sweep, half.parity);
  if (!half.has(update.site)) return;
  const std::uint32_t i = update.site.site;
  const auto sites = b.sites_of<M>(place.system);
  const auto h = neighbours<K>(b, update, sites);
  const SweepConstants constants{exact::LocalTemperature(update.beta), update.number, b.model, b.phi4};
  if constexpr (M::free_modulus) {
    const auto move = M::local_update(sites.load(i), h, constants, update.random(b, i));
    sites.store(i, move.phi);
    count_accepted(b, place.system, move.accepted);
    if (move.too_large) b.d_too_large[place.system] = 1;
  } else {
    const CellWords words(b, update);
    const auto s = sites.load(i);
    propose<K>(b, update, half.move, sites, s, M::local_update(s, h, constants, words.w0, words.w1));
  }
}

template <class K>
__global__ void __launch_bounds__(256) over_relaxation_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                              const __grid_constant__ HalfSweep half) {
  const ThreadPlace place(blocks);
  if (place.item >= K::Place::colour_sites(b.common.lattice)) return;
  const LocalUpdate<typename K::Place> update(b, place, UpdateNumber{}, half.parity);
  if (!half.has(update.site)) return;
  const auto sites = b.sites_of<typename K::M>(place.system);
  const auto s = sites.load(update.site.site), h = neighbours<K>(b, update, sites);
  if constexpr (K::M::components == 3) {
    if (b.conserving) return sites.store(update.site.site, exact::over_relax_conserving(s, h));
  }
  propose<K>(b, update, half.move, sites, s, exact::over_relax(s, h));
}

template <class M>
__global__ void __launch_bounds__(256) unit_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  const auto sites = b.sites_of<M>(place.system);
  sites.store(place.item, exact::renormalize(sites.load(place.item)));
}

template <class K>
__global__ void __launch_bounds__(256)
    energy_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, std::uint64_t step) {
  using M = typename K::M;
  using Place = typename K::Place;
  const ThreadPlace place(blocks);
  const unsigned system = b.launched_system(place.system);
  const int task = b.task_of(system);
  const float multiplier = b.common.energy_scale(task).multiplier();
  const auto sites = b.sites_of<M>(system);
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const auto s = sites.load(i);
    if constexpr (K::may_have_fields) {
      if (K::has_fields(b)) {
        sum += to_fixed_clamped(M::in_field(b.model, b.fields_of<M::components>(task).load(i), s), multiplier);
      }
    }
    if constexpr (M::has_site_energy) {
      sum -= to_fixed_clamped(static_cast<float>(M::site_energy(b.model, s)), multiplier);
    }
    if constexpr (K::may_have_axes) {
      if (K::has_axes(b)) {
        const auto axis = b.axes_of<M::components>(task).load(i);
        sum += to_fixed_clamped(exact::anisotropy_term(b.common.anisotropy, axis, s), multiplier);
      }
    }
    if constexpr (!is_of_graph<Place>) {
      const Place site(b.common.lattice, i);
#pragma unroll
      for (int bond = 0; bond < Place::most_bonds; ++bond) {
        if (bond >= Place::bonds(b.common.lattice)) break;
        const float x = M::product(b.model, s, sites.load(site.forward(bond)));
        sum += to_fixed_clamped(exact::mul(b.coupling(task, bond, i), x), multiplier);
      }
    }
  }
  if constexpr (is_of_graph<Place>) {
    const DeviceGraph& graph = b.common.d_graphs[task];
    const GraphPair* const bonds = graph.bonds;
    for (std::uint32_t bond = place.item; bond < graph.bond_count; bond += place.stride) {
      const float x = M::product(b.model, sites.load(bonds[bond].first), sites.load(bonds[bond].second));
      sum += to_fixed_clamped(exact::mul(b.common.coupling_of(task, bond), x), multiplier);
    }
    if constexpr (has_products<M>) {
      for (std::uint32_t term = place.item; term < graph.term_count; term += place.stride) {
        const auto product = product_of_term<M>(graph, term, [&](std::uint32_t j) { return sites.load(j); });
        const float x = M::product(b.model, product, M::one);
        sum += to_fixed_clamped(exact::mul(b.common.coupling_of(task, graph.bond_count + term), x), multiplier);
      }
    }
  }
  block_add(sum, reinterpret_cast<long long*>(
                     b.common.energy_sum(step, task, static_cast<int>(system) % b.common.replicas())));
}

/// start(LocalKernel{}) for the model of a batch, its terms and its lattice. Kernels for one dimension, with fields or
/// without, are those of models and lattices that many use.
template <class Start>
void for_kernel_of(const ClusterBatch& b, const Start& start) {
  const Lattice& lattice = b.common.lattice;
  const bool is_common = are_cubes(lattice) && !b.has_axes();
  for_any_model(b.model, [&](auto any) {
    // Absent Ising spins are moved as free ones (clear_absent).
    using M = std::conditional_t<std::is_same_v<decltype(any), DilutedIsing>, Ising, decltype(any)>;
    if constexpr (M::components <= max_kernel_components) {
      const auto start_common = [&](auto dim) {
        using Place = SiteOfDimension<dim()>;
        if constexpr (M::has_fields) {
          if (b.has_fields()) return start(LocalKernel<M, Terms::fields, Place>{});
        }
        start(LocalKernel<M, Terms::bonds, Place>{});
      };
      if (is_common && for_compiled_dimension(lattice.dim, start_common)) return;
    }
    if constexpr (!M::free_modulus) {
      if (lattice.is_graph()) return start(LocalKernel<M, Terms::any, GraphSite>{});
    }
    if constexpr (!M::discrete && !M::free_modulus) {
      if (are_cubes(lattice)) return start(LocalKernel<M, Terms::any, HypercubicSite>{});
    }
    start(LocalKernel<M, Terms::any, LatticeSite>{});
  });
}

/// In the tiles of one colour.
void launch_local_sweep(const ClusterBatch& b, const UpdateNumber& sweep, const UpdateNumber& move, int colour,
                        cudaStream_t stream) {
  if (b.common.protocol.local != SiteRule::heat_bath) return launch_site_updates(b, sweep, colour, stream);
  if (b.multispin.d_threshold != nullptr) {
    for (int c = 0; c < b.common.colours(); ++c) launch_graph_multispin(b, sweep, c, stream);
    return;
  }
  const SystemLaunch launch = colour_launch(b);
  for (int parity = 0; parity < b.common.colours(); ++parity) {
    const HalfSweep half{parity, colour, tile_of(b), move};
    for_kernel_of(b, [&](auto k) {
      using K = decltype(k);
      launch("updating single spins", local_kernel<K>, b.systems(), stream, b, sweep, half);
    });
  }
}

void launch_over_relaxation(const ClusterBatch& b, const UpdateNumber& move, int colour, cudaStream_t stream) {
  const SystemLaunch launch = colour_launch(b);
  for (int parity = 0; parity < b.common.colours(); ++parity) {
    const HalfSweep half{parity, colour, tile_of(b), move};
    for_kernel_of(b, [&](auto k) {
      using K = decltype(k);
      if constexpr (!K::M::discrete) {
        launch("over-relaxing spins", over_relaxation_kernel<K>, b.systems(), stream, b, half);
      }
    });
  }
}

}  // namespace

void launch_single_spins(const ClusterBatch& b, const Step& moves, std::span<const PlacedMove> sweeps,
                         std::uint64_t step, int t, cudaStream_t stream) {
  const auto repetitions = static_cast<std::uint64_t>(moves.repetitions());
  const std::uint64_t all = repetitions * static_cast<std::uint64_t>(moves.sweeps());
  const std::uint64_t local = repetitions * static_cast<std::uint64_t>(moves.count(MoveKind::local));
  for (int colour = 0; colour < (tile_of(b) == 0 ? 1 : 2); ++colour) {
    moves.for_each(sweeps, static_cast<std::uint64_t>(t), [&](const NumberedMove& move) {
      const UpdateNumber sweep{step, all, move.sweep};
      if (move.kind() == MoveKind::local) {
        launch_local_sweep(b, {step, local, move.number}, sweep, colour, stream);
      } else {
        launch_over_relaxation(b, sweep, colour, stream);
      }
    });
  }
}

void launch_unit_vectors(const ClusterBatch& b, cudaStream_t stream) {
  for_any_vector_model(b.model, [&](auto m) {
    if constexpr (!decltype(m)::free_modulus) {
      SystemLaunch(b.sites)("bringing spins to length 1", unit_kernel<decltype(m)>, b.systems(), stream, b);
    }
  });
}

void launch_cluster_energies(const ClusterBatch& b, std::uint64_t step, cudaStream_t stream) {
  for_kernel_of(b, [&](auto k) {
    using K = decltype(k);
    if constexpr (K::M::has_site_energy) clear_absent(b.common, stream);
    SystemLaunch(b.sites, 1024)("summing energies", energy_kernel<K>, b.launched(), stream, b, step);
  });
}

}}  // namespace glassworks::cuda
