#pragma once

#include <bit>
#include <cstdint>

#include "kernels/core/lattice.hpp"
#include "kernels/core/scalar.hpp"

/// Sums that do not depend on their order: each term is rounded to an integer multiple of a power of two, and integers
/// are added. Every backend, thread count and reduction tree gives the same bits.
namespace glassworks { inline namespace core {

/// Scale 2^n of a fixed-point sum.
struct FixedScale {
  int exponent = 0;

  [[nodiscard]] GLASSWORKS_HD constexpr float multiplier() const { return power(exponent); }
  [[nodiscard]] GLASSWORKS_HD constexpr double unit() const { return 1.0 / static_cast<double>(power(exponent)); }

 private:
  /// 2^n, -126 <= n <= 127, from its bits.
  [[nodiscard]] GLASSWORKS_HD static constexpr float power(int n) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(127 + n) << 23);
  }
};

/// round(x 2^n), ties to even. |x| 2^n < 2^31.
[[nodiscard]] GLASSWORKS_HD std::int32_t to_fixed(float x, float multiplier) {
  return exact::round_to_int(exact::mul(x, multiplier));
}

/// Scale of the products of unit-vector components (overlaps, chiralities): the largest n <= 24 for which the sum over
/// a lattice plane of L^(d-1) sites stays inside int32 (|term| <= 1 + 1e-5).
[[nodiscard]] GLASSWORKS_HD constexpr FixedScale overlap_scale(const Lattice& lattice) {
  int log2_plane = 0;
  while ((std::int64_t{1} << log2_plane) < lattice.rows()) ++log2_plane;
  const int n = 30 - log2_plane;
  return {n < 24 ? n : 24};
}

/// Scale of per-site sums over the d bonds of a site (link overlap, q_s), |term| <= 4: two bits less.
[[nodiscard]] GLASSWORKS_HD constexpr FixedScale site_scale(const Lattice& lattice) {
  return {overlap_scale(lattice).exponent - 2};
}

}}  // namespace glassworks::core
