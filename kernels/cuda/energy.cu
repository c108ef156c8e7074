#include <algorithm>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/device_site.cuh"
#include "kernels/cuda/step_end.hpp"
#include "kernels/models/anisotropy.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int threads = 256;

/// Adds what the threads of a warp found for a replica.
__device__ void add_energy(const DeviceBatch& b, std::uint64_t step, int task, int replica, long long sum) {
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(b.energy_sum(step, task, replica), static_cast<unsigned long long>(sum));
}

/// Every chain. with_axes: of an anisotropy. Grid: x = (task, replica), y = blocks of one replica.
template <int dim, bool with_axes>
__global__ void energy_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  const int sites = static_cast<int>(b.sites());
  const int task = static_cast<int>(blockIdx.x) / b.replicas(), replica = static_cast<int>(blockIdx.x) % b.replicas();
  const float multiplier = b.energy_scale(task).multiplier();
  long long sum = 0;
  for (int i = static_cast<int>(blockIdx.y * threads + threadIdx.x); i < sites;
       i += static_cast<int>(gridDim.y) * threads) {
    const DeviceSite<dim> site(b, task, replica, i);
    const bool odd = site.parity() == 1;
    if constexpr (with_axes) {
      const float* axes = b.axes_of(task) + i;
      const exact::Vector<3> axis{axes[0], axes[sites], axes[2 * sites]};
      sum += to_fixed(exact::anisotropy_term(b.anisotropy, axis, site.spin(i)), multiplier);
    }
    if (!odd && b.d_fields == nullptr) continue;
    sum += to_fixed(exact::dot(site.spin(i), odd ? site.local_field() : site.site_field()), multiplier);
  }
  add_energy(b, step, task, replica, sum);
}

/// Two sites that are neighbours along x, the first with x even.
struct SpinPair {
  float2 x, y, z;

  [[nodiscard]] __device__ exact::Vector<3> get(bool second) const {
    return {{second ? x.y : x.x, second ? y.y : y.x, second ? z.y : z.x}};
  }
};

/// Spins of one replica.
struct SpinSource {
  const float* spins;
  int sites;

  [[nodiscard]] __device__ exact::Vector<3> at(int site) const {
    return {spins[site], spins[sites + site], spins[2 * sites + site]};
  }
  [[nodiscard]] __device__ SpinPair pair(int site) const {
    const auto load = [&](int c) { return *reinterpret_cast<const float2*>(spins + c * sites + site); };
    return {load(0), load(1), load(2)};
  }
};

/// Planes that a block goes through.
constexpr int slab = 16;

/// d = 3 without site fields. A thread goes along z with two sites side by side, of which one is odd, for two replicas
/// at a time; the planes below, above and next stay in registers.
///
/// Grid: x = (task, pair of replicas), so that the blocks which run together share their couplings in the second-level
/// cache; y = (slab, 256 pairs of sites of a plane). Traffic per site: 12 bytes of device memory; about 16 bytes of
/// spins and 7 of couplings from the second-level cache.
__global__ void __launch_bounds__(threads, 3)
    energy_columns_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  constexpr int group = 2;
  const int L = b.lattice.L, half = L / 2, plane = L * L, sites = plane * L;
  const int groups = b.replicas() / group, chunks = (half * L + threads - 1) / threads;
  const int task = static_cast<int>(blockIdx.x) / groups, first = static_cast<int>(blockIdx.x) % groups * group;
  const int pair = static_cast<int>(blockIdx.y) % chunks * threads + static_cast<int>(threadIdx.x);
  const int z_begin = static_cast<int>(blockIdx.y) / chunks * slab, z_end = min(z_begin + slab, L);
  long long sum[group] = {};
  if (pair < half * L) {
    const int X = pair % half, y = pair / half, column = 2 * X + L * y;
    const int north = y + 1 < L ? L : L - plane, south = y > 0 ? -L : plane - L;
    const int east = X + 1 < half ? 1 : 1 - L, west = X > 0 ? -1 : L - 1;  // from the second and from the first site
    const float* J = b.couplings_of(task);
    const float multiplier = b.energy_scale(task).multiplier();
    SpinSource source[group];
    SpinPair below[group], here[group], above[group];
    const auto in_plane = [&](int z) { return column + plane * (z < L ? z : z - L); };
#pragma unroll
    for (int r = 0; r < group; ++r) {
      source[r] = {b.spins_of(task, first + r), sites};
      below[r] = source[r].pair(in_plane(z_begin > 0 ? z_begin - 1 : L - 1));
      here[r] = source[r].pair(in_plane(z_begin));
      above[r] = source[r].pair(in_plane(z_begin + 1));
    }
#pragma unroll 1
    for (int z = z_begin; z < z_end; ++z) {
      const bool second = ((y + z) & 1) == 0;
      const int site = in_plane(z) + (second ? 1 : 0);
      const int outside = site + (second ? east : west);
      const float J_east = J[site], J_west = J[second ? site - 1 : outside];
      const float J_north = J[sites + site], J_south = J[sites + site + south];
      const float J_high = J[2 * sites + site], J_low = J[2 * sites + (z > 0 ? site - plane : site + sites - plane)];
#pragma unroll
      for (int r = 0; r < group; ++r) {
        const SpinPair next = source[r].pair(in_plane(z + 2));
        const exact::Vector<3> out = source[r].at(outside), in = here[r].get(!second);
        exact::Vector<3> h = exact::first_bond(J_east, second ? out : in);
        h = exact::add_bond(h, J_west, second ? in : out);
        h = exact::add_bond(h, J_north, source[r].at(site + north));
        h = exact::add_bond(h, J_south, source[r].at(site + south));
        h = exact::add_bond(h, J_high, above[r].get(second));
        h = exact::add_bond(h, J_low, below[r].get(second));
        sum[r] += to_fixed(exact::dot(here[r].get(second), h), multiplier);
        below[r] = here[r];
        here[r] = above[r];
        above[r] = next;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < group; ++r) add_energy(b, step, task, first + r, sum[r]);
}

}  // namespace

void launch_energies(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  const auto replicas = static_cast<unsigned>(b.tasks * b.replicas());
  const int L = b.lattice.L;
  if (b.lattice.dim == 3 && L >= 24 && b.d_fields == nullptr && b.d_axes == nullptr && b.replicas() % 2 == 0) {
    const int chunks = (L * L / 2 + threads - 1) / threads, slabs = (L + slab - 1) / slab;
    energy_columns_kernel<<<dim3(replicas / 2, static_cast<unsigned>(chunks * slabs)), threads, 0, stream>>>(b, step);
  } else {
    const auto per_replica = static_cast<unsigned>(std::clamp<std::int64_t>(b.sites() / (8 * threads), 1, 64));
    for_dimension(b.lattice.dim, [&](auto dim) {
      constexpr int d = decltype(dim)::value;
      const auto kernel = b.d_axes != nullptr ? energy_kernel<d, true> : energy_kernel<d, false>;
      kernel<<<dim3(replicas, per_replica), threads, 0, stream>>>(b, step);
    });
  }
  check_launch("starting the energy kernel");
}

}}  // namespace glassworks::cuda
