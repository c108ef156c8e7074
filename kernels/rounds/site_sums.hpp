#pragma once

#include "kernels/core/fixed_point.hpp"
#include "kernels/rounds/cluster_replica.hpp"

namespace glassworks { inline namespace rounds {

/// Adds the plane sums of one replica of a model M (for_model.hpp), and the sums of |phi| where it varies, site by
/// site.
///
/// site(i)  what stands at a site
template <class M, class Site>
void add_site_sums(const ClusterSystem& system, const Site& site, SiteSums& sums) {
  const Lattice& lattice = system.chain.lattice;
  const SumScales& scales = system.scales;
  const int columns = plane_columns(system.chain.model);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const typename M::Site s = site(i);
    system.bonds.for_planes(i, [&](int, int, int number) {
      std::int64_t* const plane = sums.planes.data() + number * columns;
      if constexpr (measures_vectors<M>) {
        const auto v = spin_of<M>(system.chain.model, s);
        for (int k = 0; k < M::components; ++k) plane[k] += to_fixed_clamped(v.c[k], scales.component.multiplier());
      } else {
        M::add_to_plane(s, plane);
      }
    });
    if constexpr (M::free_modulus) {
      const float square = exact::dot(s, s);
      sums.modulus_2 += to_fixed_clamped(square, scales.product.multiplier());
      sums.modulus_4 += to_fixed_wide(exact::mul(square, square), scales.quartic.multiplier());
    }
  }
}

}}  // namespace glassworks::rounds
