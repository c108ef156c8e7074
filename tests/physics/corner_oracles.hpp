#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/rounds/chain.hpp"

/// Exact energies and specific heats of small systems, in double precision, by formulas that the program does not use.
namespace glassworks::testing {

struct Exact {
  double energy = 0.0;  ///< per site
  double heat = 0.0;    ///< specific heat beta^2 N (<e^2> - <e>^2)
};

/// A(x) = I_{m/2}(x)/I_{m/2-1}(x), the mean of s.s' of a dimer of m-component spins.
inline double dimer_order(int m, double x) {
  if (x < 0.0) return -dimer_order(m, -x);
  if (m == 1) return std::tanh(x);
  if (x < 1e-3) return x / m - x * x * x / (m * m * (m + 2.0));
  if (m == 3) return (x > 350.0 ? 1.0 : 1.0 / std::tanh(x)) - 1.0 / x;
  if (x > 500.0) {  // the expansion for large x: I_nu(x) ~ 1 - (mu - 1)/(8x) + ..., mu = 4 nu^2
    const auto bessel = [x](double nu) {
      const double mu = 4.0 * nu * nu;
      double term = 1.0, sum = 1.0;
      for (int k = 1; k < 8; ++k) sum += term *= -(mu - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x);
      return sum;
    };
    return bessel(0.5 * m) / bessel(0.5 * m - 1.0);
  }
  return std::cyl_bessel_i(0.5 * m, x) / std::cyl_bessel_i(0.5 * m - 1.0, x);
}

/// Half of a dimer of coupling J: per site where every second bond of a chain is J.
inline Exact dimer(const SpinModel& model, int components, double J, double beta) {
  const double x = beta * J;
  if (model.kind == ModelKind::potts) {
    const double p = 1.0 / (1.0 + (model.states - 1.0) * std::exp(-x));
    return {-0.5 * J * p, 0.5 * x * x * p * (1.0 - p)};
  }
  const double A = dimer_order(components, x);
  const double slope = components == 1      ? 1.0 / std::pow(std::cosh(std::min(std::abs(x), 350.0)), 2)
                       : std::abs(x) < 1e-3 ? 1.0 / components
                                            : 1.0 - A * A - (components - 1.0) * A / x;
  // x^2 A'(x) -> (m - 1)/2 for large x, where the difference above loses its digits.
  const double heat = std::abs(x) > 1e4 ? (components == 1 ? 0.0 : 0.5 * (components - 1.0)) : x * x * slope;
  return {-0.5 * J * A, 0.5 * heat};
}

/// ln Z of a closed ring of N sites with J = 1: Z = sum_l g_l lambda_l^N over the eigenvalues of the transfer matrix.
inline long double ring_log_Z(const SpinModel& model, int components, int N, long double beta) {
  std::vector<long double> terms;  // ln(g_l lambda_l^N)
  const auto add = [&](long double degeneracy, long double log_lambda) {
    terms.push_back(std::log(degeneracy) + static_cast<long double>(N) * log_lambda);
  };
  if (model.kind == ModelKind::ising) {
    add(1.0L, beta + std::log1p(std::exp(-2.0L * beta)));
    add(1.0L, beta + std::log1p(-std::exp(-2.0L * beta)));  // N is even
  } else if (model.kind == ModelKind::potts) {
    const long double q = model.states;
    add(1.0L, beta + std::log1p((q - 1.0L) * std::exp(-beta)));
    add(q - 1.0L, beta + std::log1p(-std::exp(-beta)));
  } else {
    for (int l = 0; l < 4000; ++l) {
      const long double order = components == 2 ? l : (components == 3 ? l + 0.5L : l + 1.0L);
      const long double bessel = std::cyl_bessel_il(order, beta);
      if (!(bessel > 0.0L)) break;
      const long double power = components == 2 ? 0.0L : (components == 3 ? 0.5L : 1.0L);
      const long double degeneracy =
          components == 2 ? (l == 0 ? 1.0L : 2.0L) : (components == 3 ? 2.0L * l + 1.0L : (l + 1.0L) * (l + 1.0L));
      add(degeneracy, std::log(bessel) - power * std::log(beta));
      if (l > 4 && terms.back() < terms.front() - 60.0L) break;
    }
  }
  long double largest = terms.front(), sum = 0.0L;
  for (const long double t : terms) largest = std::max(largest, t);
  for (const long double t : terms) sum += std::exp(t - largest);
  return largest + std::log(sum);
}

/// Energy and specific heat of N sites from ln Z(beta).
inline Exact from_log_Z(const std::function<long double(long double)>& log_Z, int N, double beta) {
  const long double b = beta, h = b * 1e-4L;
  const long double middle = log_Z(b), up = log_Z(b + h), down = log_Z(b - h);
  const long double up2 = log_Z(b + 2 * h), down2 = log_Z(b - 2 * h);
  const long double first = (8 * (up - down) - (up2 - down2)) / (12 * h);
  const long double second = (-up2 - down2 + 16 * (up + down) - 30 * middle) / (12 * h * h);
  return {static_cast<double>(-first / N), static_cast<double>(b * b * second / N)};
}

inline Exact ring(const SpinModel& model, int components, int N, double beta) {
  return from_log_Z([&](long double b) { return ring_log_Z(model, components, N, b); }, N, beta);
}

/// <phi^2> of the free field (phi4, lambda = 0): (1/N) sum_k 2/(1 - beta sum_a cos k_a).
inline double free_field_square(const Lattice& lattice, double beta) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < lattice.sites(); ++k) {
    const Lattice::Coordinates n = lattice.coordinates(k);
    double cosines = 0.0;
    for (int a = 0; a < lattice.dim; ++a) {
      cosines += std::cos(2.0 * 3.14159265358979323846 * n[static_cast<std::size_t>(a)] / lattice.L);
    }
    sum += 2.0 / (1.0 - beta * cosines);
  }
  return sum / static_cast<double>(lattice.sites());
}

}  // namespace glassworks::testing
