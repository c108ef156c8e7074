#include <algorithm>
#include <type_traits>

#include "kernels/cuda/cluster/round/plane_sums.hpp"
#include "kernels/cuda/cluster/round/plane_values.cuh"
#include "kernels/models/local_observables.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// XY spins and the couplings of their bonds, with places of 32 bits.
struct XySpins {
  const float *x, *y;  ///< [site]
  const float* J;      ///< [axis][site]; null: all are `uniform`
  float uniform;
  std::uint32_t sites;

  __device__ XySpins(const ClusterBatch& b, unsigned system)
      : x(b.spins_of(system)),
        y(x + b.sites),
        J(b.common.d_couplings == nullptr ? nullptr : b.common.couplings_of(b.task_of(system))),
        uniform(b.common.coupling),
        sites(b.sites) {}
  [[nodiscard]] __device__ __forceinline__ exact::Vector<2> at(std::uint32_t site) const { return {x[site], y[site]}; }
  [[nodiscard]] __device__ __forceinline__ float coupling(std::uint32_t site, int axis) const {
    return J == nullptr ? uniform : J[static_cast<std::uint32_t>(axis) * sites + site];
  }
};

/// Column mu: the chiralities of the plaquettes of orientation mu of a lattice of dimension dim.
template <int dim>
struct CopyPairChiralities {
  static constexpr int at_once = std::min(3, plaquette_planes(dim));
  static constexpr bool narrow = true;
  const Lattice& lattice;
  CopiesInSlot copies;
  XySpins a, b;
  float scale;
  __device__ CopyPairChiralities(const ClusterBatch& batch, unsigned index)
      : lattice(batch.common.lattice),
        copies(batch, index),
        a(batch, copies.a),
        b(batch, copies.b),
        scale(batch.scales.product.multiplier()) {}
  __device__ __forceinline__ void load(const PlacedSite& place, int first, std::int32_t (&v)[at_once]) const {
    std::uint32_t next[dim], step = 1;
    bool has_next[dim];
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      const auto length = static_cast<std::uint32_t>(lattice.length(axis));
      const bool last = place.c[axis] + 1 == length;
      next[axis] = place.site + (last ? step - length * step : step);
      has_next[axis] = !last || !lattice.is_open(axis);
      step *= length;
    }
#pragma unroll
    for (int mu = 0; mu < plaquette_planes(dim); ++mu) {  // numbers that the compiler knows
      if (mu / at_once != first / at_once) continue;
      const PlaquettePlane plane = plaquette_plane(mu, dim);
      const PlaquetteCorners corners{place.site, next[plane.a], next[plane.b]};
      // Without branches, so that every spin is loaded once.
      const float product = chirality_product(plaquette_sine(a, corners, plane), plaquette_sine(b, corners, plane));
      v[mu % at_once] = has_next[plane.a] && has_next[plane.b] ? to_fixed(product, scale) : 0;
    }
  }
};

/// How the warps share the sites of an item. A warp has 32 places along x (of one or two dimensions) or of the planes
/// of x and y (of more), and goes through some layers of them.
struct PlaneShare {
  int flat;              ///< axes of a layer
  std::uint32_t places;  ///< of a layer
  std::uint32_t pieces;  ///< of 32 places
  std::uint32_t all;     ///< layers of an item
  std::uint32_t layers;  ///< of a warp
  unsigned warps;        ///< of a block
  unsigned blocks;       ///< of an item
  bool gather;           ///< whether the planes of a block fit into shared memory
};

