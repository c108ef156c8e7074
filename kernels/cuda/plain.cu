#include <algorithm>
#include <type_traits>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/exchange.cuh"
#include "kernels/cuda/plain.hpp"
#include "kernels/cuda/site.cuh"

namespace glassworks::inline cuda {
namespace {

constexpr int threads = 256;

enum class Update { over_relax, over_relax_conserving, heat_bath };

/// One half-sweep: the sites of one parity in the tiles of one colour.
struct HalfSweep {
  Update update;
  int colour, parity;
  std::uint64_t step;     ///< of the round
  std::uint64_t in_step;  ///< heat-bath sweeps of this step done before
};

/// Replica and index of a thread: work is numbered (task, replica, i) with i < per_replica fastest.
struct Place {
  int task, replica;
  int i;
  __device__ Place(const DeviceBatch& b, std::int64_t n, int per_replica)
      : task(static_cast<int>(n / per_replica / b.replicas())),
        replica(static_cast<int>(n / per_replica % b.replicas())),
        i(static_cast<int>(n % per_replica)) {}
};

[[nodiscard]] unsigned grid_of(std::int64_t work) {
  return static_cast<unsigned>(std::min<std::int64_t>((work + threads - 1) / threads, 1 << 30));
}

/// Streams: heat_bath. Traffic: about 100 bytes per site.
template <int dim>
__global__ void half_sweep_kernel(const __grid_constant__ DeviceBatch b, const __grid_constant__ HalfSweep half) {
  const int L = b.lattice.L, half_sites = static_cast<int>(b.sites() / 2);
  const std::int64_t work = static_cast<std::int64_t>(b.tasks) * b.replicas() * half_sites;
  const std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (n >= work) return;
  const Place place(b, n, half_sites);
  DeviceSite<dim> site(b, place.task, place.replica, 2 * place.i);  // the even x of a pair; then the one of the parity
  if (site.parity() != half.parity) {
    ++site.index;
    ++site.coordinate[0];
  }
  const int edge = b.protocol.tile == 0 ? L : b.protocol.tile;
  int colour = 0;
#pragma unroll
  for (int axis = 0; axis < dim; ++axis) colour += site.coordinate[axis] / edge;
  if ((colour & 1) != half.colour) return;

  const auto h = site.local_field();
  if (half.update == Update::over_relax) {
    site.set_spin(exact::over_relax(site.spin(site.index), h));
  } else if (half.update == Update::over_relax_conserving) {
    site.set_spin(exact::over_relax_conserving(site.spin(site.index), h));
  } else {
    const std::uint64_t per_step =
        static_cast<std::uint64_t>(b.protocol.sweeps_per_exchange) * static_cast<std::uint64_t>(b.protocol.heatbath);
    const std::uint64_t sweep = (b.d_first_step[place.task] + half.step) * per_step + half.in_step;
    const HeatBathAddress address =
        heat_bath_address(b.lattice, {site.coordinate[0], site.coordinate[1], site.coordinate[2], site.coordinate[3]});
    const RandomBlock u = random_block(CurandKey(b.key), Stream::heat_bath, b.d_realization[place.task],
                                       static_cast<std::uint32_t>(place.replica),
                                       2 * sweep + static_cast<unsigned>(half.parity), address.cell);
    const int slot = b.d_slot[static_cast<std::int64_t>(place.task) * b.replicas() + place.replica];
    site.set_spin(
        exact::heat_bath(h, b.d_temperature[slot], u.word[2 * address.member], u.word[2 * address.member + 1]));
  }
}

/// One warp per copy of a task.
__global__ void exchange_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  WarpExchange<CurandKey> exchange(b, static_cast<int>(blockIdx.x) / b.copies, static_cast<int>(blockIdx.x) % b.copies,
                                   step);
  exchange.collect_sums();
  exchange.run();
}

__global__ void renormalize_kernel(const __grid_constant__ DeviceBatch b) {
  const int sites = static_cast<int>(b.sites());
  const std::int64_t n = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (n >= static_cast<std::int64_t>(b.tasks) * b.replicas() * sites) return;
  const Place place(b, n, sites);
  float* s = b.spins_of(place.task, place.replica) + place.i;
  const auto v = exact::renormalize(exact::Vector<3>{s[0], s[sites], s[2 * b.sites()]});
  s[0] = v.c[0];
  s[sites] = v.c[1];
  s[2 * b.sites()] = v.c[2];
}

/// d_energy from the sums of a step, which are cleared.
__global__ void collect_energies_kernel(const __grid_constant__ DeviceBatch b, std::uint64_t step) {
  const int i = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (i >= b.tasks * b.replicas()) return;
  unsigned long long* sum = b.energy_sum(step, 0, i);
  b.d_energy[i] = -static_cast<long long>(*sum);
  *sum = 0;
}

template <int dim>
void launch_half_sweep(const DeviceBatch& b, const HalfSweep& half, cudaStream_t stream) {
  const std::int64_t work = static_cast<std::int64_t>(b.tasks) * b.replicas() * (b.sites() / 2);
  half_sweep_kernel<dim><<<grid_of(work), threads, 0, stream>>>(b, half);
  check_launch("starting the plain update kernel");
}

}  // namespace

void launch_plain_sweeps(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  const int n_M = b.protocol.overrelaxation, n_B = b.protocol.heatbath;
  const int colours = b.protocol.tile == 0 || b.protocol.tile == b.lattice.L ? 1 : 2;
  const Update reflection = n_B > 0 ? Update::over_relax : Update::over_relax_conserving;
  for_dimension(b.lattice.dim, [&](auto dim) {
    for (int t = 0; t < b.protocol.sweeps_per_exchange; ++t) {
      for (int colour = 0; colour < colours; ++colour) {
        for (int sweep = 0; sweep < n_M + n_B; ++sweep) {
          const auto in_step = static_cast<std::uint64_t>(t * n_B + (sweep < n_M ? 0 : sweep - n_M));
          for (int parity = 0; parity < 2; ++parity) {
            launch_half_sweep<decltype(dim)::value>(
                b, {sweep < n_M ? reflection : Update::heat_bath, colour, parity, step, in_step}, stream);
          }
        }
      }
    }
  });
}

void launch_exchange(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  exchange_kernel<<<static_cast<unsigned>(b.tasks * b.copies), 32, 0, stream>>>(b, step);
  check_launch("starting the exchange kernel");
}

void launch_renormalize(const DeviceBatch& b, std::uint64_t step, cudaStream_t stream) {
  renormalize_kernel<<<grid_of(static_cast<std::int64_t>(b.tasks) * b.replicas() * b.sites()), threads, 0, stream>>>(b);
  check_launch("starting the renormalization kernel");
  launch_energies(b, step, stream);
  collect_energies_kernel<<<grid_of(static_cast<std::int64_t>(b.tasks) * b.replicas()), threads, 0, stream>>>(b, step);
  check_launch("starting the energy kernel");
}

}  // namespace glassworks::inline cuda
