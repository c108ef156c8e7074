#pragma once

#include <cmath>
#include <vector>

#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks::testing {

/// Averages of one realization of discrete spins on any lattice or graph, by the sum over all states.
struct EnumeratedGraph {
  double energy = 0.0, energy_squared = 0.0;  ///< of H/N
  double m_2 = 0.0, link = 0.0;
  double quadrupole = 0.0;  ///< of numbers and vectors: sum s^2/N
  double q = 0.0;
  double q_2 = 0.0;  ///< of numbers and vectors: of vectors sum_{mu nu} (q^{mu nu})^2

  EnumeratedGraph(const Chain& chain, const Disorder& disorder, double beta) {
    struct Bond {
      std::size_t i, j;
      double J;
      std::vector<std::size_t> more = {};  ///< further sites of a term
    };
    const auto N = static_cast<std::size_t>(chain.lattice.sites());
    const auto n = static_cast<double>(N);
    const std::vector<SpinState> states = spin_states(chain.model);
    const bool densities = order_parameter_of(chain.model) == models::OrderParameter::densities;
    const std::size_t k = states.front().spin.size();
    std::vector<Bond> bonds;
    const BondView view(chain.lattice, disorder.graph.get());
    for (std::size_t i = 0; i < N; ++i) {
      view.for_owned(static_cast<std::int64_t>(i), [&](std::int64_t j, std::int64_t place) {
        bonds.push_back(
            {i, static_cast<std::size_t>(j), static_cast<double>(disorder.couplings[static_cast<std::size_t>(place)])});
      });
      view.for_terms(static_cast<std::int64_t>(i), [&](std::span<const std::int32_t> sites, std::int64_t place) {
        if (sites.front() != static_cast<std::int32_t>(i)) return;
        bonds.push_back({i,
                         static_cast<std::size_t>(sites[1]),
                         static_cast<double>(disorder.couplings[static_cast<std::size_t>(place)]),
                         {sites.begin() + 2, sites.end()}});
      });
    }
    const auto product = [&](std::size_t a, std::size_t b) {
      if (densities) return a == b ? 1.0 : 0.0;
      double sum = 0.0;
      for (std::size_t c = 0; c < k; ++c) sum += states[a].spin[c] * states[b].spin[c];
      return sum;
    };
    std::vector<std::size_t> s(N, 0);
    const auto of = [&](const Bond& b) {
      double x = product(s[b.i], s[b.j]);
      for (const std::size_t i : b.more) x *= states[s[i]].spin[0];
      return x;
    };
    // densities: how often a site is in a state
    const std::size_t per_site = densities ? states.size() : k;
    std::vector<double> of_site(N * per_site, 0.0), of_pair(N * N, 0.0), of_bond(bonds.size(), 0.0);
    double Z = 0.0;
    const double q_states = static_cast<double>(states.size());
    for (;;) {
      double E = 0.0;
      for (const Bond& b : bonds) E -= b.J * of(b);
      for (std::size_t i = 0; i < N; ++i) {
        E += states[s[i]].energy;
        if (disorder.has_fields() && densities) {
          if (s[i] == 0) E -= static_cast<double>(disorder.fields[i]);
        } else if (disorder.has_fields()) {
          for (std::size_t c = 0; c < k; ++c) {
            E -= static_cast<double>(disorder.fields[i * k + c]) * states[s[i]].spin[c];
          }
        }
      }
      const double w = std::exp(-beta * E);
      Z += w;
      energy += w * E / n;
      energy_squared += w * E * E / (n * n);
      if (densities) {
        std::vector<double> rho(states.size(), 0.0);
        for (const std::size_t state : s) rho[state] += 1.0 / n;
        double squares = 0.0;
        for (const double x : rho) squares += x * x;
        m_2 += w * (q_states * squares - 1.0) / (q_states - 1.0);
        for (std::size_t i = 0; i < N; ++i) of_site[i * per_site + s[i]] += w;
      } else {
        std::vector<double> m(k, 0.0);
        for (const std::size_t state : s) {
          for (std::size_t c = 0; c < k; ++c) m[c] += states[state].spin[c] / n;
        }
        for (const double x : m) m_2 += w * x * x;
        for (const std::size_t state : s) {
          for (const double x : states[state].spin) quadrupole += w * x * x / n;
        }
        for (std::size_t i = 0; i < N; ++i) {
          for (std::size_t c = 0; c < k; ++c) {
            of_site[i * k + c] += w * states[s[i]].spin[c];
            for (std::size_t j = 0; j < N; ++j) {
              of_pair[i * N + j] += w * states[s[i]].spin[c] * states[s[j]].spin[c];
            }
          }
        }
      }
      for (std::size_t b = 0; b < bonds.size(); ++b) of_bond[b] += w * of(bonds[b]);
      std::size_t next = 0;
      while (next < N && s[next] + 1 == states.size()) s[next++] = 0;
      if (next == N) break;
      ++s[next];
    }
    for (double* const x : {&energy, &energy_squared, &m_2, &quadrupole}) *x /= Z;
    for (const double x : of_site) q += x * x / (Z * Z * n);
    if (densities) q = (q_states * q - 1.0) / (q_states - 1.0);
    for (const double x : of_pair) q_2 += x * x / (Z * Z * n * n);
    for (const double x : of_bond) link += x * x / (Z * Z * static_cast<double>(bonds.size()));
  }
};

}  // namespace glassworks::testing
