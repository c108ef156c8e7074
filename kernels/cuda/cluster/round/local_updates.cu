#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/round/local_updates.hpp"
#include "kernels/cuda/cluster/round/site.cuh"

namespace glassworks::inline cuda {
namespace {

/// What a thread needs to update one site.
struct LocalUpdate {
  unsigned system;
  LatticeSite site;
  int task;
  float beta;
  std::uint64_t number;  ///< of the sweep
  int parity;

  /// item: number among the sites of the parity, along x first
  __device__ __forceinline__ LocalUpdate(const ClusterBatch& b, const ThreadPlace& place, const UpdateNumber& sweep,
                                         int p)
      : system(place.system),
        site(b.common.lattice, 2 * place.item),
        task(b.task_of(place.system)),
        beta(b.beta_of(place.system)),
        number(sweep.of(b, task)),
        parity(p) {
    if (static_cast<int>((site.c[0] + site.c[1] + site.c[2] + site.c[3]) & 1U) != parity) {
      ++site.site;
      ++site.c[0];
    }
  }

  [[nodiscard]] __device__ __forceinline__ RandomBlock random(const ClusterBatch& b, std::uint32_t index) const {
    return b.random(Stream::local_update, system, half_sweep(number, parity), index);
  }
  /// visit(neighbour, J, first) in the order x+, x-, y+, y-, ...
  template <class Visit>
  __device__ __forceinline__ void for_each_bond(const ClusterBatch& b, const Visit& visit) const {
#pragma unroll
    for (int axis = 0; axis < 4; ++axis) {
      if (axis >= b.common.lattice.dim) break;
      const std::uint32_t backward = site.backward(axis);
      visit(site.forward(axis), b.coupling(task, axis, site.site), axis == 0);
      visit(backward, b.coupling(task, axis, backward), false);
    }
  }
};

/// The two words of a site in the block of its cell.
struct CellWords {
  std::uint32_t w0, w1;
  __device__ __forceinline__ CellWords(const ClusterBatch& b, const LocalUpdate& update) {
    const HeatBathAddress address = heat_bath_address(b.common.lattice, update.site.coordinates());
    const RandomBlock words = update.random(b, address.cell);
    w0 = address.member == 0 ? words.word[0] : words.word[2];
    w1 = address.member == 0 ? words.word[1] : words.word[3];
  }
};

// field: whether the sites have fields, with which a local field begins. Without them the kernels hold nothing of it.

template <bool field>
__global__ void __launch_bounds__(256) ising_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                    const __grid_constant__ UpdateNumber sweep, int parity) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites / 2) return;
  const LocalUpdate update(b, place, sweep, parity);
  std::uint8_t* states = b.states_of(place.system);
  float h = 0.0F;
  if constexpr (field) h = b.fields_of(update.task)[update.site.site];
  update.for_each_bond(b, [&](std::uint32_t j, float J, bool first) {
    const float term = states[j] != 0 ? J : -J;
    h = first && !field ? term : exact::add(h, term);
  });
  const exact::LocalTemperature temperature(update.beta);
  states[update.site.site] = exact::ising_heat_bath(h, temperature.minus_two_beta, CellWords(b, update).w0);
}

__global__ void __launch_bounds__(256) potts_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                    const __grid_constant__ UpdateNumber sweep, int parity) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites / 2) return;
  const LocalUpdate update(b, place, sweep, parity);
  std::uint8_t* states = b.states_of(place.system);
  exact::PottsNeighbours neighbours{};
  update.for_each_bond(b, [&](std::uint32_t j, float J, bool) {
    neighbours.sigma[neighbours.count] = states[j];
    neighbours.J[neighbours.count++] = J;
  });
  states[update.site.site] = exact::potts_heat_bath(neighbours, b.model.states, update.beta, CellWords(b, update).w0);
}

template <int n, bool field>
[[nodiscard]] __device__ __forceinline__ exact::Vector<n> local_field(const ClusterBatch& b, const LocalUpdate& update,
                                                                      const float* spins) {
  exact::Vector<n> h{};
  if constexpr (field) h = load_spin<n>(b.fields_of(update.task), b.sites, update.site.site);
  update.for_each_bond(b, [&](std::uint32_t j, float J, bool first) {
    const exact::Vector<n> s = load_spin<n>(spins, b.sites, j);
    h = first && !field ? exact::first_bond(J, s) : exact::add_bond(h, J, s);
  });
  return h;
}

/// on, and phi4 at any lambda, which has no fields.
template <int n, bool field>
__global__ void __launch_bounds__(256) vector_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                     const __grid_constant__ UpdateNumber sweep, int parity) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites / 2) return;
  const LocalUpdate update(b, place, sweep, parity);
  float* spins = b.spins_of(place.system);
  const exact::Vector<n> h = local_field<n, field>(b, update, spins);
  const exact::Vector<n> s = load_spin<n>(spins, b.sites, update.site.site);
  if constexpr (n == 4 && !field) {
    if (has_modulus(b.model)) {
      const exact::Phi4Move move = exact::phi4_update(s, h, exact::LocalTemperature(update.beta), b.phi4, update.number,
                                                      update.random(b, update.site.site));
      store_spin(spins, b.sites, update.site.site, move.phi);
      // A warp belongs to one system.
      const unsigned lanes = __activemask();
      const unsigned accepted = __ballot_sync(lanes, move.accepted);
      if ((threadIdx.x & 31U) == static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1 && accepted != 0) {
        atomicAdd(b.d_accepted + place.system, static_cast<unsigned long long>(__popc(accepted)));
      }
      if (move.too_large) b.d_too_large[place.system] = 1;
      return;
    }
  }
  const CellWords words(b, update);
  store_spin(spins, b.sites, update.site.site,
             exact::local_update(s, h, exact::LocalTemperature(update.beta), update.number, words.w0, words.w1));
}

