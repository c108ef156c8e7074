#include "tests/physics/course_spins.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

/// The first sweep of a course, in which every spin has neighbours that stand still, against sums and integrals over
/// what a spin does.
namespace glassworks::testing { namespace {

int parity_of(const Lattice& lattice, std::int64_t site) {
  int sum = 0;
  for (int axis = 0; axis < lattice.dim; ++axis) sum += lattice.coordinates(site)[static_cast<std::size_t>(axis)];
  return sum % 2;
}

/// h_i [component] of a replica, from value(component, site) of the neighbours.
template <class Value>
std::vector<double> local_field(const Lattice& lattice, const Disorder& disorder, std::int64_t site, int components,
                                const Value& value) {
  std::vector<double> h;
  for (int k = 0; k < components; ++k) {
    h.push_back(disorder.has_fields()
                    ? static_cast<double>(disorder.fields[static_cast<std::size_t>(site * components + k)])
                    : 0.0);
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const std::int64_t forward = lattice.neighbour(site, bond, +1), back = lattice.neighbour(site, bond, -1);
      const auto J = [&](std::int64_t owner) {
        return static_cast<double>(disorder.couplings[static_cast<std::size_t>(owner * lattice.owned() + bond)]);
      };
      h.back() += J(site) * value(k, forward) + J(back) * value(k, back);
    }
  }
  return h;
}

/// The heat bath of a vector with neighbours that do not move: u = s.h/|h| has the weight exp(beta |h| u), and s has no
/// preferred direction across h; an XY spin stays where its trial is rejected. Even sites see the start, odd ones the
/// even sites after the sweep. 2 models x 2 temperatures x 2 sublattices x 4 numbers within 4 errors: a right program
/// fails with 0.2 %.
TEST(StatisticsOfCourseSpins, HeatBathOfVectorsInTheFieldOfStandingNeighbours) {
  const Lattice lattice{3, 12};
  const std::vector<double> temperatures{0.15, 1.0};
  const Disorder disorder = test::gaussian_disorder(lattice, 11);
  for (const int n : {2, 3}) {
    const Chain chain = course_chain(vectors(n), lattice, 16, temperatures, SiteRule::heat_bath);
    const ChainState start = initial_state(chain, 3), end = after_one_sweep(chain, disorder, start);
    Deviation deviation[2][2][4];
    for (int replica = 0; replica < chain.replicas(); ++replica) {
      const std::size_t slot = start.slot[static_cast<std::size_t>(replica)];
      const auto component = [&](const ChainState& state, int k, std::int64_t site) {
        return static_cast<double>(state.spins[static_cast<std::size_t>((replica * n + k) * lattice.sites() + site)]);
      };
      for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const int parity = parity_of(lattice, site);
        const ChainState& neighbours = parity == 0 ? start : end;
        const std::vector<double> h =
            local_field(lattice, disorder, site, n, [&](int k, std::int64_t i) { return component(neighbours, k, i); });
        const double size = std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0)), c = h[0] / size;
        // u, u^2, and v, v^2 along the part of the first axis that is across h.
        const auto numbers = [&](const ChainState& state) {
          double u = 0.0;
          for (int k = 0; k < n; ++k) u += h[static_cast<std::size_t>(k)] * component(state, k, site) / size;
          const double v = (component(state, 0, site) - u * c) / std::sqrt(1.0 - c * c);
          return std::array<double, 4>{u, u * u, v, v * v};
        };
        const double x = size / temperatures[slot], moved = n == 2 ? accepted_trials(x) : 1.0;
        const std::array<double, 5> m = moments_in_field(n, x);
        const double v2 = (1.0 - m[2]) / (n - 1), v4 = (1.0 - 2.0 * m[2] + m[4]) * 3.0 / ((n - 1) * (n + 1));
        const std::array<double, 4> mean{m[1], m[2], 0.0, v2}, square{m[2], m[4], v2, v4};
        const std::array<double, 4> before = numbers(start), after = numbers(end);
        for (std::size_t i = 0; i < 4; ++i) {
          const double expected = moved * mean[i] + (1.0 - moved) * before[i];
          const double squares = moved * square[i] + (1.0 - moved) * before[i] * before[i];
          deviation[slot][parity][i].add(after[i], expected, squares - expected * expected);
        }
      }
    }
    for (std::size_t slot = 0; slot < 2; ++slot) {
      for (std::size_t parity = 0; parity < 2; ++parity) {
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_LT(std::fabs(deviation[slot][parity][i].sigma()), 4.0)
              << "number " << i << " (u, u^2, v, v^2), n = " << n << ", T = " << temperatures[slot] << ", sublattice "
              << parity;
        }
      }
    }
  }
}

