#pragma once

#include <cstdint>

#include "kernels/cuda/series/lag_steps.hpp"

namespace glassworks { inline namespace cuda {

/// A lattice in 32 bits.
struct LagLattice {
  unsigned sites, open;
  unsigned length[Lattice::max_dim], stride[Lattice::max_dim];  ///< beyond the dimension 1 and N

  explicit LagLattice(const Lattice& lattice)
      : sites(static_cast<unsigned>(lattice.sites())), open(lattice.open), length{}, stride{} {
    unsigned step = 1;
    for (int axis = 0; axis < Lattice::max_dim; ++axis) {
      length[axis] = axis < lattice.dim ? static_cast<unsigned>(lattice.length(axis)) : 1;
      stride[axis] = step;
      step *= length[axis];
    }
  }
};

constexpr unsigned no_site = ~0U;  ///< past an open end

/// A site and its coordinates.
struct LagSite {
  const LagLattice& lattice;
  unsigned site;
  int c[Lattice::max_dim];

  __device__ __forceinline__ LagSite(const LagLattice& lattice_, unsigned site_) : lattice(lattice_), site(site_) {
    unsigned rest = site;
#pragma unroll
    for (int axis = 0; axis < Lattice::max_dim; ++axis) {
      c[axis] = static_cast<int>(rest % lattice.length[axis]);
      rest /= lattice.length[axis];
    }
  }

  /// The site r steps away, no more than an edge, or no_site.
  [[nodiscard]] __device__ __forceinline__ unsigned at(const signed char (&step)[Lattice::max_dim], int r) const {
    unsigned to = site;
#pragma unroll
    for (int axis = 0; axis < Lattice::max_dim; ++axis) {
      if (step[axis] == 0) continue;  // alike in all threads
      const int length = static_cast<int>(lattice.length[axis]), shift = r * step[axis], x = c[axis] + shift;
      const bool outside = x < 0 || x >= length;
      if (outside && ((lattice.open >> axis) & 1U) != 0U) return no_site;
      const int wrapped = shift + (x < 0 ? length : 0) - (x >= length ? length : 0);
      to += static_cast<unsigned>(wrapped) * lattice.stride[axis];
    }
    return to;
  }
};

/// Adds the sums of the threads of a block to those of `total`, in shared memory and 0 before; all threads call it.
template <int count>
__device__ __forceinline__ void add_to_block(const long long (&sum)[count], unsigned long long (&total)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    long long of_warp = sum[i];
#pragma unroll
    for (int d = 16; d > 0; d /= 2) of_warp += __shfl_xor_sync(~0U, of_warp, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&total[i], static_cast<unsigned long long>(of_warp));
  }
}

}}  // namespace glassworks::cuda