/// Sums over planes. Those of the axes of a layer stay with the threads of a warp, the sum over its places goes to the
/// planes of the other axes.
template <class Values>
__global__ void __launch_bounds__(256) plane_kernel(const __grid_constant__ ClusterBatch b, int columns,
                                                    const __grid_constant__ PlaneShare share, long long* d_planes) {
  extern __shared__ unsigned gathered[];
  constexpr int at_once = Values::at_once;
  const Lattice& lattice = b.common.lattice;
  const int dim = lattice.dim, flat = share.flat;
  const unsigned item = blockIdx.x / share.blocks, lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x % share.blocks) * share.warps + threadIdx.x / 32;
  const std::uint32_t place = 32 * (warp % share.pieces) + lane;
  const std::uint32_t first = min(share.all, warp / share.pieces * share.layers);
  const std::uint32_t last = min(share.all, first + share.layers);
  const auto sums = static_cast<std::uint32_t>(lattice.planes() * columns);
  const PlaneAdder add{gathered, reinterpret_cast<int*>(gathered + sums),
                       d_planes + static_cast<std::size_t>(item) * sums, share.gather};
  for (std::uint32_t i = threadIdx.x; share.gather && i < 2 * sums; i += blockDim.x) gathered[i] = 0;
  __syncthreads();
  const Values values(b, item);
  const bool inside = place < share.places;
  const auto L = static_cast<std::uint32_t>(lattice.length(0));
  PlacedSite at{};
  at.c[0] = inside ? place % L : 0;
  at.c[1] = inside && flat == 2 ? place / L : 0;
  const auto plane = [&](int axis, std::uint32_t coordinate, int column) {
    return static_cast<std::uint32_t>(lattice.plane(axis, static_cast<int>(coordinate)) * columns + column);
  };
  for (int column = 0; column < columns; column += at_once) {
    using Sum = std::conditional_t<Values::narrow, std::int32_t, long long>;  // of at most 32 layers
    Sum own[at_once] = {};
#pragma unroll 1
    for (std::uint32_t layer = first; layer < last; ++layer) {
      std::uint32_t rest = layer;
#pragma unroll
      for (int axis = 1; axis < 4; ++axis) {
        if (axis < flat || axis >= dim) continue;
        const auto length = static_cast<std::uint32_t>(lattice.length(axis));
        at.c[axis] = rest % length;
        rest /= length;
      }
      at.site = layer * share.places + place;
      std::int32_t v[at_once] = {};
      if (inside) values.load(at, column, v);
      const int axis = flat + static_cast<int>(lane);
      const std::uint32_t coordinate = axis == 1 ? at.c[1] : (axis == 2 ? at.c[2] : at.c[3]);
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (column + k >= columns) break;
        own[k] += v[k];
        if (flat >= dim) continue;
        long long of_layer = 0;
        if constexpr (Values::narrow) {
          of_layer = __reduce_add_sync(~0U, v[k]);
        } else {
          of_layer = group_sum(~0U, v[k]);
        }
        if (axis < dim) add(plane(axis, coordinate, column + k), of_layer);
      }
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (!inside || column + k >= columns || first >= last) continue;
      add(plane(0, at.c[0], column + k), own[k]);
      if (flat == 2) add(plane(1, at.c[1], column + k), own[k]);
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; share.gather && i < sums; i += blockDim.x) {
    const long long sum = SplitSum{add.low[i], add.high[i]}.value();
    if (sum != 0) add_atomically(add.own + i, sum);
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
  const std::size_t bytes = static_cast<std::size_t>(lattice.planes() * columns) * sizeof(long long);
  PlaneShare share{};
  share.flat = lattice.dim > 2 ? 2 : 1;
  share.places = static_cast<std::uint32_t>(lattice.length(0) * (share.flat == 2 ? lattice.length(1) : 1));
  share.pieces = (share.places + 31) / 32;
  share.all = b.sites / share.places;
  share.gather = bytes <= most_shared_bytes;
  // Many layers for a warp, as long as there are warps enough for the device.
  constexpr std::uint64_t wanted_warps = 8192, most_layers = 32;
  const std::uint64_t all = static_cast<std::uint64_t>(items) * share.pieces * share.all;
  share.layers = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(all / wanted_warps, 4, most_layers));
  const unsigned warps = share.pieces * ((share.all + share.layers - 1) / share.layers);
  share.warps = std::min(8U, warps);
  share.blocks = (warps + share.warps - 1) / share.warps;
  launch_kernel("summing over planes", plane_kernel<Values>, dim3(share.blocks * static_cast<unsigned>(items)),
                32 * share.warps, share.gather ? bytes : 0, stream, b, columns, share, d_planes);
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
  const int dim = b.common.lattice.dim;
  const auto launch = dim == 2   ? launch_planes<CopyPairChiralities<2>>
                      : dim == 3 ? launch_planes<CopyPairChiralities<3>>
                                 : launch_planes<CopyPairChiralities<4>>;
  launch(b, b.units() * b.pairs(), plaquette_planes(dim), d_planes, stream);
}

void launch_link_sums(const ClusterBatch& b, long long* d_link, cudaStream_t stream) {
  for_any_model(b.model, [&](auto m) {
    using Pair = CopyPairSites<decltype(m)>;
    const Lattice& lattice = b.common.lattice;
    const auto kernel = !are_cubes(lattice) ? link_kernel<Pair, LatticeSite>
                        : lattice.dim == 3  ? link_kernel<Pair, SiteOfDimension<3>>
                                            : link_kernel<Pair, HypercubicSite>;
    SystemLaunch(b.sites, 1024)("summing link overlaps", kernel, b.units() * b.pairs(), stream, b, d_link);
  });
}

}}  // namespace glassworks::cuda
