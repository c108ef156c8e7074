#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <vector>

#include "kernels/make_backend.hpp"
#include "kernels/models/formulas.hpp"

/// What the tests of kernels/ share. Direct sums are in double and use none of the code under test.
namespace glassworks::test {

using Vector = exact::Vector<3>;

/// Random numbers of the tests, the same on every platform that has the same libm.
class Source {
 public:
  explicit Source(std::uint32_t seed) : key_{seed, 0x7E57U} {}

  std::uint32_t word() {
    if (used_ == 4) {
      block_ = random_block(key_, Stream::fields, 0, 0, 0, index_++);
      used_ = 0;
    }
    return block_.word[used_++];
  }
  double uniform() { return (static_cast<double>(word()) + 0.5) * 0x1p-32; }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  int below(int n) { return static_cast<int>(uniform() * n); }

 private:
  PhiloxKey key_;
  RandomBlock block_{};
  std::uint32_t index_ = 0;
  int used_ = 4;
};

struct Vector3d {
  double x = 0.0, y = 0.0, z = 0.0;
};
inline Vector3d operator+(const Vector3d& a, const Vector3d& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3d operator*(double f, const Vector3d& a) { return {f * a.x, f * a.y, f * a.z}; }
inline double dot(const Vector3d& a, const Vector3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3d cross(const Vector3d& a, const Vector3d& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector3d& a) { return std::sqrt(dot(a, a)); }
inline Vector3d to_double(const Vector& a) { return {a.c[0], a.c[1], a.c[2]}; }
inline Vector3d random_direction(Source& source) {
  const Vector3d a{source.normal(), source.normal(), source.normal()};
  return (1.0 / length(a)) * a;
}

/// coth x - 1/x, the mean cosine to a field x; odd in x.
inline double langevin(double x) { return std::abs(x) < 1e-3 ? x / 3.0 : 1.0 / std::tanh(x) - 1.0 / x; }

/// J ~ N(0,1) on every bond, 0 where an open end has none; H ~ N(0, field^2) per component if field > 0.
inline Disorder gaussian_disorder(const Lattice& lattice, std::uint32_t seed, double field = 0.0) {
  Source source(seed);
  Disorder d;
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const double J = source.normal();
      const bool is_there = lattice.has_bond(lattice.coordinates(site), bond, +1);
      d.couplings.push_back(is_there ? static_cast<float>(J) : 0.0F);
    }
  }
  if (field > 0.0) {
    for (std::int64_t i = 0; i < 3 * lattice.sites(); ++i) {
      d.fields.push_back(static_cast<float>(field * source.normal()));
    }
  }
  d.energy_scale = choose_energy_scale(lattice, d.couplings, d.fields);
  return d;
}

/// Inverse temperatures of `slots` slots, T geometric from T_min to T_max.
inline std::vector<float> geometric_betas(int slots, double T_min, double T_max) {
  std::vector<float> beta;
  for (int t = 0; t < slots; ++t) {
    const double x = slots == 1 ? 0.0 : static_cast<double>(t) / (slots - 1);
    beta.push_back(static_cast<float>(1.0 / (T_min * std::pow(T_max / T_min, x))));
  }
  return beta;
}

inline Chain make_chain(const Lattice& lattice, int copies, std::vector<float> beta, const Protocol& protocol,
                        int measurements, std::uint64_t seed = 1) {
  return {
      SpinModel{}, lattice, copies, std::move(beta), protocol, measurements, size_key(seed, lattice.dim, lattice.L)};
}

/// The fastest CPU backend of this machine, one thread.
inline std::unique_ptr<Backend> fast_backend() {
  return make_backend({BackendKind::cpu, InstructionSet::automatic, 1});
}

inline RoundRecord run_one_round(Backend& backend, const Chain& chain, const Disorder& disorder,
                                 std::uint32_t realization, ChainState& state) {
  RoundRecord record;
  const RoundTask task{realization, &disorder, &state, &record};
  RoundControl control;
  backend.run_round(chain, {&task, 1}, control);
  return record;
}

inline Vector3d spin_at(const Chain& chain, const ChainState& state, int replica, std::int64_t site) {
  const std::int64_t n = chain.lattice.sites();
  const float* s = state.spins.data() + 3 * n * replica + site;
  return {s[0], s[n], s[2 * n]};
}
inline void set_spin(const Chain& chain, ChainState& state, int replica, std::int64_t site, const Vector3d& v) {
  const std::int64_t n = chain.lattice.sites();
  float* s = state.spins.data() + 3 * n * replica + site;
  s[0] = static_cast<float>(v.x);
  s[n] = static_cast<float>(v.y);
  s[2 * n] = static_cast<float>(v.z);
}
inline double coupling(const Chain& chain, const Disorder& disorder, std::int64_t site, int axis) {
  return disorder.couplings[static_cast<std::size_t>(site * chain.lattice.dim + axis)];
}
inline Vector3d field_at(const Disorder& disorder, std::int64_t site) {
  if (!disorder.has_fields()) return {};
  const float* h = disorder.fields.data() + 3 * site;
  return {h[0], h[1], h[2]};
}

/// E = - sum_b J s.s - sum_i H.s of one replica.
inline double direct_energy(const Chain& chain, const Disorder& disorder, const ChainState& state, int replica) {
  const Lattice& lattice = chain.lattice;
  double energy = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const Vector3d s = spin_at(chain, state, replica, i);
    energy -= dot(s, field_at(disorder, i));
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const Vector3d t = spin_at(chain, state, replica, lattice.neighbour(i, axis, +1));
      energy -= coupling(chain, disorder, i, axis) * dot(s, t);
    }
  }
  return energy;
}

