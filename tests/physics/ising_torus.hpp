#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace glassworks::testing {

enum class TorusLattice { triangular, honeycomb };

/// (1/N) ln Z of Ising spins on L x L cells of a periodic lattice, K = J/T; N = L^2, of the honeycomb lattice 2 L^2 and
/// K > 0.
///
/// Z = 2^N (Z_1 + Z_2 + Z_3 +- Z_4)/2, the roots of products over the wave vectors (a, b) of closed and antiperiodic
/// boundaries along both axes, with w = cos a + cos b + cos(a + b), c = cosh 2K, s = sinh 2K: c^3 + s^3 - s w
/// (triangular), (c^3 + 1 - s^2 w)/2 (honeycomb). The product with a = b = 0 has its minus sign above T_c.
/// configs/graphs/torus.py is the same.
inline double ising_torus(TorusLattice lattice, double K, int L) {
  const bool triangular = lattice == TorusLattice::triangular;
  const double c = std::cosh(2.0 * K), s = std::sinh(2.0 * K);
  const double constant = triangular ? (c + s) * (c * c - c * s + s * s) : (c * c * c + 1.0) / 2.0;
  const double slope = triangular ? s : s * s / 2.0;
  const double K_c = triangular ? std::log(3.0) / 4.0 : std::log(2.0 + std::sqrt(3.0)) / 2.0;
  std::array<double, 4> logs{};
  for (int kind = 0; kind < 4; ++kind) {
    for (int p = 0; p < L; ++p) {
      for (int q = 0; q < L; ++q) {
        const double a = std::numbers::pi * (2 * p + kind / 2) / L, b = std::numbers::pi * (2 * q + kind % 2) / L;
        const double factor = constant - slope * (std::cos(a) + std::cos(b) + std::cos(a + b));
        logs[static_cast<std::size_t>(kind)] += std::log(std::max(factor, 1e-300)) / 2.0;
      }
    }
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    sum += (kind == 0 && K < K_c ? -1.0 : 1.0) * std::exp(logs[kind] - largest);
  }
  const double N = (triangular ? 1.0 : 2.0) * L * L;
  return std::log(2.0) + (largest + std::log(sum / 2.0)) / N;
}

/// Energy per site, J = 1 or -1.
inline double ising_torus_energy(TorusLattice lattice, double J, double beta, int L) {
  constexpr double h = 1e-4;
  return -(ising_torus(lattice, J * (beta + h), L) - ising_torus(lattice, J * (beta - h), L)) / (2.0 * h);
}

}  // namespace glassworks::testing
