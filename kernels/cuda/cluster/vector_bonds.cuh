#pragma once

#include <cmath>

#include "kernels/cuda/approximate_exp.cuh"
#include "kernels/cuda/cluster/tile_columns.cuh"
#include "kernels/cuda/cluster/vector_updates.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/vectors.hpp"

namespace glassworks { inline namespace cuda {

/// What the kernels of one embedded Swendsen-Wang update of many lattices of vectors work on.
struct VectorWork : ClusterTileWork {
  const VectorSystem* systems;  ///< [system]
  const float* couplings;       ///< [disorder][site][axis]; null: all are `coupling`
  float coupling;
  float* spins;  ///< [system][component][site]
};

/// One lattice of vectors.
template <int n>
struct VectorLattice {
  float* spins;
  std::uint32_t sites;

  __device__ __forceinline__ VectorLattice(const VectorWork& work, unsigned system)
      : spins(work.spins + static_cast<std::size_t>(system) * n * work.lattice.sites), sites(work.lattice.sites) {}
  [[nodiscard]] __device__ __forceinline__ exact::Vector<n> at(std::uint32_t site) const {
    exact::Vector<n> s;
#pragma unroll
    for (int k = 0; k < n; ++k) s.c[k] = spins[static_cast<std::size_t>(k) * sites + site];
    return s;
  }
};

/// The direction of the reflection of a system, the same in all threads of a block.
template <int n>
__device__ __forceinline__ exact::Vector<n> reflection_direction(const VectorWork& work, const VectorSystem& system) {
  __shared__ exact::Vector<n> shared_direction;
  if (threadIdx.x == 0) {
    shared_direction = exact::random_direction<n>(random_words(work, system, Stream::reflection, direction_block));
  }
  __syncthreads();
  return shared_direction;
}

/// Where the projections of a tile and of its neighbours beyond the faces are in shared memory: the rows of the tile,
/// then, for y, z and w, the rows beyond the face at the upper end, then one number a row for the site beyond along x.
template <class Shape>
struct ProjectionRows {
  static constexpr int edge = Column<Shape>::edge, in_face = Column<Shape>::warps;
  [[nodiscard]] static constexpr int beyond(int axis) { return Shape::rows + (axis - 1) * in_face; }
  static constexpr int beyond_x = 32 * beyond(Shape::dim);
  static constexpr int numbers = beyond_x + Shape::rows;
};

/// Brings the projections r.s of a tile and of the neighbours beyond its upper faces into shared memory; returns with
/// all threads together. The first spins are on their way before the direction is known.
template <class Shape, int n>
__device__ __forceinline__ void project_tile(const VectorWork& work, const ClusterTilePlace<Shape>& place,
                                             const Column<Shape>& column, const VectorSystem& system,
                                             float* projections) {
  using Rows = ProjectionRows<Shape>;
  constexpr int edge = Rows::edge, together = Column<Shape>::together;
  const TileLattice& lattice = work.lattice;
  const VectorLattice<n> spins(work, place.system);
  // Site of this lane beyond the face across an axis, from that at coordinate 0 of the tile.
  const auto beyond = [&](std::uint32_t site, int axis) {
    std::uint32_t step = 1;
#pragma unroll
    for (int k = 0; k < axis; ++k) step *= static_cast<std::uint32_t>(lattice.extent[k]);
    const int on = place.origin[axis] + edge < lattice.extent[axis] ? edge : -place.origin[axis];
    return site + step * static_cast<std::uint32_t>(on);
  };
  const auto load = [&](bool inside, std::uint32_t site) { return spins.at(inside ? site : 0U); };
  exact::Vector<n> first[together];
#pragma unroll
  for (int y = 0; y < together; ++y) {
    first[y] = load(column.inside && y <= column.last_y, column.site_of(lattice, y));
  }
  const exact::Vector<n> r = reflection_direction<n>(work, system);
#pragma unroll
  for (int y = 0; y < together; ++y) projections[column.local(y)] = exact::dot(r, first[y]);
#pragma unroll 4
  for (int y = together; y < edge; ++y) {
    projections[column.local(y)] = exact::dot(r, load(column.inside && y <= column.last_y, column.site_of(lattice, y)));
  }
  // A warp has one row beyond each face: that of its column beyond y; its z or w stands for y beyond the others.
  const auto project_beyond = [&](int axis, int y, int z, int w) {
    const bool inside = column.lane <= column.last_x && y <= column.last_y && z <= place.last(lattice, 2) &&
                        (Shape::dim == 3 || w <= place.last(lattice, 3));
    const std::uint32_t site =
        place.row_site(lattice, y + edge * (z + edge * w)) + static_cast<std::uint32_t>(column.lane);
    projections[32 * (Rows::beyond(axis) + column.warp) + column.lane] =
        exact::dot(r, load(inside, beyond(site, axis)));
  };
  project_beyond(1, 0, column.z, column.w);
  project_beyond(2, column.z, 0, column.w);
  if constexpr (Shape::dim > 3) project_beyond(3, column.z, column.w, 0);
  if (!Shape::closes_x(lattice)) {
    const int on = place.origin[0] + 32 < lattice.extent[0] ? 32 : -place.origin[0];
    for (int row = static_cast<int>(threadIdx.x); row < Shape::rows; row += Shape::threads) {
      projections[Rows::beyond_x + row] = exact::dot(
          r, load(place.has_row(lattice, row), place.row_site(lattice, row) + static_cast<std::uint32_t>(on)));
    }
  }
  __syncthreads();
}

/// The active bonds of a site, a bit each: exact::is_active of every bond. The approximate exponential decides, unless
/// the random word is closer to the probability than its error; then the lanes of the warp evaluate the exact one. All
/// lanes call it.
template <int dim>
__device__ __forceinline__ unsigned active_bonds(const float (&exponent)[dim], const RandomBlock& random) {
  unsigned active = 0;
  bool doubt = false;
#pragma unroll
  for (int k = 0; k < dim; ++k) {
    const float broken = approximate_exp(fminf(exponent[k], 0.0F));
    const float excess = exact::add(exact::sub(exact::uniform<float>(random.word[k]), 1.0F), broken);
    active |= excess < 0.0F ? 1U << k : 0U;
    doubt = doubt || fabsf(excess) < doubtful_probability;
  }
  if (!__any_sync(all_lanes, doubt)) return active;
  active = 0;
#pragma unroll 1
  for (int k = 0; k < dim; ++k) {
    float x = exponent[0];
    std::uint32_t word = random.word[0];
#pragma unroll
    for (int i = 1; i < dim; ++i) {
      x = i == k ? exponent[i] : x;
      word = i == k ? random.word[i] : word;
    }
    active |= exact::is_active(x, word) ? 1U << k : 0U;
  }
  return active;
}

/// Activates the bonds of a tile, and keeps them in shared memory and in device memory; labels the runs of its rows.
/// Every lane decides about the bonds of its site. Returns with the lanes of each warp together. Cost: a Philox block
/// and the spin of a site, and those of the neighbours across the faces.
template <class Shape, int n>
__device__ __forceinline__ void activate_vector_tile(const VectorWork& work, const ClusterTilePlace<Shape>& place,
                                                     const Column<Shape>& column, const VectorSystem& system,
                                                     const float* projections, std::uint32_t* words,
                                                     std::uint32_t* labels) {
  using Rows = ProjectionRows<Shape>;
  constexpr int dim = Shape::dim, edge = Rows::edge;
  const TileLattice& lattice = work.lattice;
  const int lane = column.lane;
  const float minus_two_beta = exact::mul(-2.0F, system.beta);
  // Where the projections of the neighbours of row y = 0 are, and how far those of the next row are from them.
  int next[dim], next_step = 32;
  next[0] = column.local(0) + 1;
  if (lane >= column.last_x) next[0] = column.local(0) - column.last_x;
  if (lane >= column.last_x && !Shape::closes_x(lattice)) {
    next[0] = Rows::beyond_x + column.first;
    next_step = 1;
  }
  next[1] = 32 * (Rows::beyond(1) + column.warp) + lane;
  next[2] = column.z < place.last(lattice, 2) ? column.local(edge) : 32 * (Rows::beyond(2) + edge * column.w) + lane;
  if constexpr (dim > 3) {
    next[3] =
        column.w < place.last(lattice, 3) ? column.local(edge * edge) : 32 * (Rows::beyond(3) + edge * column.z) + lane;
  }
  std::uint32_t* const bonds = work.bonds + static_cast<std::size_t>(place.tile) * Shape::directions * Shape::segments;
#pragma unroll 1
  for (int y = 0; y < edge; ++y) {
    const bool inside = column.inside && y <= column.last_y;
    const std::uint32_t site = column.site_of(lattice, y);
    const RandomBlock random = random_words(work, system, Stream::bonds, site);
    const float here = projections[column.local(y)];
    float exponent[dim];
#pragma unroll
    for (int k = 0; k < dim; ++k) {
      float J = work.coupling;
      if (work.couplings != nullptr && inside) {
        J = work.couplings[(static_cast<std::size_t>(system.disorder) * lattice.sites + site) * dim +
                           static_cast<unsigned>(k)];
      }
      const int there = k == 0   ? next[0] + y * next_step
                        : k == 1 ? (y < column.last_y ? column.local(y + 1) : next[1])
                                 : next[k] + 32 * y;
      exponent[k] = exact::reflected_exponent(minus_two_beta, J, here, projections[there]);
    }
    const unsigned active = active_bonds(exponent, random);
    std::uint32_t mine = 0, along = 0;
#pragma unroll
    for (int k = 0; k < dim; ++k) {
      const std::uint32_t bits = __ballot_sync(all_lanes, inside && ((active >> k) & 1U) != 0);
      if (k == 0) along = bits;
      if (lane == k) mine = bits;
    }
    if (lane < dim) {
      words[lane * Shape::segments + column.first + y] = mine;
      bonds[lane * Shape::segments + column.first + y] = mine;
    }
    label_runs(lattice, column, y, along, labels);
  }
  __syncwarp();
}

}}  // namespace glassworks::cuda
