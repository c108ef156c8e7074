#pragma once

#include <algorithm>

#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/colours/colour_cell.cuh"

namespace glassworks { inline namespace cuda {

/// Blocks of a multiprocessor, as many as registers suffice for. d = 3, L = 64, H200: heat bath 9.6 ps with four blocks
/// (64 registers), 11.7 ps with two (90).
constexpr int blocks_of_pass(ColourPass which, int n, int dim) {
  if (dim > 3 || which == ColourPass::metropolis) return 2;
  return n < 4 && which != ColourPass::energies ? 4 : 3;
}

/// What an update of SiteUpdates sees of a site.
template <int n>
struct ColourSite {
  using M = UnitVectors<n>;
  const ClusterBatch& b;
  const SweepConstants& of_sweep;
  const exact::Vector<n>& spin;
  const exact::Vector<n>& local_field;
  float of_slot;
  RandomBlock block;

  [[nodiscard]] __device__ __forceinline__ const exact::Vector<n>& here() const { return spin; }
  [[nodiscard]] __device__ __forceinline__ const SweepConstants& constants() const { return of_sweep; }
  [[nodiscard]] __device__ __forceinline__ float gain(const exact::Vector<n>& s) const {
    return site_gain<M>(local_field, of_sweep.model, s, 0.0F);
  }
  [[nodiscard]] __device__ __forceinline__ RandomBlock words(int) const { return block; }
  [[nodiscard]] __device__ __forceinline__ float width() const { return of_slot; }
};

/// What the threads of a block share of the replicas of a run.
struct ColourRun {
  exact::LocalTemperature temperature[most_in_run];
  float width[most_in_run];
  unsigned low[most_in_run];  ///< sums: accepted moves, or energies as SplitSum
  int high[most_in_run];
};

/// One pass over the sites of a colour, in place: a colour reads the other one.
///
/// Grid: (boxes along x and y; boxes along z, times L in d = 4; runs of all tasks). Streams: heat_bath or
/// local_update, one block for the two sites of a cell, of metropolis one for each site. Traffic per site: 8 n bytes of
/// device memory, of n = 2 and 4 and over-relaxation 12 n, and 8 dim of couplings, shared by the replicas of a run.
template <ColourPass which, int n, int dim>
__global__ void __launch_bounds__(256, blocks_of_pass(which, n, dim))
    colour_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ ColourLaunch l,
                  const __grid_constant__ UpdateNumber sweep) {
  constexpr bool reads_own = which != ColourPass::heat_bath || n != 3;
  constexpr bool sums = which == ColourPass::metropolis || which == ColourPass::energies;
  using V = exact::Vector<n>;
  __shared__ ColourRun run;
  const DeviceBatch& common = b.common;
  unsigned number = l.first + blockIdx.z;
  const int task = l.runs.divide(number), replicas = common.replicas();
  unsigned from = number * static_cast<unsigned>(replicas), to = from + static_cast<unsigned>(replicas);
  const int first = l.runs.divide(from), end = l.runs.divide(to);
  const std::int64_t sites = common.sites();
  const ColourCell<dim> cell(common.lattice, l);
  const ColourOrder<n> order(sites);
  const ColourPlaces<n, dim> places(cell, order, l.colour);
  float J[2][2 * dim] = {};
  if (common.d_couplings == nullptr) {
#pragma unroll
    for (int bond = 0; bond < 2 * dim; ++bond) J[0][bond] = J[1][bond] = common.coupling;
  } else if (cell.inside) {
    cell.load_couplings(common.couplings_of(task), sites, 0, J[0]);
    cell.load_couplings(common.couplings_of(task), sites, 1, J[1]);
  }
  begin_overlapped();
  for (int i = static_cast<int>(threadIdx.x); i < end - first; i += static_cast<int>(blockDim.x)) {
    const int slot = common.d_slot[task * replicas + first + i];
    run.temperature[i] = exact::LocalTemperature(common.d_beta[slot]);
    if constexpr (which == ColourPass::metropolis) {
      run.width[i] = common.beside_widths > 0 ? width_of(common.beside_of(task)[slot]) : 1.0F;
    }
    if constexpr (sums) run.low[i] = 0;
    if constexpr (sums) run.high[i] = 0;
  }
  __syncthreads();
  const std::uint64_t sweep_number = sweep.of(b, task), half_sweep = 2 * sweep_number + static_cast<unsigned>(l.colour);
  const std::uint32_t realization = common.d_realization[task];
  const auto random = [&](int replica, std::uint32_t index) {
    return random_block(common.key, b.local_stream, realization, static_cast<std::uint32_t>(replica), half_sweep,
                        index);
  };
  [[maybe_unused]] const float multiplier =
      which == ColourPass::energies ? common.energy_scale(task).multiplier() : 0.0F;

#pragma unroll 1
  for (int replica = first; replica < end; ++replica) {
    [[maybe_unused]] std::int32_t found = 0;
    if (cell.inside) {
      const ColourSpins<n> spins{
          reinterpret_cast<char*>(l.d_spins + (std::int64_t{task} * replicas + replica) * order.size())};
      CellNeighbours<n, dim> around(places, spins);
      V s[2] = {};
      if constexpr (reads_own) {
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          s[m] = spins.load(places.own[m]);
          if (l.late && l.colour == 0) s[m] = exact::renormalize(s[m]);
        }
      }
      [[maybe_unused]] RandomBlock words{};
      if constexpr (which == ColourPass::heat_bath) words = random(replica, cell.number);
      if constexpr (which == ColourPass::energies) {
        if (l.late) around.renormalize();
      }
      const auto of_member = [&](auto member) {
        constexpr int m = decltype(member)::value;
        V h;
        around.template for_each<m>(cell.shifted, [&](int bond, const V& neighbour) {
          if constexpr (which == ColourPass::energies) {
            if (l.of_bonds) {
              found += to_fixed_clamped(exact::mul(J[m][bond], exact::dot(s[m], neighbour)), multiplier);
            }
          }
          h = bond == 0 ? exact::first_bond(J[m][0], neighbour) : exact::add_bond(h, J[m][bond], neighbour);
        });
        if constexpr (which == ColourPass::energies) {
          if (!l.of_bonds) found += to_fixed(exact::dot(s[m], h), multiplier);
          return;
        } else {
          [[maybe_unused]] const exact::LocalTemperature& temperature = run.temperature[replica - first];
          V moved;
          if constexpr (which == ColourPass::heat_bath) {
            moved = exact::local_update<float>(s[m], h, temperature, sweep_number, words.word[2 * m],
                                               words.word[2 * m + 1]);
          } else if constexpr (which == ColourPass::over_relaxation) {
            moved = exact::over_relax(s[m], h);
          } else {
            const SweepConstants constants{temperature, sweep_number, b.model, b.phi4};
            const ColourSite<n> site{b, constants, s[m], h, run.width[replica - first], random(replica, cell.site(m))};
            const auto move = Metropolis::move<UnitVectors<n>>(site);
            moved = move.spin;
            found += move.accepted ? 1 : 0;
          }
          spins.store(places.own[m], l.renormalize ? exact::renormalize(moved) : moved);
        }
      };
      of_member(std::integral_constant<int, 0>{});
      of_member(std::integral_constant<int, 1>{});
    }
    if constexpr (sums) {
      const SplitSum sum = split_sum(~0U, found);
      if (threadIdx.x % 32 == 0) {
        atomicAdd(run.low + (replica - first), sum.low);
        atomicAdd(run.high + (replica - first), sum.high);
      }
    }
  }
  if constexpr (sums) {
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < end - first; i += static_cast<int>(blockDim.x)) {
      const auto sum = static_cast<unsigned long long>(SplitSum{run.low[i], run.high[i]}.value());
      if constexpr (which == ColourPass::energies) {
        atomicAdd(common.energy_sum(l.step, task, first + i), sum);
      } else if (b.d_accepted != nullptr) {
        atomicAdd(b.d_accepted + task * replicas + first + i, sum);
      }
    }
  }
}

