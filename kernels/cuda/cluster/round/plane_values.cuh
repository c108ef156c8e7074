#pragma once

#include <type_traits>

#include "kernels/cuda/cluster/round/system_launch.cuh"
#include "kernels/models/local_observables.hpp"

/// What the kernels that sum over planes share, on lattices and graphs.
namespace glassworks { inline namespace cuda {
namespace {  // nvcc leaves named templates that are arguments of kernels alone out of host code

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

/// A site with its coordinates, 0 beyond the dimension.
struct PlacedSite {
  std::uint32_t site, c[4];
};

// What is summed. Several columns of an item are formed together:
//
//   at_once                 how many
//   narrow                  whether 32 of their terms add up to less than 2^31
//   load(place, first, v)   columns first, first + 1, ... of a site
//   task(batch)             of the item

template <class M>
struct ReplicaSites {
  static constexpr int at_once = measures_vectors<M>                               ? M::components
                                 : M::order_parameter == OrderParameter::densities ? 4
                                                                                   : 1;
  static constexpr bool narrow = !M::free_modulus;
  const SpinModel& model;
  SiteArray<typename M::Site> sites;
  float scale;
  unsigned system;
  __device__ ReplicaSites(const ClusterBatch& b, unsigned s)
      : model(b.model), sites(b.sites_of<M>(s)), scale(b.scales.component.multiplier()), system(s) {}
  [[nodiscard]] __device__ int task(const ClusterBatch& b) const { return b.task_of(system); }
  __device__ __forceinline__ void load(const PlacedSite& place, int first, std::int32_t (&v)[at_once]) const {
    const auto s = sites.load(place.site);
    if constexpr (measures_vectors<M>) {
      const auto vector = spin_of<M>(model, s);
#pragma unroll
      for (int k = 0; k < at_once; ++k) v[k] = to_fixed_clamped(vector.c[k], scale);
    } else {
#pragma unroll
      for (int k = 0; k < at_once; ++k) v[k] = M::plane_term(s, first + k);
    }
  }
};

template <class M>
struct CopyPairSites {
  using Model = M;
  static constexpr int n = M::components, at_once = n <= 3 ? n * n : n;
  static constexpr bool narrow = !M::free_modulus;
  const SpinModel& model;
  CopiesInSlot copies;
  SiteArray<typename M::Site> a, b;
  float scale, link_scale;
  [[nodiscard]] __device__ int task(const ClusterBatch& batch) const { return batch.task_of(copies.a); }
  __device__ CopyPairSites(const ClusterBatch& batch, unsigned index)
      : model(batch.model),
        copies(batch, index),
        a(batch.sites_of<M>(copies.a)),
        b(batch.sites_of<M>(copies.b)),
        scale(batch.scales.product.multiplier()),
        link_scale(batch.scales.quartic.multiplier()) {}
  __device__ __forceinline__ void load(const PlacedSite& place, int first, std::int32_t (&v)[at_once]) const {
    const std::uint32_t site = place.site;
    if constexpr (!measures_vectors<M>) {
      v[0] = static_cast<std::int32_t>(M::product(model, a.load(site), b.load(site)));
    } else if constexpr (M::discrete) {
      static_assert(at_once == n * n);
      const auto s = M::spin(model, a.load(site)), t = M::spin(model, b.load(site));
#pragma unroll
      for (int k = 0; k < at_once; ++k) v[k] = to_fixed_clamped(exact::mul(s.c[k / n], t.c[k % n]), scale);
    } else {
      const auto t = b.load(site);
#pragma unroll
      for (int mu = 0; mu < at_once / n; ++mu) {
        const float s = a.spins[(first / n + mu) * a.stride + site];
#pragma unroll
        for (int nu = 0; nu < n; ++nu) v[mu * n + nu] = to_fixed_clamped(exact::mul(s, t.c[nu]), scale);
      }
    }
  }
  [[nodiscard]] __device__ __forceinline__ long long link(std::uint32_t i, std::uint32_t j) const {
    return link(M::product(model, a.load(i), a.load(j)), M::product(model, b.load(i), b.load(j)));
  }
  /// Of a bond or a term with x_a in one copy and x_b in the other.
  [[nodiscard]] __device__ __forceinline__ long long link(float x_a, float x_b) const {
    const float x = exact::mul(x_a, x_b);
    if constexpr (!measures_vectors<M>) return static_cast<long long>(x);
    if constexpr (narrow) return to_fixed(x, link_scale);
    return to_fixed_wide(x, link_scale);
  }
};

/// Where a block adds up planes: in shared memory, which adds 32 bits at once, as 65536 high + low, or in the memory of
/// the device. A block has fewer than 2^16 sites, so that no half is filled.
struct PlaneAdder {
  unsigned* low;
  int* high;
  long long* own;  ///< in the memory of the device
  bool gather;

  __device__ __forceinline__ void operator()(std::uint32_t at, long long sum) const {
    if (gather) {
      atomicAdd(low + at, static_cast<unsigned>(sum) & 0xFFFFU);
      atomicAdd(high + at, static_cast<int>(sum >> 16));
    } else {
      add_atomically(own + at, sum);
    }
  }
};

constexpr std::size_t most_shared_bytes = std::size_t{32} << 10;

}}}  // namespace glassworks::cuda
