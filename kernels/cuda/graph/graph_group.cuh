#pragma once

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/graph/graph_sweeps.hpp"
#include "kernels/cuda/graph/graph_terms.cuh"

namespace glassworks { inline namespace cuda {

/// The spins of one replica of a group: at = place << log_group.
template <class Site>
struct GroupSpins;

template <>
struct GroupSpins<std::uint8_t> {
  std::uint8_t* states;

  __device__ GroupSpins(void* group, std::uint32_t replica, std::uint32_t)
      : states(static_cast<std::uint8_t*>(group) + replica) {}
  [[nodiscard]] __device__ __forceinline__ std::uint8_t load(std::uint32_t at) const { return states[at]; }
  __device__ __forceinline__ void store(std::uint32_t at, std::uint8_t s) const { states[at] = s; }
};

template <int n>
struct GroupSpins<exact::Vector<n>> {
  float* spins;
  std::uint32_t stride;

  __device__ GroupSpins(void* group, std::uint32_t replica, std::uint32_t of_component)
      : spins(static_cast<float*>(group) + replica), stride(of_component) {}
  [[nodiscard]] __device__ __forceinline__ exact::Vector<n> load(std::uint32_t at) const {
    exact::Vector<n> s;
#pragma unroll
    for (int k = 0; k < n; ++k) s.c[k] = spins[static_cast<std::uint32_t>(k) * stride + at];
    return s;
  }
  __device__ __forceinline__ void store(std::uint32_t at, const exact::Vector<n>& s) const {
#pragma unroll
    for (int k = 0; k < n; ++k) spins[static_cast<std::uint32_t>(k) * stride + at] = s.c[k];
  }
};

/// What a thread knows of its replica, which is the same at all sites that it updates.
template <class M>
struct GroupThread {
  using Site = typename M::Site;

  const ClusterBatch& b;
  const GraphJob& job;
  int task;
  std::uint32_t own, replica;  ///< in the group; of the task
  bool exists;                 ///< the last group of a task may have fewer replicas
  const DeviceGraph graph;
  const GraphPair* links;
  GroupSpins<Site> spins;
  std::uint32_t realization;
  float beta;

  /// group: of all tasks; lane: of the threads that share it; memory: the spins of the group
  __device__ GroupThread(const ClusterBatch& batch, const GraphJob& j, unsigned group, unsigned lane, void* memory)
      : b(batch),
        job(j),
        task(static_cast<int>(group / j.shape.groups)),
        own(lane & ((1U << j.shape.log_group) - 1)),
        replica((group % j.shape.groups << j.shape.log_group) + own),
        exists(replica < static_cast<unsigned>(batch.common.replicas())),
        graph(batch.common.d_graphs[task]),
        links(j.d_links + static_cast<std::size_t>(task) * j.links),
        spins(memory, own, batch.sites << j.shape.log_group),
        realization(batch.common.d_realization[task]),
        beta(exists ? batch.beta_of(static_cast<unsigned>(task * batch.common.replicas()) + replica) : 0.0F) {}

