#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks::testing {

/// Averages of one realization of the three-state Potts model without fields on two layers of nine sites, any bonds
/// within a layer and one from each site i to i + 9, from all 3^18 states.
///
/// The states of a layer are vectors of 3^9 entries, and the bonds between the layers are applied to one site after
/// the other. Pairs have c_ij = <delta(sigma_i, sigma_j)>; by symmetry of the states
///
///     <m^2> = (3 sum_ij c_ij/N^2 - 1)/2,    <q^2> = (9/8) sum_ij (c_ij - 1/3)^2/N^2,
///
/// and <E^2> = d^2 ln Z/d beta^2 + <E>^2, the derivative from differences.
struct PottsLayers {
  double energy = 0.0, energy_squared = 0.0;  ///< of H/N
  double m_2 = 0.0, link = 0.0, q_2 = 0.0;

  PottsLayers(const Chain& chain, const Disorder& disorder, double beta) {
    if (chain.lattice.sites() != 2 * layer_) throw std::logic_error("PottsLayers are of 18 sites");
    const BondView view(chain.lattice, disorder.graph.get());
    for (std::int64_t i = 0; i < 2 * layer_; ++i) {
      view.for_owned(i, [&](std::int64_t j, std::int64_t place) {
        const Bond bond{std::min(i, j), std::max(i, j),
                        static_cast<double>(disorder.couplings[static_cast<std::size_t>(place)])};
        if (bond.i / layer_ != bond.j / layer_ && bond.j - bond.i != layer_)
          throw std::logic_error("PottsLayers have straight bonds between layers");
        bonds_.push_back(bond);
      });
    }
    const double n = 2.0 * layer_;
    set(beta);
    const Pairs c = pairs();
    double E = 0.0;
    for (const Bond& b : bonds_) {
      const double x = c[b.i][b.j];
      E -= b.J * x;
      link += x * x / static_cast<double>(bonds_.size());
    }
    double sum = n, squares = n * 4.0 / 9.0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      for (std::size_t j = i + 1; j < c.size(); ++j) {
        sum += 2.0 * c[i][j];
        squares += 2.0 * (c[i][j] - 1.0 / 3.0) * (c[i][j] - 1.0 / 3.0);
      }
    }
    m_2 = (3.0 * sum / (n * n) - 1.0) / 2.0;
    q_2 = 9.0 / 8.0 * squares / (n * n);
    energy = E / n;
    constexpr double h = 1e-3;
    const double here = log_sum(beta), around = log_sum(beta - h) + log_sum(beta + h);
    energy_squared = ((around - 2.0 * here) / (h * h) + E * E) / (n * n);
  }

 private:
  static constexpr std::int64_t layer_ = 9;
  static constexpr std::size_t states_ = 19683;  // 3^9
  using Vector = std::vector<double>;
  using Pairs = std::array<std::array<double, 18>, 18>;
  struct Bond {
    std::int64_t i, j;
    double J;
  };
  std::vector<Bond> bonds_;
  std::array<Vector, 2> weight_;    // of a layer by itself
  std::array<double, 9> factor_{};  // of two equal spins of both layers
  std::vector<std::array<std::uint8_t, 9>> spins_ = all_spins();

  static std::vector<std::array<std::uint8_t, 9>> all_spins() {
    std::vector<std::array<std::uint8_t, 9>> all(states_);
    for (std::size_t s = 0; s < states_; ++s) {
      std::size_t rest = s;
      for (std::uint8_t& spin : all[s]) {
        spin = static_cast<std::uint8_t>(rest % 3);
        rest /= 3;
      }
    }
    return all;
  }

  void set(double beta) {
    factor_.fill(1.0);
    for (Vector& w : weight_) w.assign(states_, 1.0);
    for (const Bond& b : bonds_) {
      const double factor = std::exp(beta * b.J);
      const auto i = static_cast<std::size_t>(b.i % layer_), j = static_cast<std::size_t>(b.j % layer_);
      if (i == j) {
        factor_[i] = factor;
        continue;
      }
      Vector& w = weight_[static_cast<std::size_t>(b.i / layer_)];
      for (std::size_t s = 0; s < states_; ++s) {
        if (spins_[s][i] == spins_[s][j]) w[s] *= factor;
      }
    }
  }

  /// What the other layer sees of one with these weights: sum_a v[a] prod_i factor_i^delta(a_i, b_i).
  [[nodiscard]] Vector across(Vector v) const {
    std::size_t step = 1;
    for (const double factor : factor_) {
      for (std::size_t s = 0; s < states_; ++s) {
        if (s / step % 3 != 0) continue;
        double *const a = &v[s], *const b = a + step, *const c = b + step;
        const double sum = *a + *b + *c;
        for (double* const x : {a, b, c}) *x = sum + (factor - 1.0) * *x;
      }
      step *= 3;
    }
    return v;
  }

  [[nodiscard]] double log_sum(double beta) {
    set(beta);
    const Vector seen = across(weight_[0]);
    double Z = 0.0;
    for (std::size_t s = 0; s < states_; ++s) Z += seen[s] * weight_[1][s];
    return std::log(Z);
  }

  /// c_ij, i < j.
  [[nodiscard]] Pairs pairs() const {
    Pairs c{};
    double Z = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector seen = across(weight_[1 - k]);
      Z = 0.0;
      for (std::size_t s = 0; s < states_; ++s) {
        const double p = seen[s] * weight_[k][s];
        Z += p;
        for (std::size_t i = 0; i < 9; ++i) {
          for (std::size_t j = i + 1; j < 9; ++j) {
            if (spins_[s][i] == spins_[s][j]) c[9 * k + i][9 * k + j] += p;
          }
        }
      }
    }
    for (std::size_t i = 0; i < 9; ++i) {  // 3 P(sigma_i = sigma_j = 0) of both layers
      Vector v = weight_[0];
      for (std::size_t s = 0; s < states_; ++s) {
        if (spins_[s][i] != 0) v[s] = 0.0;
      }
      const Vector seen = across(std::move(v));
      for (std::size_t s = 0; s < states_; ++s) {
        for (std::size_t j = 0; j < 9; ++j) {
          if (spins_[s][j] == 0) c[i][9 + j] += 3.0 * seen[s] * weight_[1][s];
        }
      }
    }
    for (auto& row : c) {
      for (double& x : row) x /= Z;
    }
    return c;
  }
};

}  // namespace glassworks::testing
