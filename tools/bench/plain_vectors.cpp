#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tools/bench/plain_loops.hpp"
#include "tools/bench/plain_sites.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int coordination = PlainSites::z;

template <std::size_t n>
using Spin = std::array<double, n>;

template <std::size_t n>
double product(const Spin<n>& a, const Spin<n>& b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

/// Uniform on the sphere, from the cube.
template <std::size_t n>
Spin<n> direction(Xoshiro256& random) {
  for (;;) {
    Spin<n> s;
    for (double& c : s) c = 2.0 * random.uniform() - 1.0;
    const double square = product(s, s);
    if (square > 1.0 || square < 1e-4) continue;
    for (double& c : s) c /= std::sqrt(square);
    return s;
  }
}

// A new spin from P(s) ~ exp(x s.e), e a unit vector.

/// Rejection from a wrapped Cauchy envelope. Source: Best & Fisher, Appl. Stat. 28, 152 (1979).
Spin<2> along(const Spin<2>& e, double x, Xoshiro256& random) {
  const double tau = 1.0 + std::sqrt(1.0 + 4.0 * x * x), rho = (tau - std::sqrt(2.0 * tau)) / (2.0 * x);
  const double r = (1.0 + rho * rho) / (2.0 * rho);
  for (;;) {
    const double cosine = std::cos(std::numbers::pi * random.uniform());
    const double f = (1.0 + r * cosine) / (r + cosine), c = x * (r - f), u = 1.0 - random.uniform();
    if (c * (2.0 - c) <= u && std::log(c / u) + 1.0 - c < 0.0) continue;
    const double sine = std::copysign(std::sqrt(std::max(0.0, 1.0 - f * f)), random.uniform() - 0.5);
    return {f * e[0] - sine * e[1], f * e[1] + sine * e[0]};
  }
}

/// The formula of Lee & Young, PRB 76, 024405 (2007), in an orthonormal frame around e.
Spin<3> along(const Spin<3>& e, double x, Xoshiro256& random) {
  const double u = random.uniform(), c = 1.0 + std::log(u + (1.0 - u) * std::exp(-2.0 * x)) / x;
  const double sine = std::sqrt(std::max(0.0, 1.0 - c * c)), phi = 2.0 * std::numbers::pi * random.uniform();
  const double a = sine * std::cos(phi), b = sine * std::sin(phi);
  const double planar = std::sqrt(e[0] * e[0] + e[1] * e[1]);
  if (planar < 1e-12) return {a, b, std::copysign(1.0, e[2]) * c};
  const double f = -e[1] / planar, g = e[0] / planar;
  return {c * e[0] + a * f - b * e[2] * g, c * e[1] + a * g + b * e[2] * f, c * e[2] + b * planar};
}

/// 1 - s.e by rejection, then a product of quaternions. Source: Kennedy & Pendleton, Phys. Lett. B 156, 393 (1985).
Spin<4> along(const Spin<4>& e, double x, Xoshiro256& random) {
  for (;;) {
    const double cosine = std::cos(2.0 * std::numbers::pi * random.uniform()), u = random.uniform();
    const double log_1 = std::log(1.0 - random.uniform()), log_2 = std::log(1.0 - random.uniform());
    const double delta = -(log_1 + cosine * cosine * log_2) / x;
    if (u * u > 1.0 - 0.5 * delta) continue;
    const double c = 1.0 - delta, radius = std::sqrt(std::max(0.0, 1.0 - c * c));
    const Spin<3> d = direction<3>(random);
    const double i = radius * d[0], j = radius * d[1], k = radius * d[2];
    return {c * e[0] - i * e[1] - j * e[2] - k * e[3], c * e[1] + i * e[0] + j * e[3] - k * e[2],
            c * e[2] - i * e[3] + j * e[0] + k * e[1], c * e[3] + i * e[2] - j * e[1] + k * e[0]};
  }
}

template <std::size_t n>
class PlainVectors final : public PlainLoop {
 public:
  using Fate = bool;  ///< whether a cluster is reflected
  using Old = double;

  /// lambda: infinity for |s| = 1.
  PlainVectors(double lambda, const Lattice& lattice, const Disorder& disorder, double beta, std::uint64_t seed)
      : sites_(lattice, disorder, seed), lambda_(lambda), beta_(beta) {
    for (int i = 0; i < sites_.n; ++i) spin_.push_back(direction<n>(sites_.random));
    projection_.resize(spin_.size());
  }

  void update(PlainUpdate update) override {
    if (update == PlainUpdate::over_relaxation) return over_relax();
    if (update == PlainUpdate::heat_bath) return heat_bath();
    if (update == PlainUpdate::metropolis) return metropolis();
    direction_ = direction<n>(sites_.random);
    if (update == PlainUpdate::wolff) return plain_wolff(*this, sites_);
    for (std::size_t i = 0; i < spin_.size(); ++i) projection_[i] = product(direction_, spin_[i]);
    plain_swendsen_wang(*this, sites_);
  }

  [[nodiscard]] double energy() const override {
    double sum = 0.0;
    for (int i = 0; i < sites_.n; ++i) sum -= 0.5 * product(spin_[static_cast<std::size_t>(i)], local_field(i));
    return sum / sites_.n;
  }

  bool active(int i, int j) {
    return is_joined(projection_[static_cast<std::size_t>(i)], projection_[static_cast<std::size_t>(j)]);
  }
  bool joins(double old, int j) { return is_joined(old, product(direction_, spin_[static_cast<std::size_t>(j)])); }
  Fate draw() { return sites_.random.below(2) == 0; }
  static Fate seed(int) { return true; }
  [[nodiscard]] Old old(int i) const { return product(direction_, spin_[static_cast<std::size_t>(i)]); }
  void move(int i, Fate fate) {
    if (!fate) return;
    Spin<n>& s = spin_[static_cast<std::size_t>(i)];
    const double twice = 2.0 * product(direction_, s);
    for (std::size_t c = 0; c < n; ++c) s[c] -= twice * direction_[c];
  }

 private:
  /// Whether a bond between spins with these projections joins them: p = 1 - exp(min(0, -2 beta a b)).
  bool is_joined(double a, double b) {
    const double x = 2.0 * beta_ * a * b;
    return x > 0.0 && sites_.random.uniform() < 1.0 - std::exp(-x);
  }

  [[nodiscard]] Spin<n> local_field(int i) const {
    const std::size_t first = std::size_t{coordination} * static_cast<std::size_t>(i);
    const int* const j = sites_.neighbour.data() + first;
    const double* const J = sites_.coupling.data() + first;
    Spin<n> h{};
    for (int k = 0; k < coordination; ++k) {
      const Spin<n>& t = spin_[static_cast<std::size_t>(j[k])];
      for (std::size_t c = 0; c < n; ++c) h[c] += J[k] * t[c];
    }
    return h;
  }

  void over_relax() {
    for (int i = 0; i < sites_.n; ++i) {
      const Spin<n> h = local_field(i);
      Spin<n>& s = spin_[static_cast<std::size_t>(i)];
      const double factor = 2.0 * product(s, h) / product(h, h);
      for (std::size_t c = 0; c < n; ++c) s[c] = factor * h[c] - s[c];
    }
  }

  void heat_bath() {
    for (int i = 0; i < sites_.n; ++i) {
      Spin<n> h = local_field(i);
      const double norm = std::max(std::sqrt(product(h, h)), 1e-6);
      for (double& c : h) c /= norm;
      spin_[static_cast<std::size_t>(i)] = along(h, beta_ * norm, sites_.random);
    }
  }

  /// phi4: S = -beta h.phi + phi^2 + lambda (phi^2 - 1)^2, a step from a cube.
  void metropolis() {
    constexpr double step = 0.55;
    for (int i = 0; i < sites_.n; ++i) {
      Spin<n>& s = spin_[static_cast<std::size_t>(i)];
      Spin<n> moved = s;
      for (double& c : moved) c += step * (2.0 * sites_.random.uniform() - 1.0);
      const Spin<n> h = local_field(i);
      const double a = product(s, s), b = product(moved, moved);
      const double gain = beta_ * (product(h, moved) - product(h, s)) - (b - a) * (1.0 + lambda_ * (a + b - 2.0));
      if (gain >= 0.0 || sites_.random.uniform() < std::exp(gain)) s = moved;
    }
  }

  PlainSites sites_;
  double lambda_, beta_;
  std::vector<Spin<n>> spin_;
  Spin<n> direction_{};
  std::vector<double> projection_;
};

}  // namespace

std::unique_ptr<PlainLoop> make_plain_vectors(const SpinModel& model, const Lattice& lattice, const Disorder& disorder,
                                              double beta, std::uint64_t seed) {
  const int n = components_of(model);
  if (n == 2) return std::make_unique<PlainVectors<2>>(model.lambda, lattice, disorder, beta, seed);
  if (n == 3) return std::make_unique<PlainVectors<3>>(model.lambda, lattice, disorder, beta, seed);
  return std::make_unique<PlainVectors<4>>(model.lambda, lattice, disorder, beta, seed);
}

std::unique_ptr<PlainLoop> make_plain_loop(const SpinModel& model, const Lattice& lattice, const Disorder& disorder,
                                           double beta, std::uint64_t seed) {
  return model.is_discrete() ? make_plain_discrete(model, lattice, disorder, beta, seed)
                             : make_plain_vectors(model, lattice, disorder, beta, seed);
}

}}  // namespace glassworks::tools
