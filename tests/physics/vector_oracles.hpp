#pragma once

#include "tests/physics/corner_oracles.hpp"

/// Exact energies and specific heats of small systems of vectors with any couplings, and in fields.
namespace glassworks::testing {

/// A closed ring of XY spins with couplings J_b: Z = sum_k prod_b I_k(J_b/T) over all integers k, the Fourier series of
/// exp((J/T) cos), in which I_k(-x) = (-1)^k I_k(x).
inline Exact xy_ring(const std::vector<double>& J, double beta) {
  const auto log_Z = [&](long double b) {
    long double scale = 0.0L, sum = 1.0L;  // prod I_0, and the terms in units of it
    for (const double coupling : J) scale += std::log(std::cyl_bessel_il(0.0L, b * std::fabs(coupling)));
    for (int k = 1; k < 200; ++k) {
      long double term = 2.0L;  // k and -k
      for (const double coupling : J) {
        const long double x = b * std::fabs(coupling);
        const long double ratio = std::cyl_bessel_il(static_cast<long double>(k), x) / std::cyl_bessel_il(0.0L, x);
        term *= coupling < 0.0 && k % 2 == 1 ? -ratio : ratio;
      }
      sum += term;
      if (std::fabs(term) < 1e-25L) break;
    }
    return scale + std::log(sum);
  };
  return from_log_Z(log_Z, static_cast<int>(J.size()), beta);
}

/// Two spins of n components (2, 3, 4) in one field, H = -J s.s' - H.(s + s'): the sum over s' is that of a spin in the
/// field J s + H, Z_1(x) ~ I_{n/2-1}(x)/x^{n/2-1}; that over the angle of s and H is integrated by Simpson's rule.
inline Exact dimer_in_field(int n, double J, double H, double beta) {
  const long double nu = 0.5L * n - 1.0L;
  const auto log_Z = [&](long double b) {
    const auto weight = [&](long double angle) {
      const long double c = std::cos(angle);
      const long double x = b * std::sqrt(std::max(1e-30L, J * J + H * H + 2.0L * J * H * c));
      return std::pow(std::sin(angle), static_cast<long double>(n - 2)) * std::exp(b * H * c) *
             std::cyl_bessel_il(nu, x) / std::pow(x, nu);
    };
    constexpr int intervals = 2000;
    const long double step = 3.14159265358979323846264L / intervals;
    long double sum = weight(0.0L) + weight(step * intervals);
    for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4.0L : 2.0L) * weight(step * i);
    return std::log(sum * step / 3.0L);
  };
  return from_log_Z(log_Z, 2, beta);
}

}  // namespace glassworks::testing
