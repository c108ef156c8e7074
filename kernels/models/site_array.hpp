#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/models/vectors.hpp"

namespace glassworks { inline namespace models {

/// The sites of one replica as they are stored. Site: std::uint8_t for models with a number at each site, [site], or a
/// vector, [component][stride].
template <class Site>
struct SiteArray;

template <>
struct SiteArray<std::uint8_t> {
  std::uint8_t* states;

  GLASSWORKS_HD SiteArray(std::uint8_t* states_, float*, std::int64_t) : states(states_) {}
  [[nodiscard]] GLASSWORKS_HD std::uint8_t load(std::int64_t site) const { return states[site]; }
  GLASSWORKS_HD void store(std::int64_t site, std::uint8_t s) const { states[site] = s; }
};

template <int n>
struct SiteArray<exact::Vector<n>> {
  float* spins;
  std::int64_t stride;

  GLASSWORKS_HD SiteArray(std::uint8_t*, float* spins_, std::int64_t stride_) : spins(spins_), stride(stride_) {}
  [[nodiscard]] GLASSWORKS_HD exact::Vector<n> load(std::int64_t site) const {
    exact::Vector<n> s;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) s.c[k] = spins[k * stride + site];
    return s;
  }
  GLASSWORKS_HD void store(std::int64_t site, const exact::Vector<n>& s) const {
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) spins[k * stride + site] = s.c[k];
  }
};

}}  // namespace glassworks::models