/// Mean and standard error of independent numbers.
class Mean {
 public:
  void add(double x) {
    ++n_;
    const double step = x - mean_;
    mean_ += step / n_;
    squares_ += step * (x - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double error() const { return std::sqrt(squares_ / n_ / (n_ - 1.0)); }

 private:
  double n_ = 0.0, mean_ = 0.0, squares_ = 0.0;
};

/// Kolmogorov-Smirnov statistic of numbers that should be independent and uniform in (0, 1), scaled so that
/// P(> lambda) = 2 exp(-2 lambda^2): 6.3e-5 at ks_limit.
constexpr double ks_limit = 2.277;
inline double ks_statistic(std::vector<double> u) {
  std::sort(u.begin(), u.end());
  const auto n = static_cast<double>(u.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto k = static_cast<double>(i);
    distance = std::max({distance, u[i] - k / n, (k + 1.0) / n - u[i]});
  }
  return std::sqrt(n) * distance;
}

/// Distribution function of a cosine with density ~ exp(x c) on (-1, 1), x of either sign; and its inverse.
inline double cosine_distribution(double x, double c) {
  return std::abs(x) < 1e-9 ? 0.5 * (1.0 + c) : std::expm1(x * (c + 1.0)) / std::expm1(2.0 * x);
}
inline double cosine_quantile(double x, double u) {
  return std::abs(x) < 1e-9 ? 2.0 * u - 1.0 : std::log1p(u * std::expm1(2.0 * x)) / x - 1.0;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
inline bool same_bytes(const ChainState& a, const ChainState& b) {
  return a.steps == b.steps && a.slot == b.slot && a.heading == b.heading && a.round_trips == b.round_trips &&
         same_bytes(a.spins, b.spins) && a.beside == b.beside;
}
inline bool same_bytes(const RoundRecord& a, const RoundRecord& b) {
  return a == b && same_bytes(a.mean, b.mean) && same_bytes(a.walk_mean, b.walk_mean) &&
         same_bytes(a.samples, b.samples);
}

}  // namespace glassworks::test
