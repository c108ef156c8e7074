#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/core/addresses.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// Multi-spin coding whose lanes are copies: flips have the probabilities of their rule, independently of each other.
namespace glassworks { namespace {

using test::bimodal;
using test::copy_chain;
using test::Ensemble;

class StatisticsOfCopyLanes : public ::testing::TestWithParam<MultispinRule> {};

/// The state of a copy after some sweeps, of each of some realizations with the same couplings: [realization][copy].
std::vector<ChainState> states_after(Chain chain, const Disorder& disorder, int realizations, std::uint64_t sweeps) {
  chain.protocol.exchanges_per_measurement = static_cast<int>(sweeps);
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(realizations));
  std::iota(numbers.begin(), numbers.end(), 0U);
  Ensemble all(chain, numbers, [&](std::uint32_t) { return disorder; });
  all.round(*test::fast_backend(), chain, all.all());
  return all.state;
}

/// Flips of the even sites of 12^3 in 512 copies from the ordered state, where u bonds of each are unsatisfied: their
/// number, and its scatter from copy to copy, site to site, quad to quad (four sites of 128 copies) and word to word,
/// which is binomial if all flips are independent. False alarm: 6e-5 for each of 5 x 49 numbers; seeds are fixed.
TEST_P(StatisticsOfCopyLanes, FlipsHaveTheProbabilitiesOfTheirCosts) {
  const Lattice lattice{3, 12};
  constexpr int copies = 512;
  const auto sites = static_cast<std::size_t>(lattice.sites());
  for (const double T : {0.3, 0.7, 1.1, 1.4, 1.6, 3.0, 20.0}) {
    for (int u = 0; u < 7; ++u) {
      Chain chain = copy_chain(lattice, GetParam(), copies, {static_cast<float>(1.0 / T)}, 0);
      chain.start = Start::ordered;
      std::vector<float> J(3 * sites, 1.0F);
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        for (int bond = 0; bond < u && lattice.parity(i) == 0; ++bond) {
          const std::int64_t owner = bond % 2 == 0 ? i : lattice.neighbour(i, bond / 2, -1);
          J[static_cast<std::size_t>(3 * owner + bond / 2)] = -1.0F;
        }
      }
      const std::vector<std::uint8_t> states = states_after(chain, test::with_scale(lattice, J), 1, 1).front().states;
      const double e = std::exp(-4.0 * (3 - u) * static_cast<double>(chain.beta[0]));
      const double p = GetParam() == MultispinRule::heat_bath ? e / (1.0 + e) : std::min(1.0, e);
      std::vector<double> of_copy(copies), of_site(sites), of_quad(4 * multispin_blocks(lattice)), of_word(16 * sites);
      for (std::size_t copy = 0; copy < copies; ++copy) {
        for (std::size_t i = 0; i < sites; ++i) {
          const auto site = static_cast<std::int64_t>(i);
          if (lattice.parity(site) != 0 || states[copy * sites + i] != 0) continue;
          of_copy[copy] += 1.0;
          of_site[i] += 1.0;
          of_quad[4 * multispin_address(lattice, lattice.coordinates(site)).block + copy / 128] += 1.0;
          of_word[16 * i + copy / 32] += 1.0;
        }
      }
      const std::string what = "T " + std::to_string(T) + " u " + std::to_string(u);
      const double all = std::accumulate(of_copy.begin(), of_copy.end(), 0.0), n = copies * sites / 2.0;
      const double variance = p * (1.0 - p);
      EXPECT_NEAR(all, n * p, 4.0 * std::sqrt(n * variance) + 1e-6 * n) << what;
      if (n * variance < 100.0) continue;
      // Sum of (x - m p)^2/(m p (1 - p)) over the sums x of m flips each: 1 on average, of variance 2 + (1/pq - 6)/m.
      const auto expect_binomial = [&](const std::vector<double>& sums, double count, const char* name) {
        const double m = n / count;
        double chi = 0.0;
        for (const double x : sums) chi += (x - m * p) * (x - m * p) / (m * variance);
        EXPECT_NEAR(chi, count, 4.0 * std::sqrt(count * (2.0 + (1.0 / variance - 6.0) / m))) << what << ", " << name;
      };
      const auto even = [&](const std::vector<double>& sums, std::size_t of_each) {
        std::vector<double> kept;
        for (std::size_t i = 0; i < sums.size(); ++i) {
          if (lattice.parity(static_cast<std::int64_t>(i / of_each)) == 0) kept.push_back(sums[i]);
        }
        return kept;
      };
      expect_binomial(of_copy, copies, "copies");
      expect_binomial(of_quad, static_cast<double>(of_quad.size()), "quads");
      expect_binomial(even(of_site, 1), static_cast<double>(sites) / 2.0, "sites");
      expect_binomial(even(of_word, 16), 8.0 * static_cast<double>(sites), "words");
    }
  }
}

