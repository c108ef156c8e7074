#include "engine/percolation/percolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/percolation/percolation_exact.hpp"
#include "engine/percolation/percolation_threshold.hpp"

/// Percolation against exact results. Seeds are fixed and bits are the same everywhere, so a test that has passed does
/// not fail by chance; for another seed every check at 4 standard errors has a probability of 6e-5 to fail.
namespace glassworks { namespace {

using Quantity = PercolationQuantity;
constexpr double errors_allowed = 4.0;

PercolationResult simulated(const Graph& graph, std::vector<double> p, std::uint32_t samples,
                            Occupation occupation = Occupation::bonds, std::uint64_t seed = 1) {
  PercolationControl control;
  const PercolationPlan plan{.graph = &graph,
                             .occupation = occupation,
                             .p = std::move(p),
                             .samples = samples,
                             .seed = seed,
                             .threads = 2,
                             .make_labeller = [&] { return make_cpu_labeller(graph, LabellingMethod::union_find); }};
  return simulate_percolation(plan, control);
}

void expect_mean(const PercolationResult& result, Quantity quantity, std::size_t i, double exact, const char* what) {
  EXPECT_NEAR(result.mean(quantity, i), exact, errors_allowed * result.error(quantity, i))
      << what << ", p = " << result.p()[i] << ", error " << result.error(quantity, i);
}

/// From 50,000 samples of 32 x 32 sites: standard errors of about 1e-4.
void expect_threshold(const Graph& graph, double p_c) {
  const auto found = dual_balance(simulated(graph, {p_c - 0.003, p_c + 0.003}, 50000));
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->error, 1.5e-4);
  EXPECT_NEAR(found->p, p_c, errors_allowed * found->error);
  EXPECT_NEAR(found->p, p_c, 2e-4);
}

TEST(StatisticsPercolation, ThresholdOfTheHoneycombLattice) {
  expect_threshold(Graph::honeycomb(32, 32), 1.0 - 2.0 * std::sin(std::numbers::pi / 18.0));
}

TEST(StatisticsPercolation, ThresholdOfTheTriangularLattice) {
  expect_threshold(Graph::triangular(32, 32), 2.0 * std::sin(std::numbers::pi / 18.0));
}

/// Crossings of two sizes know nothing of duality: also in three dimensions, p_c = 0.2488126(5) (J. Wang et al., Phys.
/// Rev. E 87, 052107 (2013)). Corrections to scaling move the crossing of L = 8 and 16 by less than 0.001.
TEST(StatisticsPercolation, CrossingsOfTheSimpleCubicLattice) {
  const Graph small = Graph::hypercubic({8, 8, 8}), large = Graph::hypercubic({16, 16, 16});
  const std::vector<double> p{0.236, 0.24, 0.244, 0.248, 0.252, 0.256, 0.26};
  const auto found = crossing_of_sizes(simulated(small, p, 4000), simulated(large, p, 2000), Quantity::crossing_any);
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->error, 0.001);
  EXPECT_NEAR(found->p, 0.2488126, 0.001 + errors_allowed * found->error);
}

/// Values: reference/exact.md. The torus adds about 0.9/N, less than a tenth of the error.
TEST(StatisticsPercolation, ClustersPerSiteAtTheThreshold) {
  const struct {
    Graph graph;
    double clusters;
  } cases[] = {{Graph::hypercubic({512, 512}), 0.098076211353},
               {Graph::triangular(512, 512), 0.111844275285},
               {Graph::honeycomb(512, 512), 0.076866670643}};
  for (const auto& [graph, clusters] : cases) {
    const PercolationResult result = simulated(graph, {*exact_threshold(graph, Occupation::bonds)}, 60);
    EXPECT_LT(result.error(Quantity::clusters, 0), 2e-4);
    expect_mean(result, Quantity::clusters, 0, clusters, graph.description().c_str());
  }
}