template <int n, bool field>
__global__ void __launch_bounds__(256)
    over_relaxation_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, int parity) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites / 2) return;
  const LocalUpdate update(b, place, UpdateNumber{}, parity);
  float* spins = b.spins_of(place.system);
  const exact::Vector<n> s = load_spin<n>(spins, b.sites, update.site.site);
  store_spin(spins, b.sites, update.site.site, exact::over_relax(s, local_field<n, field>(b, update, spins)));
}

template <int n>
__global__ void __launch_bounds__(256) unit_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  float* spins = b.spins_of(place.system);
  store_spin(spins, b.sites, place.item, exact::renormalize(load_spin<n>(spins, b.sites, place.item)));
}

/// H_i . s_i
template <int n>
[[nodiscard]] __device__ __forceinline__ float field_product(const ClusterBatch& b, unsigned system, std::uint32_t i) {
  const float* fields = b.fields_of(b.task_of(system));
  if constexpr (n == 1) {
    return b.states_of(system)[i] != 0 ? fields[i] : -fields[i];
  } else {
    return exact::dot(load_spin<n>(fields, b.sites, i), load_spin<n>(b.spins_of(system), b.sites, i));
  }
}

/// n = 1: discrete spins.
template <int n, bool field>
__global__ void __launch_bounds__(256)
    energy_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, std::uint64_t step) {
  const ThreadPlace place(blocks);
  const int task = b.task_of(place.system), dim = b.common.lattice.dim;
  const float multiplier = b.common.energy_scale(task).multiplier();
  const std::uint8_t* states = b.states_of(place.system);
  const float* spins = b.spins_of(place.system);
  const float unequal = b.model.kind == ModelKind::ising ? -1.0F : 0.0F;
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const LatticeSite site(b.common.lattice, i);
    if constexpr (field) sum += to_fixed_clamped(field_product<n>(b, place.system, i), multiplier);
#pragma unroll
    for (int axis = 0; axis < 4; ++axis) {
      if (axis >= dim) break;
      const std::uint32_t j = site.forward(axis);
      float x;
      if constexpr (n == 1) {
        x = states[i] == states[j] ? 1.0F : unequal;
      } else {
        x = exact::dot(load_spin<n>(spins, b.sites, i), load_spin<n>(spins, b.sites, j));
      }
      sum += to_fixed_clamped(exact::mul(b.coupling(task, axis, i), x), multiplier);
    }
  }
  block_add(sum, reinterpret_cast<long long*>(
                     b.common.energy_sum(step, task, static_cast<int>(place.system) % b.common.replicas())));
}

}  // namespace

void launch_local_sweep(const ClusterBatch& b, const UpdateNumber& sweep, cudaStream_t stream) {
  const SystemLaunch launch(b.sites / 2);
  for (int parity = 0; parity < 2; ++parity) {
    const auto start = [&](auto* kernel) {
      launch("updating single spins", kernel, b.systems(), stream, b, sweep, parity);
    };
    if (b.model.kind == ModelKind::ising) {
      start(b.has_fields() ? ising_kernel<true> : ising_kernel<false>);
    } else if (b.model.kind == ModelKind::potts) {
      start(potts_kernel);
    } else {
      for_components(b.model, [&](auto n) {
        constexpr int components = decltype(n)::value;
        start(b.has_fields() ? vector_kernel<components, true> : vector_kernel<components, false>);
      });
    }
  }
}

void launch_over_relaxation(const ClusterBatch& b, cudaStream_t stream) {
  if (b.model.is_discrete()) return;
  const SystemLaunch launch(b.sites / 2);
  for (int parity = 0; parity < 2; ++parity) {
    for_components(b.model, [&](auto n) {
      constexpr int components = decltype(n)::value;
      launch("over-relaxing spins",
             b.has_fields() ? over_relaxation_kernel<components, true> : over_relaxation_kernel<components, false>,
             b.systems(), stream, b, parity);
    });
  }
}

void launch_unit_vectors(const ClusterBatch& b, cudaStream_t stream) {
  if (b.model.is_discrete() || has_modulus(b.model)) return;
  for_components(b.model, [&](auto n) {
    SystemLaunch(b.sites)("bringing spins to length 1", unit_kernel<decltype(n)::value>, b.systems(), stream, b);
  });
}

void launch_cluster_energies(const ClusterBatch& b, std::uint64_t step, cudaStream_t stream) {
  const auto start = [&](auto* kernel) {
    SystemLaunch(b.sites, 1024)("summing energies", kernel, b.systems(), stream, b, step);
  };
  if (b.model.is_discrete()) return start(b.has_fields() ? energy_kernel<1, true> : energy_kernel<1, false>);
  for_components(b.model, [&](auto n) {
    constexpr int components = decltype(n)::value;
    start(b.has_fields() ? energy_kernel<components, true> : energy_kernel<components, false>);
  });
}

}  // namespace glassworks::inline cuda
