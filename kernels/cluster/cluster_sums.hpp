#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/fixed_point.hpp"
#include "kernels/lattice.hpp"
#include "kernels/spin_model.hpp"

/// The integer sums that a measurement consists of, and the rounding of their terms, for host and device. Integers are
/// added, so order and division of the work are free.
namespace glassworks {

/// Whether |phi| varies: phi4 at finite lambda.
[[nodiscard]] GLASSWORKS_HD bool has_modulus(const SpinModel& model) {
  return model.kind == ModelKind::phi4 && model.lambda < 1e300;
}
/// Numbers that a site carries: 3 in heisenberg, n of on and phi4, 1 of ising and potts.
[[nodiscard]] GLASSWORKS_HD int components_of(const SpinModel& model) {
  if (model.kind == ModelKind::heisenberg) return 3;
  if (model.kind == ModelKind::phi4) return 4;
  return model.kind == ModelKind::on ? model.components : 1;
}
/// Columns of the plane sums of one replica: spins of ising, numbers of sites in each state of potts, components.
[[nodiscard]] GLASSWORKS_HD int plane_columns(const SpinModel& model) {
  return model.kind == ModelKind::potts ? model.states : components_of(model);
}
/// Columns of the plane sums of a pair of copies: s^a s^b, delta(sigma^a, sigma^b), or the products mu n + nu.
[[nodiscard]] GLASSWORKS_HD int pair_columns(const SpinModel& model) {
  const int n = components_of(model);
  return n * n;
}

/// Scale of the sums of vectors, of their products, and of phases: 2^24, with |phi| free 2^20.
[[nodiscard]] GLASSWORKS_HD FixedScale vector_scale(const SpinModel& model) { return {has_modulus(model) ? 20 : 24}; }

/// Scale 2^m of the squared sums of clusters: the largest m <= 20 with N^2 2^m < 2^62 (|phi| free: 2^56).
[[nodiscard]] GLASSWORKS_HD FixedScale square_scale(const SpinModel& model, const Lattice& lattice) {
  int log2_sites = 0;
  while ((std::int64_t{1} << log2_sites) < lattice.sites()) ++log2_sites;
  const int m = (has_modulus(model) ? 56 : 62) - 2 * log2_sites;
  return {m < 20 ? m : 20};
}

/// to_fixed for numbers without a bound: |x| 2^n is cut off at 2^31 - 128.
[[nodiscard]] GLASSWORKS_HD std::int32_t to_fixed_clamped(float x, float multiplier) {
  const float scaled = exact::mul(x, multiplier);
  return exact::round_to_int(exact::max(exact::min(scaled, 2147483520.0F), -2147483520.0F));
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

  bool operator==(const ClusterSums&) const = default;
};

/// Adds one cluster's terms to the improved estimators. The terms are scaled by 1/`multiplier of vector_scale` first.
GLASSWORKS_HD void add_cluster_terms(const ClusterTerms& terms, double unit, double square_multiplier, int dim,
                                     ClusterSums& sums) {
  sums.weight += rounded_square(static_cast<double>(terms.weight) * unit, 0.0, square_multiplier);
  for (int axis = 0; axis < dim; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    sums.kmin[a] += rounded_square(static_cast<double>(terms.cosine[a]) * unit,
                                   static_cast<double>(terms.sine[a]) * unit, square_multiplier);
  }
}

}  // namespace glassworks
