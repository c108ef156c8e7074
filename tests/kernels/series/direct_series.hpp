#pragma once

#include <complex>
#include <map>
#include <string>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "kernels/series/measure_series.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// The columns of a series by their definitions, in double, one site at a time.
namespace glassworks::test {

/// Spins of one replica [site][component]; of potts the states.
using Spins = std::vector<std::vector<double>>;

class DirectSeries {
 public:
  DirectSeries(const Chain& chain, const Disorder& disorder, const SeriesShape& shape)
      : chain_(chain),
        disorder_(disorder),
        lattice_(chain.lattice),
        potts_(chain.model.kind == ModelKind::potts),
        q_(chain.model.states),
        pairs_(series_pairs(shape.copies, shape.pairs)),
        references_(shape.references) {}

  /// Columns of a slot by name.
  std::map<std::string, double> row(const ChainState& state, std::span<const ChainState> kept, int slot) {
    row_.clear();
    std::vector<Spins> spins;
    for (int copy = 0; copy < chain_.copies; ++copy) spins.push_back(spins_of(state, copy * chain_.slots() + slot));
    for (const Spins& s : spins) of_copy(s);
    if (chain_.copies > 1) {
      for (const SeriesPair& pair : pairs_) {
        of_pair(spins[static_cast<std::size_t>(pair.a)], spins[static_cast<std::size_t>(pair.b)]);
      }
    }
    for (std::size_t t = 0; t < kept.size(); ++t) {
      for (int copy = 0; copy < chain_.copies; ++copy) {
        of_times(spins_of(kept[t], copy * chain_.slots() + slot), spins[static_cast<std::size_t>(copy)],
                 std::to_string(references_[t]));
      }
    }
    return row_;
  }

 private:
  using Field = std::vector<std::vector<double>>;  ///< [site][component]

  [[nodiscard]] std::int64_t N() const { return lattice_.sites(); }
  [[nodiscard]] Spins spins_of(const ChainState& state, int replica) const {
    Spins spins(static_cast<std::size_t>(N()));
    const int n = components_of(chain_.model);
    for (std::int64_t i = 0; i < N(); ++i) {
      std::vector<double>& s = spins[static_cast<std::size_t>(i)];
      if (!chain_.model.is_discrete()) {
        for (int k = 0; k < n; ++k) {
          s.push_back(state.spins[static_cast<std::size_t>((replica * n + k) * N() + i)]);
        }
        continue;
      }
      const int value = spin_value(chain_.model, state.states[static_cast<std::size_t>(replica * N() + i)]);
      if (chain_.model.kind == ModelKind::clock) {
        const double angle = 2.0 * std::numbers::pi * value / q_;
        s = value < 0 ? std::vector<double>{0.0, 0.0} : std::vector<double>{std::cos(angle), std::sin(angle)};
      } else {
        s = {static_cast<double>(value)};
      }
    }
    return spins;
  }
  [[nodiscard]] double product(const std::vector<double>& s, const std::vector<double>& t) const {
    if (potts_) return s[0] == t[0] ? 1.0 : 0.0;
    double sum = 0.0;
    for (std::size_t k = 0; k < s.size(); ++k) sum += s[k] * t[k];
    return sum;
  }
  [[nodiscard]] double scalar_overlap(const std::vector<double>& s, const std::vector<double>& t) const {
    return potts_ ? (q_ * product(s, t) - 1.0) / (q_ - 1.0) : product(s, t);
  }
  void add(const std::string& name, double value, double number) { row_[name] += value / number; }

  /// The site at x + d, or -1 past an open end.
  [[nodiscard]] std::int64_t moved(std::int64_t i, const Lattice::Coordinates& d) const {
    Lattice::Coordinates c = lattice_.coordinates(i);
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      const int L = lattice_.length(axis);
      int& x = c[static_cast<std::size_t>(axis)];
      x += d[static_cast<std::size_t>(axis)];
      if ((x < 0 || x >= L) && lattice_.is_open(axis)) return -1;
      x = ((x % L) + L) % L;
    }
    return lattice_.site(c);
  }
  [[nodiscard]] bool is_longest(int axis) const { return lattice_.length(axis) == lattice_.L; }
  [[nodiscard]] static Lattice::Coordinates step(int a, int ra, int b = -1, int rb = 0) {
    Lattice::Coordinates d{};
    d[static_cast<std::size_t>(a)] = ra;
    if (b >= 0) d[static_cast<std::size_t>(b)] = rb;
    return d;
  }

