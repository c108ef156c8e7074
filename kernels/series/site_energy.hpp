#pragma once

#include <cstdint>

#include "kernels/core/fixed_point.hpp"
#include "kernels/models/cluster_sums.hpp"

/// Minus the energy of the terms of one site, for host and device: the parts of replica_energy.
///
///   sites  at(i), the spin; coupling(i, bond) of a bond that it owns; has_fields(), field(i); anisotropy(i, s)
///   next   forward(bond) and backward(bond): the neighbours along +v_b and -v_b
namespace glassworks { inline namespace series {

/// J x_b of the bonds that the site owns, and the terms of the site itself.
template <class M, class Sites, class Next>
[[nodiscard]] GLASSWORKS_HD std::int64_t site_terms(const SpinModel& model, const Sites& sites, const Next& next,
                                                    std::int64_t i, int owned, float scale) {
  const typename M::Site s = sites.at(i);
  std::int64_t sum = 0;
  if constexpr (M::has_fields) {
    if (sites.has_fields()) sum += to_fixed_clamped(M::in_field(model, sites.field(i), s), scale);
  }
  if constexpr (M::has_site_energy) sum -= to_fixed_clamped(static_cast<float>(M::site_energy(model, s)), scale);
  sum += to_fixed_clamped(sites.anisotropy(i, s), scale);
  for (int bond = 0; bond < owned; ++bond) {
    const float product = M::product(model, s, sites.at(next.forward(bond)));
    sum += to_fixed_clamped(exact::mul(sites.coupling(i, bond), product), scale);
  }
  return sum;
}

/// heisenberg: s.h of an odd site, s.H of an even one, and the anisotropy.
template <class M, class Sites, class Next>
[[nodiscard]] GLASSWORKS_HD std::int64_t field_terms(const SpinModel& model, const Sites& sites, const Next& next,
                                                     std::int64_t i, int owned, bool odd, float scale) {
  const typename M::Site s = sites.at(i);
  typename M::Site h{};
  if (sites.has_fields()) h = sites.field(i);
  for (int bond = 0; bond < owned && odd; ++bond) {
    const std::int64_t forward = next.forward(bond), backward = next.backward(bond);
    M::add_bond(model, h, sites.coupling(i, bond), sites.at(forward), bond == 0 && !sites.has_fields());
    M::add_bond(model, h, sites.coupling(backward, bond), sites.at(backward), false);
  }
  return std::int64_t{to_fixed(exact::dot(s, h), scale)} + to_fixed(sites.anisotropy(i, s), scale);
}

}}  // namespace glassworks::series
