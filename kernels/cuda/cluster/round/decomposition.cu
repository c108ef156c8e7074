#include <algorithm>

#include "kernels/core/modes.hpp"
#include "kernels/cuda/cluster/round/decomposition.cuh"

namespace glassworks::inline cuda {
namespace {

constexpr int most_columns = 1 + 2 * Lattice::max_dim;

int term_columns(const SpinModel& model, int dim) { return (model.is_discrete() ? 0 : 1) + 2 * dim; }

/// Takes the active bonds across boundaries out of d_bonds.
__global__ void __launch_bounds__(256)
    cut_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, std::uint8_t* d_crossing) {
  const ThreadPlace place(blocks);
  const int dim = b.common.lattice.dim;
  const std::uint32_t face = b.face();
  const int axis = static_cast<int>(place.item / face);
  if (axis >= dim) return;
  const BoundaryBond bond(b.common.lattice, axis, place.item % face);
  const std::size_t plane = static_cast<std::size_t>(place.system) * dim + axis;
  std::uint32_t* word = b.d_bonds + plane * b.plane_words + bond.from / 32;
  const std::uint32_t bit = 1U << (bond.from % 32);
  const bool active = (*reinterpret_cast<volatile std::uint32_t*>(word) & bit) != 0;
  d_crossing[plane * face + place.item % face] = active ? 1 : 0;
  if (active) atomicAnd(word, ~bit);
}

__global__ void __launch_bounds__(256)
    join_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  const ThreadPlace place(blocks);
  const OpenEnds ends(b, part, place);
  if (ends.active) unite_global(part.d_root + part.at(b, place.system, 0), ends.from, ends.to);
}

/// Roots of all sites; those of the clusters are where positions start.
__global__ void __launch_bounds__(256)
    root_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  const ThreadPlace place(blocks);
  if (place.item >= b.sites) return;
  const std::size_t i = part.at(b, place.system, place.item);
  const std::uint32_t root = find_root(part.d_root + part.at(b, place.system, 0), place.item);
  part.d_root[i] = root;
  part.d_round[i] = root == place.item ? 0 : -1;
}

/// Gives positions to open clusters that hang on one which got its own in an earlier round.
__global__ void __launch_bounds__(256) position_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                       const __grid_constant__ Part part, int round) {
  const ThreadPlace place(blocks);
  const OpenEnds ends(b, part, place);
  if (!ends.active) return;
  const int dim = b.common.lattice.dim;
  for (int direction = 1; direction >= -1; direction -= 2) {
    const std::size_t known = part.at(b, place.system, direction > 0 ? ends.from : ends.to);
    const std::size_t other = part.at(b, place.system, direction > 0 ? ends.to : ends.from);
    const int when = __ldcg(part.d_round + known);
    if (when < 0 || when >= round || __ldcg(part.d_round + other) >= 0) continue;
    if (atomicCAS(part.d_round + other, -1, round) != -1) continue;
    for (int a = 0; a < dim; ++a) {
      part.d_position[other * dim + a] = part.d_position[known * dim + a] + (a == ends.axis ? direction : 0);
    }
    atomicMax(part.d_last_change, static_cast<unsigned>(round));
  }
}

__global__ void __launch_bounds__(256)
    winding_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  const ThreadPlace place(blocks);
  const OpenEnds ends(b, part, place);
  if (!ends.active) return;
  const int dim = b.common.lattice.dim;
  const int* from = part.d_position + part.at(b, place.system, ends.from) * dim;
  const int* to = part.d_position + part.at(b, place.system, ends.to) * dim;
  unsigned wraps = 0;
  for (int a = 0; a < dim; ++a) wraps |= from[a] + (a == ends.axis ? 1 : 0) != to[a] ? 1U << a : 0U;
  if (wraps == 0) return;
  const std::uint32_t root = part.d_root[part.at(b, place.system, ends.from)];
  atomicOr(part.d_wraps + part.at(b, place.system, root), wraps);
}

