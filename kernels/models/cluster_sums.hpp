#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/core/fixed_point.hpp"
#include "kernels/core/lattice.hpp"
#include "kernels/models/spin_model.hpp"

/// The integer sums that a measurement consists of, and the rounding of their terms, for host and device. Integers are
/// added, so order and division of the work are free.
namespace glassworks { inline namespace models {

/// Columns of the plane sums of one replica: spins, numbers of sites in each state, components.
[[nodiscard]] GLASSWORKS_HD int plane_columns(const SpinModel& model) {
  return order_parameter_of(model) == OrderParameter::densities ? model.states : components_of(model);
}
/// Columns of the plane sums of a pair of copies: s^a s^b, delta(sigma^a, sigma^b), or the products mu n + nu.
[[nodiscard]] GLASSWORKS_HD int pair_columns(const SpinModel& model) {
  const int n = components_of(model);
  return n * n;
}

/// Scales of the sums of a measurement. With |phi| free they follow its magnitude 2^a (modulus_exponent), and phi^2 is
/// at most 44 4^a, so that every term has room in 32 bits; those of fourth order, whose range is widest, have 64.
struct SumScales {
  FixedScale component{24};  ///< of vectors, phases, and their sums over clusters: 2^24, with |phi| free 2^(20 - a)
  FixedScale product{24};  ///< of products of two components, and phi^2: 2^24, 2^(20 - 2a); of numbers and densities 1
  /// Of products of two scalar products, and phi^4: 2^24, 2^min(20, 49 - log2 N - 4a); 64 bits. Of numbers and
  /// densities 1.
  FixedScale quartic{24};
  FixedScale square{20};  ///< of squared sums of clusters: the largest 2^m, m <= 20, with N^2 2^m < 2^62 (2^(56 - 2a))
};

[[nodiscard]] GLASSWORKS_HD SumScales sum_scales(const SpinModel& model, const Lattice& lattice, int modulus_exponent) {
  const int a = modulus_exponent;
  const bool free = has_free_modulus(model);
  int log2_sites = 0;
  while ((std::int64_t{1} << log2_sites) < lattice.sites()) ++log2_sites;
  const int m = (free ? 56 - 2 * a : 62) - 2 * log2_sites, finest = free ? 20 - 2 * a : 20;
  SumScales scales;
  if (order_parameter_of(model) != OrderParameter::vector) {
    scales.product = {0};
    scales.quartic = {0};
  }
  if (free) {
    scales.component = {20 - a};
    scales.product = {20 - 2 * a};
    const int n = 49 - log2_sites - 4 * a;  // sums of 4 N terms of up to 44^2 16^a stay below 2^62
    scales.quartic = {n < 20 ? n : 20};
  }
  scales.square = {m < finest ? m : finest};
  return scales;
}

/// to_fixed for numbers without a known bound: |x| 2^n is clamped to 2^31 - 128. Callers must detect clamping: it never
/// occurs for unit vectors, and phi4 counts fields that are too large (exact::Phi4Move).
[[nodiscard]] GLASSWORKS_HD std::int32_t to_fixed_clamped(float x, float multiplier) {
  const float scaled = exact::mul(x, multiplier);
  return exact::round_to_int(exact::max(exact::min(scaled, 2147483520.0F), -2147483520.0F));
}

/// round(x 2^n), ties to even, in 64 bits: |x| 2^n < 2^62.
[[nodiscard]] GLASSWORKS_HD std::int64_t to_fixed_wide(float x, float multiplier) {
  const double scaled = exact::mul(exact::widen(x), exact::widen(multiplier));
#if defined(__CUDA_ARCH__)
  return __double2ll_rn(scaled);
#else
  return std::llrint(scaled);
#endif
}

/// (a^2 + b^2) 2^m, rounded to the nearest integer: one cluster's term of an improved estimator.
[[nodiscard]] GLASSWORKS_HD std::int64_t rounded_square(double a, double b, double multiplier) {
  const double x = exact::mul(exact::add(exact::mul(a, a), exact::mul(b, b)), multiplier);
#if defined(__CUDA_ARCH__)
  return __double2ll_rn(x);
#else
  return std::llrint(x);
#endif
}

/// Sums over the sites of one cluster; w = 1 for ising and potts, r.s for on and phi4 (before the reflection).
struct ClusterTerms {
  std::int64_t weight = 0;                                 ///< sum fix(w)
  std::array<std::int64_t, Lattice::max_dim> cosine = {},  ///< sum fix(w cos(2 pi x_a/L)) [axis]
      sine = {};                                           ///< sum fix(w sin(2 pi x_a/L)) [axis]
};

/// Sums over the clusters of the decomposition of one Swendsen-Wang update, and what the updates moved.
struct ClusterSums {
  std::uint64_t clusters = 0;
  std::uint64_t largest = 0;  ///< sites of the largest cluster
  std::uint64_t squares = 0;  ///< sum n_c^2
  bool wrapping_any = false;  ///< some cluster has a closed path around the lattice
  bool wrapping_all = false;  ///< some cluster has closed paths around it along every axis
  std::int64_t weight = 0;    ///< sum over clusters of rounded_square(weight); unused by ising and potts
  std::array<std::int64_t, Lattice::max_dim> kmin = {};  ///< the same of |cosine + i sine| [axis]
  std::uint64_t moved = 0;                               ///< sites moved by all cluster updates of a step
  std::uint64_t accepted = 0;  ///< local updates accepted in a step, where they reject (measures_acceptance)
  std::uint64_t proposed = 0;  ///< the same of all
  std::int64_t reserve = 0;    ///< sum of the reserves of a replica after the step [energy scale]

  bool operator==(const ClusterSums&) const = default;
};

/// Adds one cluster's terms to the improved estimators. The terms are multiplied by `unit` (of SumScales::component)
/// first.
GLASSWORKS_HD void add_cluster_terms(const ClusterTerms& terms, double unit, double square_multiplier, int dim,
                                     ClusterSums& sums) {
  sums.weight += rounded_square(static_cast<double>(terms.weight) * unit, 0.0, square_multiplier);
  for (int axis = 0; axis < dim; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    sums.kmin[a] += rounded_square(static_cast<double>(terms.cosine[a]) * unit,
                                   static_cast<double>(terms.sine[a]) * unit, square_multiplier);
  }
}

}}  // namespace glassworks::models