  struct Pooled {
    double sum = 0.0, terms = 0.0;
  };
  void add_lag(const Field& f, const Lattice::Coordinates& d, Pooled& pooled) const {
    for (std::int64_t i = 0; i < N(); ++i) {
      const std::int64_t j = moved(i, d);
      if (j < 0) continue;
      pooled.terms += 1.0;
      for (std::size_t k = 0; k < f[0].size(); ++k) {
        pooled.sum += f[static_cast<std::size_t>(i)][k] * f[static_cast<std::size_t>(j)][k];
      }
    }
  }
  /// C(r) of a field, averaged over the axes of the longest edge and what makes pairs with them.
  void put_lags(const std::string& begin, const std::string& end, double number, const Field& f, bool diagonal) {
    for (int r = 0; r <= lattice_.L / 2; ++r) {
      Pooled pooled;
      for (int a = 0; a < lattice_.dim; ++a) {
        if (!is_longest(a)) continue;
        if (!diagonal) add_lag(f, step(a, r), pooled);
        for (int b = a + 1; b < lattice_.dim && diagonal; ++b) {
          if (!is_longest(b)) continue;
          for (const int sign : {1, -1}) add_lag(f, step(a, r, b, sign * r), pooled);
        }
      }
      if (pooled.terms > 0.0) add(begin + std::to_string(r) + end, pooled.sum / pooled.terms, number);
    }
  }
  [[nodiscard]] double at_k(const Field& f, int axis) const {
    double square = 0.0;
    for (std::size_t k = 0; k < f[0].size(); ++k) {
      std::complex<double> sum = 0.0;
      for (std::int64_t i = 0; i < N(); ++i) {
        const double angle = 2.0 * std::numbers::pi *
                             lattice_.coordinates(i)[static_cast<std::size_t>(axis < 0 ? 0 : axis)] /
                             lattice_.length(axis < 0 ? 0 : axis);
        sum += f[static_cast<std::size_t>(i)][k] * std::polar(1.0, axis < 0 ? 0.0 : angle);
      }
      square += std::norm(sum / static_cast<double>(N()));
    }
    return square;
  }
  [[nodiscard]] double at_kmin(const Field& f) const {
    double sum = 0.0;
    int axes = 0;
    for (int axis = 0; axis < lattice_.dim; ++axis) {
      if (!is_longest(axis)) continue;
      sum += at_k(f, axis);
      ++axes;
    }
    return sum / axes;
  }
  /// sum over bonds of the products of two replicas, per bond
  [[nodiscard]] double link(const Spins& a, const Spins& b) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < N(); ++i) {
      for (int bond = 0; bond < lattice_.owned(); ++bond) {
        if (!lattice_.has_bond(lattice_.coordinates(i), bond, +1)) continue;
        const auto j = static_cast<std::size_t>(lattice_.neighbour(i, bond, +1));
        const auto h = static_cast<std::size_t>(i);
        sum += product(a[h], a[j]) * product(b[h], b[j]);
      }
    }
    return sum / static_cast<double>(lattice_.bonds());
  }

  void of_copy(const Spins& s) {
    double energy = 0.0;
    const auto owned = static_cast<std::size_t>(lattice_.owned());
    const std::size_t n = s[0].size();
    for (std::int64_t i = 0; i < N(); ++i) {
      const auto h = static_cast<std::size_t>(i);
      for (std::size_t bond = 0; bond < owned; ++bond) {
        const auto j = static_cast<std::size_t>(lattice_.neighbour(i, static_cast<int>(bond), +1));
        energy -= static_cast<double>(disorder_.couplings[h * owned + bond]) * product(s[h], s[j]);
      }
      for (std::size_t k = 0; k < n && disorder_.has_fields(); ++k) {
        energy -= static_cast<double>(disorder_.fields[h * n + k]) * s[h][k];
      }
      if (chain_.model.kind == ModelKind::blume_capel && !disorder_.is_absent(i)) {
        energy += chain_.model.crystal_field * s[h][0] * s[h][0];
      }
    }
    const double copies = chain_.copies, e = energy / static_cast<double>(N());
    add("energy", e, copies);
    add("energy_squared", e * e, copies);
    if (potts_) {
      double square = 0.0;
      for (int state = 0; state < q_; ++state) {
        double rho = 0.0;
        for (const auto& v : s) rho += v[0] == state ? 1.0 / static_cast<double>(N()) : 0.0;
        square += rho * rho;
      }
      add("magnetization_2", (q_ * square - 1.0) / (q_ - 1.0), copies);
      return;
    }
    for (std::size_t k = 0; k < n; ++k) {
      double m = 0.0;
      for (const auto& v : s) m += v[k] / static_cast<double>(N());
      add(n == 1 ? "magnetization" : "magnetization(" + std::to_string(k + 1) + ")", m, copies);
    }
    add("magnetization_2", at_k(s, -1), copies);
    add("magnetization_along_kmin", at_kmin(s), copies);
  }

  void of_pair(const Spins& a, const Spins& b) {
    const double number = static_cast<double>(pairs_.size());
    Field q(a.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (potts_) {
        q[i] = {scalar_overlap(a[i], b[i])};
        continue;
      }
      for (const double s : a[i]) {
        for (const double t : b[i]) q[i].push_back(s * t);
      }
    }
    add("overlap_2", at_k(q, -1), number);
    add("overlap_kmin", at_kmin(q), number);
    add("link_overlap", link(a, b), number);
    put_lags("c4_axis(", ")", number, q, false);
    if (lattice_.is_hypercubic()) put_lags("c4_diagonal(", ")", number, q, true);
    of_chirality(a, b, number);
  }

  /// kappa of three sites along mu, or of a plaquette.
  [[nodiscard]] double kappa(const Spins& s, std::int64_t i, int mu) const {
    const Lattice::Coordinates c = lattice_.coordinates(i);
    const auto spin = [&](std::int64_t site) { return s[static_cast<std::size_t>(site)]; };
    if (s[0].size() == 3) {
      if (!lattice_.has_bond(c, mu, +1) || !lattice_.has_bond(c, mu, -1)) return 0.0;
      const auto f = spin(lattice_.neighbour(i, mu, +1)), h = spin(i), g = spin(lattice_.neighbour(i, mu, -1));
      return f[0] * (h[1] * g[2] - h[2] * g[1]) + f[1] * (h[2] * g[0] - h[0] * g[2]) +
             f[2] * (h[0] * g[1] - h[1] * g[0]);
    }
    const PlaquettePlane plane = plaquette_plane(mu, lattice_.dim);
    if (!lattice_.has_bond(c, plane.a, +1) || !lattice_.has_bond(c, plane.b, +1)) return 0.0;
    const std::int64_t at_a = lattice_.neighbour(i, plane.a, +1), at_b = lattice_.neighbour(i, plane.b, +1);
    const std::int64_t corner = lattice_.neighbour(at_a, plane.b, +1);
    const auto term = [&](std::int64_t owner, int axis, std::int64_t from, std::int64_t to) {
      const float J = disorder_.couplings[static_cast<std::size_t>(owner * lattice_.owned() + axis)];
      const auto u = spin(from), v = spin(to);
      return (J > 0.0F ? 1.0 : J < 0.0F ? -1.0 : 0.0) * (u[1] * v[0] - u[0] * v[1]);  // sin(theta_u - theta_v)
    };
    return (term(i, plane.a, i, at_a) + term(at_a, plane.b, at_a, corner) + term(at_b, plane.a, corner, at_b) +
            term(i, plane.b, at_b, i)) /
           (2.0 * std::numbers::sqrt2);
  }
  void of_chirality(const Spins& a, const Spins& b, double number) {
    const std::size_t n = a[0].size();
    if (chain_.model.is_discrete() || !lattice_.is_hypercubic() || !(n == 3 || (n == 2 && lattice_.dim > 1))) return;
    const int orientations = n == 3 ? lattice_.dim : plaquette_planes(lattice_.dim);
    std::map<std::string, Pooled> pooled;
    for (int mu = 0; mu < orientations; ++mu) {
      Field q(a.size());
      for (std::int64_t i = 0; i < N(); ++i) q[static_cast<std::size_t>(i)] = {kappa(a, i, mu) * kappa(b, i, mu)};
      add("chiral_2", at_k(q, -1), number * orientations);
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        if (!is_longest(axis)) continue;
        const bool parallel = n == 3 ? axis == mu : !plaquette_plane(mu, lattice_.dim).holds(axis);
        const std::string to = parallel ? "parallel" : "perpendicular";
        pooled["chiral_kmin_" + to].sum += at_k(q, axis);
        pooled["chiral_kmin_" + to].terms += 1.0;
        for (int r = 0; r <= lattice_.L / 2; ++r) {
          add_lag(q, step(axis, r), pooled["chiral_axis_" + to + "(" + std::to_string(r) + ")"]);
        }
      }
    }
    for (const auto& [name, p] : pooled) add(name, p.sum / p.terms, number);
  }

  void of_times(const Spins& then, const Spins& now, const std::string& t) {
    const double copies = chain_.copies;
    Field c(now.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] = {scalar_overlap(then[i], now[i])};
      sum += c[i][0] / static_cast<double>(N());
    }
    add("correlation(" + t + ")", sum, copies);
    add("link_correlation(" + t + ")", link(then, now), copies);
    add("correlation_kmin(" + t + ")", at_kmin(c), copies);
    put_lags("c22_axis(" + t + ",", ")", copies, c, false);
  }

  const Chain& chain_;
  const Disorder& disorder_;
  const Lattice& lattice_;
  bool potts_;
  int q_;
  std::vector<SeriesPair> pairs_;
  std::vector<std::uint64_t> references_;
  std::map<std::string, double> row_;
};

}  // namespace glassworks::test
