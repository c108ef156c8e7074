#include "tools/bench/plain_heisenberg.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace glassworks { inline namespace tools {

ScalarSpinGlass::ScalarSpinGlass(const Lattice& lattice, const Disorder& disorder, std::uint64_t seed)
    : coordination_(static_cast<std::size_t>(2 * lattice.dim)),
      spins_(static_cast<std::size_t>(lattice.sites())),
      random_(seed) {
  for (Vector& s : spins_) s = heat_bath_spin({0.0, 0.0, 1e-12}, 1.0);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const std::int64_t forward = lattice.neighbour(i, axis, +1), backward = lattice.neighbour(i, axis, -1);
      for (const auto& [other, owner] : {std::pair{forward, i}, std::pair{backward, backward}}) {
        neighbour_.push_back(static_cast<std::int32_t>(other));
        coupling_.push_back(disorder.couplings[static_cast<std::size_t>(owner * lattice.dim + axis)]);
      }
    }
  }
}

ScalarSpinGlass::Vector ScalarSpinGlass::local_field(std::size_t i) const {
  Vector h{};
  for (std::size_t k = 0; k < coordination_; ++k) {
    const double J = coupling_[i * coordination_ + k];
    const Vector& t = spins_[static_cast<std::size_t>(neighbour_[i * coordination_ + k])];
    for (std::size_t c = 0; c < 3; ++c) h[c] += J * t[c];
  }
  return h;
}

/// P(s) ~ exp(beta h.s), by the formula of Lee & Young, PRB 76, 024405 (2007), in an orthonormal frame around h.
ScalarSpinGlass::Vector ScalarSpinGlass::heat_bath_spin(const Vector& h, double beta) {
  const double norm = std::sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
  const Vector n{h[0] / norm, h[1] / norm, h[2] / norm};
  const double u = uniform_(random_), x = beta * norm;
  const double c = x < 1e-8 ? 2.0 * u - 1.0 : 1.0 + std::log(u + (1.0 - u) * std::exp(-2.0 * x)) / x;
  const double sine = std::sqrt(std::max(0.0, 1.0 - c * c)), phi = 2.0 * std::numbers::pi * uniform_(random_);
  const double a = sine * std::cos(phi), b = sine * std::sin(phi);
  const double planar = std::sqrt(n[0] * n[0] + n[1] * n[1]);
  if (planar < 1e-12) return {a, b, std::copysign(1.0, n[2]) * c};
  const Vector e1{-n[1] / planar, n[0] / planar, 0.0};
  const Vector e2{-n[2] * e1[1], n[2] * e1[0], planar};
  return {c * n[0] + a * e1[0] + b * e2[0], c * n[1] + a * e1[1] + b * e2[1], c * n[2] + b * e2[2]};
}

void ScalarSpinGlass::over_relax_sweep() {
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    const Vector h = local_field(i);
    Vector& s = spins_[i];
    const double factor = 2.0 * (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]) / (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    for (std::size_t c = 0; c < 3; ++c) s[c] = factor * h[c] - s[c];
  }
}

void ScalarSpinGlass::heat_bath_sweep(double beta) {
  for (std::size_t i = 0; i < spins_.size(); ++i) spins_[i] = heat_bath_spin(local_field(i), beta);
}

double ScalarSpinGlass::energy() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    for (std::size_t k = 0; k < coordination_; k += 2) {
      const Vector& t = spins_[static_cast<std::size_t>(neighbour_[i * coordination_ + k])];
      sum -= coupling_[i * coordination_ + k] * (spins_[i][0] * t[0] + spins_[i][1] * t[1] + spins_[i][2] * t[2]);
    }
  }
  return sum;
}

}}  // namespace glassworks::tools
