#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks::testing {

/// Exact averages of an Ising model of few sites and no field over all of its states.
///
/// Energies and weights of the states are sums over products of spins, and so are averages of such products over the
/// states: the weights, transformed by Walsh and Hadamard, have at the set {i, j} the sum of w s_i s_j. The last spin
/// is up, because a state and its reflection are alike.
class EnumeratedIsing {
 public:
  EnumeratedIsing(const Lattice& lattice, const std::vector<float>& couplings, double beta) : lattice_(lattice) {
    const auto N = static_cast<std::size_t>(lattice.sites());
    const std::size_t last = std::size_t{1} << (N - 1);
    const auto pair = [last](std::size_t i, std::size_t j) {
      return ((std::size_t{1} << i) ^ (std::size_t{1} << j)) & (last - 1);
    };
    std::vector<double> w(last, 0.0);
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        if (!lattice.has_bond(lattice.coordinates(i), bond, +1)) continue;
        const auto j = static_cast<std::size_t>(lattice.neighbour(i, bond, +1));
        w[pair(static_cast<std::size_t>(i), j)] -=
            static_cast<double>(couplings[static_cast<std::size_t>(i * lattice.owned() + bond)]);
      }
    }
    transform(w);  // energies of the states
    const double ground = *std::min_element(w.begin(), w.end());
    double E = 0.0, E2 = 0.0;
    for (double& x : w) {
      const double above = x - ground;
      x = std::exp(-beta * above);
      E += x * above;
      E2 += x * above * above;
    }
    transform(w);
    const double Z = w[0], n = static_cast<double>(N);
    energy_ = (ground + E / Z) / n;
    heat_ = beta * beta * (E2 / Z - E / Z * (E / Z)) / n;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) of_pair_.push_back(w[pair(i, j)] / Z);
    }
  }

  [[nodiscard]] double energy() const { return energy_; }  ///< <E>/N
  [[nodiscard]] double heat() const { return heat_; }      ///< beta^2 (<E^2> - <E>^2)/N
  /// <m^2> (power 1), <q^2> of two copies (power 2).
  [[nodiscard]] double square(int power) const {
    double sum = 0.0;
    for (const double c : of_pair_) sum += power == 1 ? c : c * c;
    return sum / static_cast<double>(of_pair_.size());
  }
  /// (1/N^2) sum_ij <s_i s_j>^power cos(k (x_i - x_j)), k = 2 pi/L_a along an axis.
  [[nodiscard]] double mode(int power, int axis) const {
    const auto N = static_cast<std::size_t>(lattice_.sites());
    const auto a = static_cast<std::size_t>(axis);
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        const int x = lattice_.coordinates(static_cast<std::int64_t>(i))[a],
                  y = lattice_.coordinates(static_cast<std::int64_t>(j))[a];
        const double c = of_pair_[i * N + j];
        sum += (power == 1 ? c : c * c) * std::cos(2.0 * std::numbers::pi * (x - y) / lattice_.length(axis));
      }
    }
    return sum / static_cast<double>(N * N);
  }

 private:
  /// w(s) -> sum_t (-1)^|s & t| w(t)
  static void transform(std::vector<double>& w) {
    for (std::size_t half = 1; half < w.size(); half *= 2) {
      for (std::size_t from = 0; from < w.size(); from += 2 * half) {
        double *low = &w[from], *high = low + half;
        for (const double* end = high; low != end; ++low, ++high) {
          const double a = *low, b = *high;
          *low = a + b;
          *high = a - b;
        }
      }
    }
  }

  Lattice lattice_;
  std::vector<double> of_pair_;  ///< <s_i s_j> [i][j]
  double energy_ = 0.0, heat_ = 0.0;
};

}  // namespace glassworks::testing