/// Sums over the sites of each cluster, at its root. The threads of a warp whose sites are of one cluster add up first.
template <bool discrete>
__global__ void __launch_bounds__(256)
    term_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  __shared__ TermCache<most_columns> cache;
  const ThreadPlace place(blocks);
  const int dim = b.common.lattice.dim, L = b.common.lattice.L;
  const float multiplier = b.scales.component.multiplier();
  const std::uint32_t* roots = part.d_root + part.at(b, place.system, 0);
  const float* projection = b.d_projection + b.first_site(part.first + place.system);
  cache.clear(part.columns);
  for (std::uint32_t i = place.item; i - threadIdx.x % 32 < b.sites; i += place.stride) {
    const bool inside = i < b.sites;
    const unsigned lanes = __ballot_sync(~0U, inside);
    if (!inside) continue;
    const std::uint32_t root = roots[i];
    const unsigned members = __match_any_sync(lanes, root);
    const bool leads = static_cast<unsigned>(__ffs(static_cast<int>(members))) - 1 == (threadIdx.x & 31U);
    const int cached = leads ? cache.place_of(root) : -1;
    const std::size_t at = part.at(b, place.system, root);
    const auto sites = static_cast<unsigned>(__popc(members));
    if (leads && cached >= 0) atomicAdd(cache.size + cached, sites);
    if (leads && cached < 0) atomicAdd(part.d_size + at, sites);
    int column = 0;
    const auto add = [&](std::int32_t term) {
      const SplitSum sum = split_sum(members, term);
      if (leads && cached >= 0) cache.add(cached, column, sum);
      if (leads && cached < 0) add_atomically(part.d_terms + at * part.columns + column, sum.value());
      ++column;
    };
    const float w = discrete ? 1.0F : projection[i];
    if constexpr (!discrete) add(to_fixed_clamped(w, multiplier));
    const HypercubicSite site(b.common.lattice, i);
#pragma unroll
    for (int axis = 0; axis < 4; ++axis) {
      if (axis >= dim) break;
      add(to_fixed_clamped(exact::mul(w, __ldg(part.phase + site.c[axis])), multiplier));
      add(to_fixed_clamped(exact::mul(w, __ldg(part.phase + L + site.c[axis])), multiplier));
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < cache.places; i += blockDim.x) {
    if (cache.root[i] == cache.empty) continue;
    const std::size_t at = part.at(b, place.system, cache.root[i]);
    atomicAdd(part.d_size + at, cache.size[i]);
    for (int k = 0; k < part.columns; ++k)
      add_atomically(part.d_terms + at * part.columns + k, cache.term[i][k].value());
  }
}

/// Sums over the clusters of a system.
__global__ void __launch_bounds__(256) sum_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                  const __grid_constant__ Part part, DeviceClusterSums* d_sums) {
  const ThreadPlace place(blocks);
  const int dim = b.common.lattice.dim, first = part.columns - 2 * dim;
  const double unit = b.scales.component.unit();
  const double square = static_cast<double>(b.scales.square.multiplier());
  ClusterSums sums;
  unsigned long long largest = 0;
  unsigned any = 0, all = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const std::size_t at = part.at(b, place.system, i);
    if (part.d_root[at] != i) continue;
    const unsigned long long size = part.d_size[at];
    const unsigned wraps = part.d_wraps[at];
    ++sums.clusters;
    largest = max(largest, size);
    sums.squares += size * size;
    any |= wraps != 0 ? 1U : 0U;
    all |= wraps == (1U << dim) - 1U ? 1U : 0U;
    const long long* term = part.d_terms + at * part.columns;
    ClusterTerms terms;
    terms.weight = first == 1 ? term[0] : 0;
#pragma unroll
    for (int axis = 0; axis < 4; ++axis) {
      if (axis >= dim) break;
      terms.cosine[axis] = term[first + 2 * axis];
      terms.sine[axis] = term[first + 2 * axis + 1];
    }
    add_cluster_terms(terms, unit, square, dim, sums);
  }
  DeviceClusterSums* to = d_sums + part.first + place.system;
  block_add(static_cast<long long>(sums.clusters), reinterpret_cast<long long*>(&to->clusters));
  block_add(static_cast<long long>(sums.squares), reinterpret_cast<long long*>(&to->squares));
  block_add(sums.weight, &to->weight);
  for (int axis = 0; axis < dim; ++axis) block_add(sums.kmin[axis], to->kmin + axis);
#pragma unroll
  for (int d = 16; d > 0; d /= 2) largest = max(largest, __shfl_xor_sync(~0U, largest, d));
  any = __reduce_or_sync(~0U, any);
  all = __reduce_or_sync(~0U, all);
  if ((threadIdx.x & 31U) != 0) return;
  atomicMax(&to->largest, largest);
  if (any != 0) atomicOr(&to->wraps_any, 1U);
  if (all != 0) atomicOr(&to->wraps_all, 1U);
}

}  // namespace

/// The open clusters as roots, everything else 0.
void Decomposition::start(const ClusterBatch& b, const Part& part, std::size_t sites, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(part.d_root, b.d_labels + b.first_site(part.first), sites * sizeof(std::uint32_t),
                             cudaMemcpyDeviceToDevice, stream),
             "copying labels");
  const auto clear = [&](auto* d_memory, std::size_t count) {
    check_cuda(cudaMemsetAsync(d_memory, 0, count * sizeof *d_memory, stream), "clearing memory");
  };
  clear(part.d_size, sites);
  clear(part.d_wraps, sites);
  clear(part.d_position, sites * static_cast<std::size_t>(b.common.lattice.dim));
  clear(part.d_terms, sites * static_cast<std::size_t>(part.columns));
}