  /// One local update or over-relaxation of the site at a place.
  __device__ __forceinline__ void update(std::uint32_t place, bool local, const SweepConstants& constants) const {
    const std::uint32_t site = __ldg(graph.order + place), end = __ldg(graph.begin + place + 1);
    std::uint32_t link = __ldg(graph.begin + place);
    typename M::Neighbours h{};
    bool first = true;
    if constexpr (M::has_fields) {
      if (b.has_fields()) {
        M::start(h, b.fields_of<M::components>(task).load(site));
        first = false;
      }
    }
    const auto add = [&](std::uint32_t i, bool is_first) {
      const uint2 l = __ldg(reinterpret_cast<const uint2*>(links + i));
      M::add_bond(b.model, h, exact::as_float(l.y), spins.load(l.x), is_first);
    };
    if (first && link < end) add(link++, true);
      // In this order: it is part of the definition of the chain.
#pragma unroll 4
    for (; link < end; ++link) add(link, false);
    if constexpr (has_products<M>) {
      if (job.term_words > 0 && graph.term_count > 0) {
        const std::uint32_t* const terms = job.d_terms + static_cast<std::size_t>(task) * job.term_words;
        for_terms_of_site<M>(
            terms + __ldg(graph.site_begin + place), terms + __ldg(graph.site_begin + place + 1),
            [&](std::uint32_t at) { return spins.load(at); },
            [&](std::uint32_t J, Site others) { M::add_bond(b.model, h, exact::as_float(J), others, false); });
      }
    }
    const std::uint32_t at = place << job.shape.log_group;
    if constexpr (!M::discrete) {
      if (!local) return spins.store(at, exact::over_relax(spins.load(at), h));
    }
    const RandomBlock words = random_block(b.common.key, b.local_stream, realization, replica, constants.sweep, site);
    spins.store(at, M::local_update(spins.load(at), h, constants, words.word[0], words.word[1]));
  }

  __device__ __forceinline__ void renormalize(std::uint32_t place) const {
    if constexpr (!M::discrete) {
      const std::uint32_t at = place << job.shape.log_group;
      spins.store(at, exact::renormalize(spins.load(at)));
    }
  }

  /// -E of the sites first, first + stride, ... and of the bonds with these numbers.
  [[nodiscard]] __device__ __forceinline__ long long energy(std::uint32_t first, std::uint32_t stride) const {
    const float multiplier = b.common.energy_scale(task).multiplier();
    long long sum = 0;
    const auto* const ends =
        reinterpret_cast<const uint2*>(job.d_bonds + static_cast<std::size_t>(task) * (job.links / 2));
#pragma unroll 4
    for (std::uint32_t bond = first; bond < graph.bond_count; bond += stride) {
      const uint2 at = __ldg(ends + bond);
      const float x = M::product(b.model, spins.load(at.x), spins.load(at.y));
      sum += to_fixed_clamped(exact::mul(b.common.coupling_of(task, bond), x), multiplier);
    }
    if constexpr (has_products<M>) {
      for (std::uint32_t term = first; term < graph.term_count; term += stride) {
        const Site product = product_of_term<M>(graph, term, [&](std::uint32_t site) {
          return spins.load(__ldg(graph.place + site) << job.shape.log_group);
        });
        const float x = M::product(b.model, product, M::one);
        sum += to_fixed_clamped(exact::mul(b.common.coupling_of(task, graph.bond_count + term), x), multiplier);
      }
    }
    if constexpr (M::has_fields || M::has_site_energy) {
      const bool fields = M::has_fields && b.has_fields();
      for (std::uint32_t place = first; (fields || M::has_site_energy) && place < b.sites; place += stride) {
        const Site s = spins.load(place << job.shape.log_group);
        if constexpr (M::has_fields) {
          if (fields) {
            const auto H = b.fields_of<M::components>(task).load(__ldg(graph.order + place));
            sum += to_fixed_clamped(M::in_field(b.model, H, s), multiplier);
          }
        }
        if constexpr (M::has_site_energy) {
          sum -= to_fixed_clamped(static_cast<float>(M::site_energy(b.model, s)), multiplier);
        }
      }
    }
    return sum;
  }

  /// Adds what the threads of a block have found to the energies of the replicas of its group. sums: shared, 0, one for
  /// each of 32 replicas. By all threads of the block.
  __device__ __forceinline__ void add_energy(long long sum, unsigned long long* sums) const {
    for (unsigned d = 16; d >> job.shape.log_group != 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, static_cast<int>(d));
    if (threadIdx.x % 32 < 1U << job.shape.log_group) atomicAdd(sums + own, static_cast<unsigned long long>(sum));
    __syncthreads();
    if (threadIdx.x < 1U << job.shape.log_group && exists) {
      atomicAdd(b.common.energy_sum(job.step, task, static_cast<int>(replica)), sums[own]);
    }
  }
};

}}  // namespace glassworks::cuda
