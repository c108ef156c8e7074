#include <algorithm>
#include <type_traits>

#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/cuda/graph/graph_group.cuh"
#include "kernels/cuda/graph/graph_memory.hpp"
#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace cuda {
namespace {

__device__ __forceinline__ char* group_of(const GraphJob& job, unsigned group) {
  return job.d_spins + group * job.shape.group_bytes;
}

template <class M>
__device__ __forceinline__ SweepConstants constants_of(const GroupThread<M>& thread, const GraphRun& run, int i) {
  const UpdateNumber sweep{thread.job.step, thread.job.local_per_step, run.first + static_cast<std::uint64_t>(i)};
  return {exact::LocalTemperature(thread.beta), sweep.of(thread.b, thread.task), thread.b.model, thread.b.phi4};
}

/// Some sweeps of a step; a block has a group of replicas in its shared memory. Grid: groups.
///
/// Stream: local updates. Deterministic: sites of one colour have no bonds among them. Cost: the spins once in and out
/// for all sweeps of the launch, 8 bytes for each link and sweep from the second-level cache, shared by the group.
template <class M>
__global__ void __launch_bounds__(1024)
    resident_graph_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job) {
  extern __shared__ uint4 graph_spins[];
  __shared__ unsigned long long sums[32];
  const auto words = static_cast<std::uint32_t>(job.shape.group_bytes / sizeof(uint4));
  auto* const home = reinterpret_cast<uint4*>(group_of(job, blockIdx.x));
  for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) graph_spins[i] = home[i];
  if (threadIdx.x < 32) sums[threadIdx.x] = 0;
  __syncthreads();
  const GroupThread<M> thread(b, job, blockIdx.x, threadIdx.x, graph_spins);
  const std::uint32_t lane = threadIdx.x >> job.shape.log_group, stride = blockDim.x >> job.shape.log_group;
  for (int k = 0; k < job.run_count; ++k) {
    for (int i = 0; i < job.runs[k].count; ++i) {
      const SweepConstants constants = constants_of(thread, job.runs[k], i);
      std::uint32_t begin = 0;
      for (int colour = 0; colour < job.colours && begin < b.sites; ++colour) {
        const std::uint32_t end = __ldg(thread.graph.first + colour + 1);
        for (std::uint32_t place = begin + lane; thread.exists && place < end; place += stride) {
          thread.update(place, job.runs[k].local, constants);
        }
        begin = end;
        __syncthreads();
      }
    }
  }
  if (job.ends) {
    for (std::uint32_t place = lane; thread.exists && place < b.sites; place += stride) thread.renormalize(place);
    __syncthreads();
  }
  for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) home[i] = graph_spins[i];
  if (job.energies) thread.add_energy(thread.exists ? thread.energy(lane, stride) : 0, sums);
}

/// A thread of the kernels whose spins are in the memory of the device. blocks: of a group.
struct GroupPlace {
  unsigned group;
  std::uint32_t lane, stride;
  __device__ GroupPlace(const GraphJob& job, unsigned blocks)
      : group(blockIdx.x / blocks),
        lane(((blockIdx.x % blocks) * blockDim.x + threadIdx.x) >> job.shape.log_group),
        stride((blocks * blockDim.x) >> job.shape.log_group) {}
};

/// The sites of one colour in one sweep, the first one of the first run. Grid: blocks for the largest colour, of all
/// groups.
template <class M>
__global__ void __launch_bounds__(256) colour_graph_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                           const __grid_constant__ GraphJob job, int colour) {
  const GroupPlace at(job, blocks);
  const GroupThread<M> thread(b, job, at.group, threadIdx.x, group_of(job, at.group));
  const std::uint32_t place = __ldg(thread.graph.first + colour) + at.lane;
  if (!thread.exists || place >= __ldg(thread.graph.first + colour + 1)) return;
  thread.update(place, job.runs[0].local, constants_of(thread, job.runs[0], 0));
}