double Decomposition::bytes_per_system(const Chain& chain) {
  const int dim = chain.lattice.dim;
  return static_cast<double>(chain.lattice.sites()) * (16.0 + 4.0 * dim + 8.0 * term_columns(chain.model, dim));
}

void Decomposition::prepare(const ClusterBatch& b) {
  const int dim = b.common.lattice.dim, L = b.common.lattice.L;
  if (phase_L_ != L) {
    const std::vector<double> table = PhaseTable(L).joined();
    const std::vector<float> phase(table.begin(), table.end());
    check_cuda(
        cudaMemcpy(phase_.reserve(phase.size()), phase.data(), phase.size() * sizeof(float), cudaMemcpyHostToDevice),
        "copying phases to the device");
    phase_L_ = L;
  }
  const auto columns = static_cast<std::size_t>(term_columns(b.model, dim));
  const std::size_t bytes = b.sites * (16 + 4 * static_cast<std::size_t>(dim) + 8 * columns);
  const auto systems = static_cast<std::size_t>(b.systems());
  group_ = static_cast<unsigned>(std::clamp<std::size_t>((std::size_t{1} << 30) / bytes, 1, systems));
  const std::size_t sites = static_cast<std::size_t>(group_) * b.sites;
  crossing_.reserve(systems * static_cast<std::size_t>(dim) * b.face());
  root_.reserve(sites);
  size_.reserve(sites);
  wraps_.reserve(sites);
  round_.reserve(sites);
  position_.reserve(sites * static_cast<std::size_t>(dim));
  terms_.reserve(sites * columns);
  last_change_.reserve(1);
  last_change_here_.reserve(1);
}

void Decomposition::measure(const ClusterBatch& b, const std::function<void()>& label, DeviceClusterSums* d_sums,
                            cudaStream_t stream) {
  const int dim = b.common.lattice.dim;
  const SystemLaunch sites(b.sites), crossings(b.face() * static_cast<std::uint32_t>(dim));
  const SystemLaunch few_blocks(b.sites, std::max(1U, b.sites / 4096U));
  check_cuda(cudaMemsetAsync(d_sums, 0, static_cast<std::size_t>(b.systems()) * sizeof *d_sums, stream),
             "clearing sums");
  crossings("cutting the lattice open", cut_kernel, b.systems(), stream, b, crossing_.data());
  label();
  Part part{0,
            term_columns(b.model, dim),
            phase_.data(),
            crossing_.data(),
            root_.data(),
            size_.data(),
            wraps_.data(),
            round_.data(),
            position_.data(),
            terms_.data(),
            last_change_.data()};
  for (; part.first < static_cast<unsigned>(b.systems()); part.first += group_) {
    const int count = std::min(static_cast<int>(group_), b.systems() - static_cast<int>(part.first));
    start(b, part, static_cast<std::size_t>(count) * b.sites, stream);
    crossings("joining open clusters", join_kernel, count, stream, b, part);
    sites("finding roots", root_kernel, count, stream, b, part);
    check_cuda(cudaMemsetAsync(last_change_.data(), 0, sizeof(unsigned), stream), "clearing memory");
    constexpr int rounds_at_once = 8;
    for (int round = 1;; round += rounds_at_once) {
      for (int k = 0; k < rounds_at_once; ++k) {
        crossings("placing open clusters", position_kernel, count, stream, b, part, round + k);
      }
      unsigned* last_change = last_change_here_.data();
      check_cuda(cudaMemcpyAsync(last_change, last_change_.data(), sizeof(unsigned), cudaMemcpyDeviceToHost, stream),
                 "measuring clusters");
      check_cuda(cudaStreamSynchronize(stream), "measuring clusters");
      if (static_cast<int>(*last_change) < round + rounds_at_once - 1) break;
    }
    crossings("finding closed paths", winding_kernel, count, stream, b, part);
    const auto terms = b.model.is_discrete() ? term_kernel<true> : term_kernel<false>;
    few_blocks("measuring clusters", terms, count, stream, b, part);
    few_blocks("measuring clusters", sum_kernel, count, stream, b, part, d_sums);
    check_cuda(cudaMemcpyAsync(b.d_labels + b.first_site(part.first), root_.data(),
                               static_cast<std::size_t>(count) * b.sites * sizeof(std::uint32_t),
                               cudaMemcpyDeviceToDevice, stream),
               "copying labels");
  }
}

}  // namespace glassworks::inline cuda