/// Probabilities of clusters that wrap around a square torus at p_c, by conformal field theory: M. E. J. Newman and R.
/// M. Ziff, Phys. Rev. E 64, 016706 (2001). At L = 64 they hold to 1e-3.
TEST(StatisticsPercolation, WrappingProbabilitiesOfTheSquareTorus) {
  const PercolationResult result = simulated(Graph::hypercubic({64, 64}), {0.5}, 4000);
  expect_mean(result, Quantity::crossing_any, 0, 0.690473725, "along an axis");
  expect_mean(result, Quantity::crossing_all, 0, 0.351642855, "along both axes");
  expect_mean(result, Quantity::crossing_full, 0, 1.0 - 0.690473725, "both ways");
}

/// At p = 1/2 the empty sites of a triangular lattice are like the occupied ones, and one of the two winds both ways
/// where the other one does not wind: exact on every lattice.
TEST(StatisticsPercolation, SitesOfTheTriangularLatticeAreSelfMatching) {
  const PercolationResult result = simulated(Graph::triangular(12, 17), {0.5}, 20000, Occupation::sites);
  const double none = 1.0 - result.mean(Quantity::crossing_any, 0), full = result.mean(Quantity::crossing_full, 0);
  // Variance of the difference of two exclusive events.
  EXPECT_NEAR(full, none, errors_allowed * std::sqrt((full + none) / result.samples()));
  expect_mean(result, Quantity::occupied, 0, 0.5, "occupied");
}

/// Trees of g generations exactly: mean size 1 + z p sum_k ((z - 1) p)^k, k < g, and the probability to reach the last
/// shell by recursion over the shells; times p for sites.
TEST(StatisticsPercolation, BetheLatticesOfFewGenerations) {
  const struct {
    int z, generations;
    Numbering numbering;
    Occupation occupation;
  } cases[] = {{3, 8, Numbering::standard, Occupation::bonds},
               {3, 8, Numbering::random, Occupation::sites},
               {4, 5, Numbering::random, Occupation::bonds}};
  for (const auto& [z, generations, numbering, occupation] : cases) {
    const Graph graph = Graph::bethe(z, generations, numbering, 3);
    const PercolationResult result = simulated(graph, {0.2, 0.35, 0.5, 0.7}, 10000, occupation);
    for (std::size_t i = 0; i < result.p().size(); ++i) {
      const double p = result.p()[i], centre = occupation == Occupation::sites ? p : 1.0;
      double size = 1.0, shell = z * p, out = p;
      for (int g = 0; g < generations; ++g) {
        size += shell;
        shell *= (z - 1) * p;
        if (g > 0) out = p * (1.0 - std::pow(1.0 - out, z - 1));
      }
      expect_mean(result, Quantity::centre_size, i, centre * size, graph.description().c_str());
      expect_mean(result, Quantity::centre_out, i, centre * (1.0 - std::pow(1.0 - out, z)),
                  graph.description().c_str());
    }
  }
}

/// z = 3 in the bulk: (1 + p)/(1 - 2 p) below the threshold, 1 - ((1 - p)/p)^3 above. At these p 14 generations differ
/// from infinitely many by less than a tenth of the error.
TEST(StatisticsPercolation, BetheLatticeInTheBulk) {
  const Graph graph = Graph::bethe(3, 14, Numbering::standard);
  const PercolationResult result = simulated(graph, {0.2, 0.3, 0.7, 0.8}, 600);
  for (const std::size_t i : {0U, 1U}) {
    const double p = result.p()[i];
    expect_mean(result, Quantity::centre_size, i, (1.0 + p) / (1.0 - 2.0 * p), "mean size");
  }
  for (const std::size_t i : {2U, 3U}) {
    const double p = result.p()[i];
    expect_mean(result, Quantity::centre_out, i, 1.0 - std::pow((1.0 - p) / p, 3), "P_inf");
  }
}

}}  // namespace glassworks
