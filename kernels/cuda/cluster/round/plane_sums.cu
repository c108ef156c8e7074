#include <algorithm>

#include "kernels/cuda/cluster/round/plane_sums.hpp"
#include "kernels/cuda/cluster/round/site.cuh"
#include "kernels/models/local_observables.hpp"

namespace glassworks::inline cuda {
namespace {

/// The two copies of pair `index` = unit * pairs + pair.
struct CopiesInSlot {
  unsigned a, b;  ///< systems
  __device__ __forceinline__ CopiesInSlot(const ClusterBatch& batch, unsigned index) {
    const int pairs = batch.pairs(), unit = static_cast<int>(index) / pairs;
    int pair = static_cast<int>(index) % pairs, first = 0;
    while (pair >= batch.common.copies - 1 - first) pair -= batch.common.copies - 1 - first++;
    a = batch.system_in(unit, first);
    b = batch.system_in(unit, first + 1 + pair);
  }
};

// What is summed: value(site, column) of one item.

template <class M>
struct ReplicaSites {
  SiteArray<typename M::Site> sites;
  float scale;
  __device__ ReplicaSites(const ClusterBatch& b, unsigned system)
      : sites(b.sites_of<M>(system)), scale(b.scales.component.multiplier()) {}
  [[nodiscard]] __device__ __forceinline__ std::int32_t value(std::uint32_t site, int column) const {
    if constexpr (M::discrete) {
      return M::plane_term(sites.load(site), column);
    } else {
      return to_fixed_clamped(sites.spins[column * sites.stride + site], scale);
    }
  }
};

template <class M>
struct CopyPairSites {
  CopiesInSlot copies;
  SiteArray<typename M::Site> a, b;
  float scale, link_scale;
  __device__ CopyPairSites(const ClusterBatch& batch, unsigned index)
      : copies(batch, index),
        a(batch.sites_of<M>(copies.a)),
        b(batch.sites_of<M>(copies.b)),
        scale(batch.scales.product.multiplier()),
        link_scale(batch.scales.quartic.multiplier()) {}
  [[nodiscard]] __device__ __forceinline__ std::int32_t value(std::uint32_t site, int column) const {
    if constexpr (M::discrete) {
      return static_cast<std::int32_t>(M::product(a.load(site), b.load(site)));
    } else {
      constexpr int n = M::components;
      return to_fixed_clamped(exact::mul(a.spins[column / n * a.stride + site], b.spins[column % n * b.stride + site]),
                              scale);
    }
  }
  [[nodiscard]] __device__ __forceinline__ long long link(std::uint32_t i, std::uint32_t j) const {
    const float x = exact::mul(M::product(a.load(i), a.load(j)), M::product(b.load(i), b.load(j)));
    if constexpr (M::discrete) return static_cast<long long>(x);
    return to_fixed_wide(x, link_scale);
  }
};

/// Column mu: the chiralities of the plaquettes of orientation mu. Place: HypercubicSite of cubes, else LatticeSite.
template <class Place>
struct CopyPairChiralities {
  using Spins = LocalSpins<UnitVectors<2>, CouplingsOfTask>;
  CopiesInSlot copies;
  Spins a, b;
  float scale;
  __device__ CopyPairChiralities(const ClusterBatch& batch, unsigned index)
      : copies(batch, index),
        a{batch.common.lattice, batch.sites_of<UnitVectors<2>>(copies.a), {batch, batch.task_of(copies.a)}},
        b{batch.common.lattice, batch.sites_of<UnitVectors<2>>(copies.b), {batch, batch.task_of(copies.b)}},
        scale(batch.scales.product.multiplier()) {}
  [[nodiscard]] __device__ __forceinline__ std::int32_t value(std::uint32_t site, int column) const {
    const PlaquettePlane plane = plaquette_plane(column, a.lattice.dim);
    const Place i(a.lattice, site);
    if (!i.has_bond(a.lattice, plane.a) || !i.has_bond(a.lattice, plane.b)) return 0;
    return to_fixed(chirality_product(plaquette_sine(a, i, plane), plaquette_sine(b, i, plane)), scale);
  }
};

constexpr int columns_at_once = 4;
constexpr std::size_t most_shared_bytes = std::size_t{32} << 10;

/// How the warps share the sites of an item: each has 32 sites along x in some rows, one after the other.
struct PlaneShare {
  std::uint32_t pieces;  ///< of a row
  std::uint32_t all;     ///< rows of an item
  std::uint32_t rows;    ///< of a warp
  unsigned blocks;       ///< of an item
  bool gather;           ///< whether the planes of a block fit into shared memory
};

/// Sums over planes. The sums of x stay with the threads of a warp, those of a row go to the planes of the other axes.
template <class Values>
__global__ void __launch_bounds__(256) plane_kernel(const __grid_constant__ ClusterBatch b, int columns,
                                                    const __grid_constant__ PlaneShare share, long long* d_planes) {
  extern __shared__ long long gathered[];
  const Lattice& lattice = b.common.lattice;
  const int dim = lattice.dim;
  const auto L = static_cast<std::uint32_t>(lattice.length(0));
  const unsigned item = blockIdx.x / share.blocks, lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x % share.blocks) * (blockDim.x / 32) + threadIdx.x / 32;
  const std::uint32_t x = 32 * (warp % share.pieces) + lane;
  const std::uint32_t first = min(share.all, warp / share.pieces * share.rows);
  const std::uint32_t last = min(share.all, first + share.rows);
  const auto sums = static_cast<std::uint32_t>(lattice.planes() * columns);
  long long* const own = d_planes + static_cast<std::size_t>(item) * sums;
  long long* const planes = share.gather ? gathered : own;
  for (std::uint32_t i = threadIdx.x; share.gather && i < sums; i += blockDim.x) gathered[i] = 0;
  __syncthreads();
  const Values values(b, item);
  for (int column = 0; column < columns; column += columns_at_once) {
    long long of_x[columns_at_once] = {};
    for (std::uint32_t row = first; row < last; ++row) {
      std::uint32_t rest = row, c[4] = {0, 0, 0, 0};
#pragma unroll
      for (int axis = 1; axis < 4; ++axis) {
        if (axis >= dim) break;
        const auto length = static_cast<std::uint32_t>(lattice.length(axis));
        c[axis] = rest % length;
        rest /= length;
      }
#pragma unroll
      for (int k = 0; k < columns_at_once; ++k) {
        if (column + k >= columns) break;
        const std::int32_t value = x < L ? values.value(row * L + x, column + k) : 0;
        of_x[k] += value;
        if (dim == 1) continue;
        const long long of_row = group_sum(~0U, value);
        const int axis = 1 + static_cast<int>(lane);
        if (axis >= dim) continue;
        const std::uint32_t coordinate = axis == 1 ? c[1] : (axis == 2 ? c[2] : c[3]);
        const int plane = lattice.plane(axis, static_cast<int>(coordinate));
        add_atomically(planes + static_cast<std::uint32_t>(plane * columns + column + k), of_row);
      }
    }
#pragma unroll
    for (int k = 0; k < columns_at_once; ++k) {
      if (x < L && column + k < columns && first < last) {
        add_atomically(planes + x * static_cast<std::uint32_t>(columns) + static_cast<std::uint32_t>(column + k),
                       of_x[k]);
      }
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; share.gather && i < sums; i += blockDim.x) {
    if (gathered[i] != 0) add_atomically(own + i, gathered[i]);
  }
}

__global__ void __launch_bounds__(256)
    modulus_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, long long* d_modulus) {
  const ThreadPlace place(blocks);
  const float scale_2 = b.scales.product.multiplier(), scale_4 = b.scales.quartic.multiplier();
  const auto sites = b.sites_of<Phi4>(place.system);
  long long sum_2 = 0, sum_4 = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const exact::Vector<4> phi = sites.load(i);
    const float square = exact::dot(phi, phi);
    sum_2 += to_fixed_clamped(square, scale_2);
    sum_4 += to_fixed_wide(exact::mul(square, square), scale_4);
  }
  block_add(sum_2, d_modulus + 2 * place.system);
  block_add(sum_4, d_modulus + 2 * place.system + 1);
}