/// p(t + 1) = p(t) times the transition matrix of a sweep of 2 x 2 x 2 spins: first the four even sites at once, then
/// the odd ones.
std::vector<double> swept(const std::vector<double>& p, const Lattice& lattice, const Disorder& disorder, double beta,
                          MultispinRule rule) {
  std::vector<double> now = p;
  for (const int colour : {0, 1}) {
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      if (lattice.parity(i) != colour) continue;
      std::vector<double> next(now.size(), 0.0);
      for (std::size_t state = 0; state < now.size(); ++state) {
        const auto spin = [&](std::int64_t site) { return (state >> site & 1U) != 0 ? 1.0 : -1.0; };
        double h = 0.0;
        for (int axis = 0; axis < lattice.dim; ++axis) {
          const std::int64_t back = lattice.neighbour(i, axis, -1);
          const auto J = [&](std::int64_t owner) {
            return static_cast<double>(disorder.couplings[static_cast<std::size_t>(owner * lattice.dim + axis)]);
          };
          h += J(i) * spin(lattice.neighbour(i, axis, +1)) + J(back) * spin(back);
        }
        const double e = std::exp(-2.0 * beta * h * spin(i));
        const double flip = rule == MultispinRule::heat_bath ? e / (1.0 + e) : std::min(1.0, e);
        next[state] += now[state] * (1.0 - flip);
        next[state ^ std::size_t{1} << i] += now[state] * flip;
      }
      now = next;
    }
  }
  return now;
}

/// The distribution over all 2^8 states of +-J samples of 2^3 at t = 1, 2, 4, ... 64 from the ordered state against the
/// full transition matrix: 512 copies of 16 realizations, chi^2 over the states with at least 5 expected. False alarm:
/// below 1e-4 each of 21 (chi^2 above its mean by 4.5 standard deviations); seeds are fixed.
TEST_P(StatisticsOfCopyLanes, DistributionsFollowTheTransitionMatrix) {
  const Lattice lattice{3, 2};
  constexpr int realizations = 16, copies = 512;
  const Disorder disorder = bimodal(lattice, 12, 0.5F);  // each bond is there twice
  int most_states = 0;
  for (const double T : {0.7, 1.1, 3.0}) {
    Chain chain = copy_chain(lattice, GetParam(), copies, {static_cast<float>(1.0 / T)}, 0);
    chain.start = Start::ordered;
    std::vector<double> p(256, 0.0);
    p[255] = 1.0;
    for (std::uint64_t t = 0, shown = 1; shown <= 64; ++t, p = swept(p, lattice, disorder, 1.0 / T, GetParam())) {
      if (t != shown) continue;
      shown *= 2;
      std::vector<double> found(256, 0.0);
      for (const ChainState& state : states_after(chain, disorder, realizations, t)) {
        for (std::size_t copy = 0; copy < copies; ++copy) {
          std::size_t number = 0;
          for (std::size_t i = 0; i < 8; ++i) number |= std::size_t{state.states[copy * 8 + i]} << i;
          found[number] += 1.0;
        }
      }
      double chi = 0.0, others = 0.0, expected_others = 0.0;
      int states = 0;
      const auto add = [&](double seen, double expected) {
        chi += (seen - expected) * (seen - expected) / expected;
        ++states;
      };
      for (std::size_t state = 0; state < 256; ++state) {
        const double expected = p[state] * realizations * copies;
        if (expected >= 5.0) {
          add(found[state], expected);
        } else {
          others += found[state];
          expected_others += expected;
        }
      }
      if (expected_others >= 5.0) add(others, expected_others);
      EXPECT_GT(states, 1);
      most_states = std::max(most_states, states);
      EXPECT_LT(chi, states - 1 + 4.5 * std::sqrt(2.0 * (states - 1))) << "T " << T << " t " << t;
    }
  }
  EXPECT_GT(most_states, 150);
}

/// Copies that start alike part, and do so as independent ones: overlaps at infinite temperature are those of random
/// spins. False alarm: 6e-5 each; seeds are fixed.
TEST(StatisticsOfCopyLanesAlone, CopiesOfOneRealizationAreIndependent) {
  const Lattice lattice{3, 8};
  constexpr std::size_t copies = 512, sites = 512;
  for (const double T : {2.5, 1e9}) {
    Chain chain = copy_chain(lattice, MultispinRule::heat_bath, copies, {static_cast<float>(1.0 / T)}, 0);
    const std::vector<std::uint8_t> s = states_after(chain, bimodal(lattice, 3), 1, 40).front().states;
    double q = 0.0, q2 = 0.0, pairs = 0.0;
    for (std::size_t a = 0; a < copies; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        int same = 0;
        for (std::size_t i = 0; i < sites; ++i) same += s[a * sites + i] == s[b * sites + i] ? 1 : 0;
        const double overlap = 2.0 * same / static_cast<double>(sites) - 1.0;
        q += overlap;
        q2 += overlap * overlap * static_cast<double>(sites);
        pairs += 1.0;
      }
    }
    // Pairs are uncorrelated at infinite temperature; in a paramagnet q is 0 by the symmetry of spins.
    EXPECT_NEAR(q / pairs, 0.0, 4.0 * std::sqrt(q2 / pairs / static_cast<double>(sites) / pairs)) << T;
    if (T > 1e3) {
      EXPECT_NEAR(q2 / pairs, 1.0, 4.0 * std::sqrt(2.0 / pairs));
    } else {
      EXPECT_GT(q2 / pairs, 1.05);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, StatisticsOfCopyLanes,
                         ::testing::Values(MultispinRule::metropolis, MultispinRule::heat_bath), [](const auto& test) {
                           return test.param == MultispinRule::metropolis ? "Metropolis" : "HeatBath";
                         });

}}  // namespace glassworks