template <class M>
__global__ void __launch_bounds__(256)
    unit_graph_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job) {
  const GroupPlace at(job, blocks);
  const GroupThread<M> thread(b, job, at.group, threadIdx.x, group_of(job, at.group));
  if (thread.exists && at.lane < b.sites) thread.renormalize(at.lane);
}

template <class M>
__global__ void __launch_bounds__(256)
    energy_graph_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job) {
  __shared__ unsigned long long sums[32];
  if (threadIdx.x < 32) sums[threadIdx.x] = 0;
  __syncthreads();
  const GroupPlace at(job, blocks);
  const GroupThread<M> thread(b, job, at.group, threadIdx.x, group_of(job, at.group));
  thread.add_energy(thread.exists ? thread.energy(at.lane, at.stride) : 0, sums);
}

/// Grid: covers the links of all tasks. The first half of the threads of a task has the bonds as well.
__global__ void __launch_bounds__(256)
    couple_links_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::uint64_t{job.links} * static_cast<unsigned>(b.common.tasks)) return;
  const auto task = static_cast<int>(i / job.links);
  const auto number = static_cast<std::uint32_t>(i % job.links);
  const DeviceGraph& graph = b.common.d_graphs[task];
  const auto at = [&](std::uint32_t site) { return graph.place[site] << job.shape.log_group; };
  if (number >= 2 * graph.bond_count) return;  // another graph has more
  const GraphPair link = graph.links[number];
  job.d_links[i] = {at(link.first), exact::as_uint(b.common.coupling_of(task, link.second))};
  if (number >= graph.bond_count) return;
  const GraphPair bond = graph.bonds[number];
  job.d_bonds[static_cast<std::size_t>(task) * (job.links / 2) + number] = {at(bond.first), at(bond.second)};
}

/// Grid: covers the words of the terms of all tasks.
__global__ void __launch_bounds__(256)
    couple_terms_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::uint64_t{job.term_words} * static_cast<unsigned>(b.common.tasks)) return;
  const auto task = static_cast<int>(i / job.term_words);
  const auto number = static_cast<std::uint32_t>(i % job.term_words);
  const DeviceGraph& graph = b.common.d_graphs[task];
  if (graph.term_count == 0 || number >= graph.site_begin[b.sites]) return;
  const std::uint32_t word = graph.site_terms[number];
  const bool is_coupling = number == 0 || (graph.site_terms[number - 1] & last_of_term) != 0;
  job.d_terms[i] = is_coupling ? exact::as_uint(b.common.coupling_of(task, word))
                               : graph.place[word & ~last_of_term] << job.shape.log_group | (word & last_of_term);
}

/// Where a component of a site of a replica is: in the order of the groups, of the batch. T: of one component.
template <class T>
struct ArrangedSpins {
  T* arranged;
  T* natural;

  __device__ ArrangedSpins(const ClusterBatch& b, const GraphJob& job, unsigned components, unsigned system,
                           T* of_batch)
      : natural(of_batch + static_cast<std::size_t>(system) * components * b.sites) {
    const auto replicas = static_cast<unsigned>(b.common.replicas()), replica = system % replicas;
    const unsigned group = system / replicas * job.shape.groups + (replica >> job.shape.log_group);
    arranged = reinterpret_cast<T*>(group_of(job, group)) + (replica & ((1U << job.shape.log_group) - 1));
  }
};

// Both orders are written side by side and read from anywhere.

/// Copies the spins of the batch to the order of the groups. Grid: blocks for the places of a group, of all groups.
template <class T>
__global__ void __launch_bounds__(256)
    group_spins_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job,
                       unsigned components, T* spins) {
  const GroupPlace at(job, blocks);
  if (at.lane >= b.sites) return;
  const auto replicas = static_cast<unsigned>(b.common.replicas());
  const unsigned task = at.group / job.shape.groups, own = threadIdx.x & ((1U << job.shape.log_group) - 1);
  const unsigned replica = (at.group % job.shape.groups << job.shape.log_group) + own;
  if (replica >= replicas) return;
  const ArrangedSpins<T> of(b, job, components, task * replicas + replica, spins);
  const std::uint32_t site = b.common.d_graphs[task].order[at.lane];
  for (std::size_t k = 0; k < components; ++k) {
    of.arranged[(k * b.sites + at.lane) << job.shape.log_group] = of.natural[k * b.sites + site];
  }
}