template <class Pair, class Place>
__global__ void __launch_bounds__(256)
    link_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, long long* d_link) {
  const ThreadPlace place(blocks);
  const Lattice& lattice = b.common.lattice;
  const Pair pair(b, place.system);
  long long sum = 0;
  for (std::uint32_t i = place.item; i < b.sites; i += place.stride) {
    const Place site(lattice, i);
#pragma unroll
    for (int bond = 0; bond < Place::most_bonds; ++bond) {
      if (bond < Place::bonds(lattice) && site.has_bond(lattice, bond)) sum += pair.link(i, site.forward(bond));
    }
  }
  block_add(sum, d_link + place.system);
}

template <class Values>
void launch_planes(const ClusterBatch& b, int items, int columns, long long* d_planes, cudaStream_t stream) {
  const Lattice& lattice = b.common.lattice;
  const auto rows = static_cast<std::uint32_t>(lattice.rows());
  const std::size_t bytes = static_cast<std::size_t>(lattice.planes() * columns) * sizeof(long long);
  PlaneShare share{};
  share.pieces = (static_cast<std::uint32_t>(lattice.length(0)) + 31) / 32;
  share.all = rows;
  share.gather = bytes <= most_shared_bytes;
  // Many rows for a warp, as long as there are warps enough for the device.
  constexpr std::uint64_t wanted_warps = 8192, most_rows = 64;
  const std::uint64_t all = static_cast<std::uint64_t>(items) * share.pieces * rows;
  share.rows = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(all / wanted_warps, 4, most_rows));
  const unsigned warps = share.pieces * ((rows + share.rows - 1) / share.rows);
  share.blocks = (warps + 7) / 8;
  launch_kernel("summing over planes", plane_kernel<Values>, dim3(share.blocks * static_cast<unsigned>(items)), 256,
                share.gather ? bytes : 0, stream, b, columns, share, d_planes);
}

}  // namespace