/// Metropolis with a width that stays: all odd spins point along z, all even ones at an angle of 1 to it, so that each
/// even spin makes the same step in the field h = 2 d J. 3 models x 2 temperatures x 4 numbers within 4 errors: a right
/// program fails with 0.15 %.
TEST(StatisticsOfCourseSpins, MetropolisOfVectorsInTheFieldOfStandingNeighbours) {
  const Lattice lattice{3, 12};
  const std::vector<double> temperatures{1.5, 6.0}, widths{0.4, 1.25};
  const Disorder disorder = test::pure(lattice);
  for (const int n : {2, 3, 4}) {
    const Chain chain = course_chain(vectors(n), lattice, 16, temperatures, SiteRule::metropolis);
    ChainState start = initial_state(chain, 3);
    ASSERT_EQ(start.beside.size(), 2U);
    for (std::size_t slot = 0; slot < 2; ++slot) {
      start.beside[slot] = static_cast<std::int64_t>(widths[slot] * static_cast<double>(width_unit));
    }
    const double u = std::cos(1.0), v = std::sin(1.0);
    const auto place = [&](int replica, int k, std::int64_t site) {
      return static_cast<std::size_t>((replica * n + k) * lattice.sites() + site);
    };
    for (int replica = 0; replica < chain.replicas(); ++replica) {
      for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const bool even = parity_of(lattice, site) == 0;
        for (int k = 0; k < n; ++k) start.spins[place(replica, k, site)] = 0.0F;
        start.spins[place(replica, 0, site)] = static_cast<float>(even ? v : 0.0);
        start.spins[place(replica, n - 1, site)] = static_cast<float>(even ? u : 1.0);
      }
    }
    const ChainState end = after_one_sweep(chain, disorder, start);
    for (std::size_t slot = 0; slot < 2; ++slot) {
      double expected[4] = {}, squares[4] = {};
      for_proposals(n, widths[slot], 6.0 / temperatures[slot], u, 300,
                    [&](double weight, double next, double across, double accepted) {
                      const double moved[4] = {next, next * next, across, 0.0}, stays[4] = {u, u * u, v, 1.0};
                      for (int i = 0; i < 4; ++i) {
                        expected[i] += weight * (accepted * moved[i] + (1.0 - accepted) * stays[i]);
                        squares[i] +=
                            weight * (accepted * moved[i] * moved[i] + (1.0 - accepted) * stays[i] * stays[i]);
                      }
                    });
      Deviation deviation[4];
      for (int replica = 0; replica < chain.replicas(); ++replica) {
        if (start.slot[static_cast<std::size_t>(replica)] != slot) continue;
        for (std::int64_t site = 0; site < lattice.sites(); ++site) {
          if (parity_of(lattice, site) != 0) continue;
          const auto z = static_cast<double>(end.spins[place(replica, n - 1, site)]);
          const auto x = static_cast<double>(end.spins[place(replica, 0, site)]);
          const bool stayed = end.spins[place(replica, 0, site)] == start.spins[place(replica, 0, site)];
          const double found[4] = {z, z * z, x, stayed ? 1.0 : 0.0};
          for (int i = 0; i < 4; ++i) deviation[i].add(found[i], expected[i], squares[i] - expected[i] * expected[i]);
        }
      }
      for (int i = 0; i < 4; ++i) {
        EXPECT_LT(std::fabs(deviation[i].sigma()), 4.0)
            << "number " << i << " (u, u^2, across, rejected), n = " << n << ", T = " << temperatures[slot];
      }
    }
  }
}

/// One sweep of Ising spins: P(s -> +) of each site from its local field, for Gaussian couplings in a field in plain
/// kernels, for J = +-1 in words of copies. 4 cases x 2 temperatures x 2 sublattices x 4 numbers within 4 errors: a
/// right program fails with 0.4 %.
TEST(StatisticsOfCourseSpins, FirstSweepOfIsingSpins) {
  struct Case {
    const char* name;
    SiteRule rule;
    MultispinRule multispin;
  };
  const Lattice lattice{3, 12};
  const std::vector<double> temperatures{0.7, 2.5};
  for (const Case& one : {Case{"Gaussian, heat bath", SiteRule::heat_bath, MultispinRule::off},
                          Case{"Gaussian, Metropolis", SiteRule::metropolis, MultispinRule::off},
                          Case{"words, heat bath", SiteRule::heat_bath, MultispinRule::heat_bath},
                          Case{"words, Metropolis", SiteRule::metropolis, MultispinRule::metropolis}}) {
    const bool words = one.multispin != MultispinRule::off;
    const Disorder disorder =
        words ? test::bimodal(lattice, 5) : test::in_field(lattice, test::gaussian_disorder(lattice, 5), 0.3F);
    Chain chain = course_chain(test::ising(), lattice, 32, temperatures, words ? SiteRule::heat_bath : one.rule);
    if (words) {
      chain.protocol.multispin = one.multispin;
      chain.protocol.lanes = MultispinLanes::copies;
    }
    const ChainState start = initial_state(chain, 3), end = after_one_sweep(chain, disorder, start);
    Deviation deviation[2][2][4];
    for (int replica = 0; replica < chain.replicas(); ++replica) {
      const std::size_t slot = start.slot[static_cast<std::size_t>(replica)];
      for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const auto spin = [&](const ChainState& state, std::int64_t i) {
          return 2.0 * state.states[static_cast<std::size_t>(replica * lattice.sites() + i)] - 1.0;
        };
        const int parity = parity_of(lattice, site);
        const ChainState& neighbours = parity == 0 ? start : end;
        const double h =
            local_field(lattice, disorder, site, 1, [&](int, std::int64_t i) { return spin(neighbours, i); })[0];
        const double before = spin(start, site), cost = 2.0 * before * h / temperatures[slot];
        const double flips =
            one.rule == SiteRule::metropolis ? std::min(1.0, std::exp(-cost)) : 1.0 / (1.0 + std::exp(cost));
        const double mean = before * (1.0 - 2.0 * flips), variance = 4.0 * flips * (1.0 - flips);
        const double weight[4] = {1.0, before, std::copysign(1.0, h), h};
        for (int i = 0; i < 4; ++i) {
          deviation[slot][parity][i].add(weight[i] * spin(end, site), weight[i] * mean,
                                         weight[i] * weight[i] * variance);
        }
      }
    }
    for (std::size_t slot = 0; slot < 2; ++slot) {
      for (std::size_t parity = 0; parity < 2; ++parity) {
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_LT(std::fabs(deviation[slot][parity][i].sigma()), 4.0)
              << one.name << ", T = " << temperatures[slot] << ", sublattice " << parity << ", weight " << i;
        }
      }
    }
  }
}

}}  // namespace glassworks::testing