/// Copies them back.
template <class T>
__global__ void __launch_bounds__(256)
    natural_spins_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ GraphJob job,
                         unsigned components, T* spins) {
  const ThreadPlace at(blocks);
  if (at.item >= b.sites) return;
  const ArrangedSpins<T> of(b, job, components, at.system, spins);
  const std::uint32_t place = b.common.d_graphs[b.task_of(at.system)].place[at.item];
  for (std::size_t k = 0; k < components; ++k) {
    of.natural[k * b.sites + at.item] = of.arranged[(k * b.sites + place) << job.shape.log_group];
  }
}

/// start(spins of the batch, components of a site) as bytes or floats.
template <class Start>
void for_spins_of(const ClusterBatch& b, const Start& start) {
  if (b.model.is_discrete()) return start(b.common.d_states, 1U);
  start(b.common.d_spins, static_cast<unsigned>(components_of(b.model)));
}

/// Blocks of 256 threads for so many sites of a group.
unsigned blocks_of_group(const GraphJob& job, std::uint64_t sites, std::uint64_t most = 1U << 30) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(((sites << job.shape.log_group) + 255) / 256, 1, most));
}

unsigned all_groups(const ClusterBatch& b, const GraphJob& job) {
  return job.shape.groups * static_cast<unsigned>(b.common.tasks);
}

/// Some sweeps of a step with spins in the memory of the device, a launch for each colour.
template <class M>
void sweep_in_memory(const ClusterBatch& b, const GraphJob& job, unsigned groups, cudaStream_t stream) {
  const unsigned of_colour = blocks_of_group(job, b.common.graph_colour_sites);
  GraphJob one = job;
  for (int k = 0; k < job.run_count; ++k) {
    one.runs[0] = job.runs[k];
    for (int i = 0; i < job.runs[k].count; ++i) {
      for (int colour = 0; colour < job.colours; ++colour) {
        launch_kernel("updating spins of graphs", colour_graph_kernel<M>, dim3(of_colour * groups), 256, 0, stream,
                      of_colour, b, one, colour);
      }
      ++one.runs[0].first;
    }
  }
  if constexpr (!M::discrete) {
    const unsigned all = blocks_of_group(job, b.sites);
    if (job.ends) {
      launch_kernel("bringing spins to length 1", unit_graph_kernel<M>, dim3(all * groups), 256, 0, stream, all, b,
                    job);
    }
  }
  if (job.energies) {
    const unsigned some = blocks_of_group(job, b.sites, 1024);
    launch_kernel("summing energies", energy_graph_kernel<M>, dim3(some * groups), 256, 0, stream, some, b, job);
  }
}

void launch_sweeps(const ClusterBatch& b, const GraphJob& job, cudaStream_t stream) {
  const unsigned groups = all_groups(b, job);
  for_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) {
      if (!job.shape.resident) return sweep_in_memory<M>(b, job, groups, stream);
      launch_kernel("sweeping graphs", resident_graph_kernel<M>, dim3(groups), job.shape.threads, job.shape.group_bytes,
                    stream, b, job);
    }
  });
}

/// The sweeps of a step.
std::vector<GraphRun> runs_of(const Step& moves) {
  std::vector<GraphRun> runs;
  for (int t = 0; t < moves.repetitions(); ++t) {
    const auto repetition = static_cast<std::uint64_t>(t);
    for (const PlacedMove& move : moves.moves()) {
      const std::uint64_t first = repetition * static_cast<std::uint64_t>(moves.count(move.kind()));
      runs.push_back({move.kind() == MoveKind::local, move.count, first + static_cast<std::uint64_t>(move.first)});
    }
  }
  return runs;
}

}  // namespace