void launch_site_planes(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    launch_planes<ReplicaSites<decltype(m)>>(b, b.systems(), plane_columns(b.model), d_planes, stream);
  });
}

void launch_modulus_sums(const ClusterBatch& b, long long* d_modulus, cudaStream_t stream) {
  SystemLaunch(b.sites, 1024)("summing phi^2", modulus_kernel, b.systems(), stream, b, d_modulus);
}

void launch_pair_planes(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    launch_planes<CopyPairSites<decltype(m)>>(b, b.units() * b.pairs(), pair_columns(b.model), d_planes, stream);
  });
}

void launch_chiral_planes(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  const Lattice& lattice = b.common.lattice;
  const auto launch = lattice.is_cube() ? launch_planes<CopyPairChiralities<HypercubicSite>>
                                        : launch_planes<CopyPairChiralities<LatticeSite>>;
  launch(b, b.units() * b.pairs(), plaquette_planes(lattice.dim), d_planes, stream);
}

void launch_link_sums(const ClusterBatch& b, long long* d_link, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    using Pair = CopyPairSites<decltype(m)>;
    const Lattice& lattice = b.common.lattice;
    const auto kernel = lattice.is_hypercubic() && lattice.is_cube() ? link_kernel<Pair, HypercubicSite>
                                                                     : link_kernel<Pair, LatticeSite>;
    SystemLaunch(b.sites, 1024)("summing link overlaps", kernel, b.units() * b.pairs(), stream, b, d_link);
  });
}

}  // namespace glassworks::inline cuda