template <int n, int dim>
void launch_colour_pass_in(ColourPass which, const ClusterBatch& b, const ColourLaunch& l, const UpdateNumber& sweep,
                           cudaStream_t stream) {
  const int L = b.common.lattice.L;
  const unsigned half = static_cast<unsigned>(L) / 2, rows = (half + l.y.value - 1) / l.y.value;
  const unsigned threads = (l.x.value * l.y.value * l.z.value + 31) / 32 * 32;
  const auto start = [&](auto kernel) {
    ColourLaunch part = l;
    for (; part.first < l.end; part.first += most_of_grid) {
      const dim3 grid(l.boxes_x.value * rows, l.boxes_z.value * (dim > 3 ? static_cast<unsigned>(L) : 1U),
                      std::min(most_of_grid, l.end - part.first));
      launch_overlapped("sweeping a colour", kernel, grid, threads, 0, stream, b, part, sweep);
    }
  };
  switch (which) {
    case ColourPass::heat_bath:
      return start(colour_kernel<ColourPass::heat_bath, n, dim>);
    case ColourPass::metropolis:
      return start(colour_kernel<ColourPass::metropolis, n, dim>);
    case ColourPass::over_relaxation:
      return start(colour_kernel<ColourPass::over_relaxation, n, dim>);
    case ColourPass::energies:
      return start(colour_kernel<ColourPass::energies, n, dim>);
  }
}

template <int n>
void launch_colour_pass(ColourPass which, const ClusterBatch& b, const ColourLaunch& l, const UpdateNumber& sweep,
                        cudaStream_t stream) {
  switch (b.common.lattice.dim) {
    case 2:
      return launch_colour_pass_in<n, 2>(which, b, l, sweep, stream);
    case 3:
      return launch_colour_pass_in<n, 3>(which, b, l, sweep, stream);
    default:
      return launch_colour_pass_in<n, 4>(which, b, l, sweep, stream);
  }
}

}}  // namespace glassworks::cuda