void GraphSweeps::begin(const GraphPlan& plan, const Chain& chain, const ClusterBatch& b, cudaStream_t stream) {
  const Step moves(chain);
  GraphJob& job = job_.emplace();
  job.shape = choose_graph_shape(plan, chain, b.common);
  job.links = 2 * b.common.graph_bonds;
  job.term_words = b.common.graph_term_words;
  job.colours = b.common.graph_colours;
  job.local_per_step =
      static_cast<std::uint64_t>(moves.repetitions()) * static_cast<std::uint64_t>(moves.count(MoveKind::local));
  runs_ = runs_of(moves);
  ahead_ = false;
  const auto tasks = static_cast<std::size_t>(b.common.tasks);
  const std::size_t all_links = tasks * job.links;
  job.d_links = links_.reserve(std::max<std::size_t>(all_links, 1));
  job.d_bonds = bonds_.reserve(std::max<std::size_t>(all_links / 2, 1));
  job.d_spins =
      reinterpret_cast<char*>(spins_.reserve(tasks * job.shape.groups * job.shape.group_bytes / sizeof(uint4)));
  if (all_links > 0) {
    launch_kernel("arranging couplings", couple_links_kernel, blocks_for(all_links, 256), 256, 0, stream, b, job);
  }
  job.d_terms = nullptr;
  if (job.term_words > 0) {
    const std::size_t words = tasks * job.term_words;
    job.d_terms = terms_.reserve(words);
    launch_kernel("arranging couplings of terms", couple_terms_kernel, blocks_for(words, 256), 256, 0, stream, b, job);
  }
  if (!job.shape.resident) return;
  for_model(b.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (!M::free_modulus) allow_shared_memory(resident_graph_kernel<M>, job.shape.group_bytes);
  });
}

void GraphSweeps::step(const ClusterBatch& b, std::uint64_t step, bool energies, cudaStream_t stream) {
  GraphJob& job = *job_;
  if (!ahead_) {
    const unsigned blocks = blocks_of_group(job, b.sites);
    for_spins_of(b, [&](auto* spins, unsigned components) {
      using T = std::remove_pointer_t<decltype(spins)>;
      launch_kernel("ordering spins by group", group_spins_kernel<T>, dim3(blocks * all_groups(b, job)), 256, 0, stream,
                    blocks, b, job, components, spins);
    });
  }
  ahead_ = true;
  job.step = step;
  for (std::size_t begin = 0; begin < runs_.size(); begin += GraphJob::most_runs) {
    const std::size_t end = std::min(runs_.size(), begin + GraphJob::most_runs);
    std::copy(runs_.begin() + static_cast<std::ptrdiff_t>(begin), runs_.begin() + static_cast<std::ptrdiff_t>(end),
              job.runs);
    job.run_count = static_cast<int>(end - begin);
    job.ends = end == runs_.size();
    job.energies = job.ends && energies;
    launch_sweeps(b, job, stream);
  }
}

void GraphSweeps::finish(const ClusterBatch& b, cudaStream_t stream) {
  if (!ahead_) return;
  for_spins_of(b, [&](auto* spins, unsigned components) {
    using T = std::remove_pointer_t<decltype(spins)>;
    SystemLaunch(b.sites)("ordering spins by site", natural_spins_kernel<T>, b.systems(), stream, b, *job_, components,
                          spins);
  });
  ahead_ = false;
}

double GraphSweeps::bytes_per_task(const Chain& chain) {
  if (!graph_sweeps_fit(chain)) return 0.0;
  const double of_site = chain.model.is_discrete() ? 1.0 : 4.0 * components_of(chain.model);
  return 2.0 * of_site * chain.replicas() * static_cast<double>(chain.lattice.sites()) +
         24.0 * static_cast<double>(chain.lattice.bonds()) +
         (chain.lattice.has_terms() ? 4.0 * most_term_words(chain.lattice) : 0.0);
}

}}  // namespace glassworks::cuda
