#pragma once

#include "kernels/core/lattice_site.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/series/lag_lattice.cuh"
#include "kernels/cuda/series/vector_fields.cuh"
#include "kernels/models/anisotropy.hpp"
#include "kernels/models/formulas.hpp"
#include "kernels/models/plaquettes.hpp"
#include "kernels/models/unit_vectors.hpp"
#include "kernels/series/site_energy.hpp"

/// The fields of a slot, one thread for each site of a copy; and the energies of a realization.
namespace glassworks { inline namespace cuda {

/// A site of a copy, for a grid of blocks_for(copies N, ...).
struct CopySite {
  unsigned copy, x;
  bool inside;
  __device__ CopySite(unsigned sites, unsigned copies) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    copy = static_cast<unsigned>(i / sites);
    x = static_cast<unsigned>(i - std::size_t{copy} * sites);
    inside = copy < copies;
  }
  [[nodiscard]] __device__ std::size_t place(unsigned sites) const { return std::size_t{copy} * sites + x; }
};

/// Spins rounded to 2^-14.
///
/// d_spins  of the first copy [component][site]; stride: from copy to copy
template <int n>
__global__ void pack_spins_kernel(const float* d_spins, std::size_t stride, unsigned sites, unsigned copies,
                                  PackedSpin<n>* d_packed) {
  const CopySite at(sites, copies);
  if (!at.inside) return;
  constexpr FixedScale scale{spin_exponent};
  short s[n];
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const float component = d_spins[at.copy * stride + static_cast<std::size_t>(k) * sites + at.x];
    s[k] = static_cast<short>(to_fixed(component, scale.multiplier()));
  }
  d_packed[at.place(sites)] = PackedSpin<n>::of(s);
}

/// c = s(t_w).s(t), in units of 2^-13.
template <int n>
__global__ void correlation_kernel(const PackedSpin<n>* d_now, const PackedSpin<n>* d_then, std::size_t count,
                                   std::int16_t* d_c) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) d_c[i] = static_cast<std::int16_t>(scalar_product(d_now[i], d_then[i]));
}

/// The spins of a replica and the disorder, for site_energy.hpp and plaquette_sine.
template <int n>
struct SitesOnDevice {
  const float* spins;      ///< [component][site]
  const float* couplings;  ///< [bond][site]; null: all are `uniform`
  float uniform;
  const float* fields;  ///< [component][site]; null: none
  const float* axes;    ///< [component][site]; null: no anisotropy
  float D;              ///< of the anisotropy
  unsigned sites;

  [[nodiscard]] __device__ exact::Vector<n> at(std::int64_t i) const { return load(spins, i); }
  [[nodiscard]] __device__ float coupling(std::int64_t i, int bond) const {
    if (couplings == nullptr) return uniform;
    return couplings[static_cast<std::size_t>(bond) * sites + static_cast<std::size_t>(i)];
  }
  [[nodiscard]] __device__ bool has_fields() const { return fields != nullptr; }
  [[nodiscard]] __device__ exact::Vector<n> field(std::int64_t i) const { return load(fields, i); }
  [[nodiscard]] __device__ float anisotropy(std::int64_t i, const exact::Vector<n>& s) const {
    return axes == nullptr ? 0.0F : exact::anisotropy_term(D, load(axes, i), s);
  }

 private:
  [[nodiscard]] __device__ exact::Vector<n> load(const float* from, std::int64_t i) const {
    exact::Vector<n> v;
#pragma unroll
    for (int k = 0; k < n; ++k) v.c[k] = from[static_cast<std::size_t>(k) * sites + static_cast<std::size_t>(i)];
    return v;
  }
};

/// Minus the energies of replicas [replica], added to 0.
///
/// sites   of the first replica; stride: from replica to replica
/// blocks  of a replica
template <int n>
__global__ void __launch_bounds__(256)
    series_energy_kernel(const __grid_constant__ Lattice lattice, SpinModel model, SitesOnDevice<n> sites,
                         std::size_t stride, float scale, unsigned blocks, unsigned long long* d_energy) {
  const unsigned replica = blockIdx.x / blocks;
  sites.spins += replica * stride;
  long long sum[1] = {};
  for (unsigned i = blockIdx.x % blocks * blockDim.x + threadIdx.x; i < sites.sites; i += blocks * blockDim.x) {
    const LatticeSite next(lattice, i);
    if constexpr (n == 3) {
      if (model.kind == ModelKind::heisenberg) {
        const bool odd = lattice.colour(next.coordinates()) == 1;
        sum[0] += field_terms<UnitVectors<n>>(model, sites, next, i, lattice.owned(), odd, scale);
        continue;
      }
    }
    sum[0] += site_terms<UnitVectors<n>>(model, sites, next, i, lattice.owned(), scale);
  }
  __shared__ unsigned long long total[1];
  if (threadIdx.x == 0) total[0] = 0;
  __syncthreads();
  add_to_block(sum, total);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(d_energy + replica, total[0]);
}

/// kappa of orientation mu of a site, as fill_chirality of the host forms it; 0 where a bond is missing.
[[nodiscard]] inline __device__ float chirality_at(const Lattice& lattice, const SitesOnDevice<3>& sites,
                                                   std::int64_t i, int mu) {
  const Lattice::Coordinates c = lattice.coordinates(i);
  if (!lattice.has_bond(c, mu, +1) || !lattice.has_bond(c, mu, -1)) return 0.0F;
  return exact::chirality(sites.at(lattice.neighbour(c, mu, +1)), sites.at(i), sites.at(lattice.neighbour(c, mu, -1)));
}
[[nodiscard]] inline __device__ float chirality_at(const Lattice& lattice, const SitesOnDevice<2>& sites,
                                                   std::int64_t i, int mu) {
  const PlaquettePlane plane = plaquette_plane(mu, lattice.dim);
  const Lattice::Coordinates c = lattice.coordinates(i);
  if (!lattice.has_bond(c, plane.a, +1) || !lattice.has_bond(c, plane.b, +1)) return 0.0F;
  const PlaquetteCorners corners{static_cast<std::uint32_t>(i),
                                 static_cast<std::uint32_t>(lattice.neighbour(c, plane.a, +1)),
                                 static_cast<std::uint32_t>(lattice.neighbour(c, plane.b, +1))};
  return exact::mul(0.25F, plaquette_sine(sites, corners, plane));
}

/// kappa rounded to 2^-14 [copy][site].
///
/// sites  of the first copy; stride: from copy to copy
template <int n>
__global__ void chirality_kernel(const __grid_constant__ Lattice lattice, SitesOnDevice<n> sites, std::size_t stride,
                                 unsigned copies, int mu, std::int16_t* d_kappa) {
  const CopySite at(sites.sites, copies);
  if (!at.inside) return;
  sites.spins += at.copy * stride;
  constexpr FixedScale scale{spin_exponent};
  d_kappa[at.place(sites.sites)] =
      static_cast<std::int16_t>(to_fixed(chirality_at(lattice, sites, at.x, mu), scale.multiplier()));
}

}}  // namespace glassworks::cuda
