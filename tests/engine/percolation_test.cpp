#include "engine/percolation/percolation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/percolation/percolation_exact.hpp"
#include "engine/percolation/percolation_threshold.hpp"
#include "kernels/clusters/winding.hpp"
#include "kernels/core/random.hpp"

namespace glassworks { namespace {

using Quantity = PercolationQuantity;
using testing::DoubleNear;

PercolationPlan plan_of(const Graph& graph, std::vector<double> p, std::uint32_t samples) {
  PercolationPlan plan;
  plan.graph = &graph;
  plan.p = std::move(p);
  plan.samples = samples;
  plan.seed = 5;
  plan.make_labeller = [&graph] { return make_cpu_labeller(graph, LabellingMethod::union_find); };
  return plan;
}

PercolationResult simulated(const PercolationPlan& plan) {
  PercolationControl control;
  PercolationResult result = simulate_percolation(plan, control);
  EXPECT_EQ(control.samples_done, plan.samples);
  return result;
}

std::vector<double> numbers(const PercolationResult& result) {
  std::vector<double> all;
  for (std::size_t i = 0; i < result.p().size(); ++i) {
    for (std::size_t q = 0; q < percolation_quantities; ++q) {
      all.push_back(result.mean(static_cast<Quantity>(q), i));
      all.push_back(result.error(static_cast<Quantity>(q), i));
    }
  }
  return all;
}

/// One sample from the definition: random words one by one, clusters by a search over all bonds, crossings by asking
/// every site.
std::vector<double> by_definition(const PercolationPlan& plan, std::uint32_t sample, double p) {
  const Graph& graph = *plan.graph;
  const bool sites = plan.occupation == Occupation::sites;
  const auto occupied = [&](std::uint64_t index) {
    const RandomBlock block = random_block(percolation_key(plan.seed, graph), Stream::percolation, sample, 0, 0,
                                           static_cast<std::uint32_t>(index / 4));
    return block.word[index % 4] < std::floor(p * 4294967296.0 + 0.5);
  };
  BondSet bonds(graph);
  double count = 0.0;
  graph.for_each_bond([&](BondIndex b, Site i, Site j) {
    if (sites ? occupied(i) && occupied(j) : occupied(b)) bonds.activate(b);
    if (!sites && occupied(b)) count += 1.0 / static_cast<double>(graph.bonds());
  });
  std::vector<Site> labels(graph.sites());
  make_cpu_labeller(graph, LabellingMethod::breadth_first)->label(bonds, labels);
  std::map<Site, double> size;
  for (Site i = 0; i < graph.sites(); ++i) {
    if (sites && !occupied(i)) continue;
    size[labels[i]] += 1.0;
    if (sites) count += 1.0 / graph.sites();
  }
  std::vector<double> value(percolation_quantities, 0.0);
  const auto at = [&](Quantity q) -> double& { return value[static_cast<std::size_t>(q)]; };
  double largest = 0.0, squares = 0.0;
  for (const auto& [label, n] : size) {
    largest = std::max(largest, n);
    squares += n * n;
  }
  at(Quantity::largest) = largest / graph.sites();
  at(Quantity::mean_size) = squares / graph.sites();
  at(Quantity::mean_size_rest) = (squares - largest * largest) / graph.sites();
  at(Quantity::clusters) = static_cast<double>(size.size()) / graph.sites();
  at(Quantity::occupied) = count;
  if (graph.kind() == GraphKind::bethe) {
    std::vector<int> degree(graph.sites(), 0);
    graph.for_each_bond([&](BondIndex, Site i, Site j) {
      ++degree[i];
      ++degree[j];
    });
    const Site centre = labels[graph.centre()];
    at(Quantity::centre_size) = size.contains(centre) ? size[centre] : 0.0;
    for (Site i = 0; i < graph.sites(); ++i) {
      if (degree[i] == 1 && labels[i] == centre && size.contains(centre)) at(Quantity::centre_out) = 1.0;
    }
  } else if (graph.is_lattice() && graph.boundary() == Boundary::open) {
    bool all_by_one = false;
    for (const auto& [label, n] : size) {
      bool all = true;
      Site layer = 1;
      for (int axis = 0; axis < graph.dim(); ++axis) {
        const auto extent = static_cast<Site>(graph.extents()[static_cast<std::size_t>(axis)]);
        bool near = false, far = false;
        for (Site i = 0; i < graph.sites(); ++i) {
          if (labels[i] != label || (sites && !occupied(i))) continue;
          near = near || i / layer % extent == 0;
          far = far || i / layer % extent == extent - 1;
        }
        layer *= extent;
        all = all && near && far;
        if (near && far) at(Quantity::crossing_any) = 1.0;
      }
      all_by_one = all_by_one || all;
    }
    at(Quantity::crossing_all) = at(Quantity::crossing_full) = all_by_one ? 1.0 : 0.0;
  } else if (graph.is_lattice()) {
    WindingFinder finder(graph);  // tests/kernels/cluster/ has its own oracle
    finder.cut(bonds);
    make_cpu_labeller(graph, LabellingMethod::breadth_first)->label(bonds, labels);
    const Winding winding = finder.find(labels);
    at(Quantity::crossing_any) = winding.any ? 1.0 : 0.0;
    at(Quantity::crossing_all) = winding.all ? 1.0 : 0.0;
    at(Quantity::crossing_full) = winding.full ? 1.0 : 0.0;
  }
  return value;
}

TEST(Percolation, EverySampleIsAsDefined) {
  const Graph graphs[] = {Graph::hypercubic({7, 9}),
                          Graph::hypercubic({6, 5}, Boundary::open),
                          Graph::hypercubic({4, 3, 5}),
                          Graph::hypercubic({4, 3, 5}, Boundary::open),
                          Graph::hypercubic({40}),
                          Graph::triangular(6, 7),
                          Graph::triangular(35, 3, Boundary::open),
                          Graph::honeycomb(8, 6),
                          Graph::bethe(3, 4, Numbering::standard),
                          Graph::bethe(4, 3, Numbering::random, 2),
                          Graph::from_edges(6, {{0, 1}, {1, 2}, {2, 0}, {4, 5}})};
  for (const Graph& graph : graphs) {
    for (const Occupation occupation : {Occupation::bonds, Occupation::sites}) {
      PercolationPlan plan = plan_of(graph, {0.0, 0.2, 0.45, 0.5, 0.7, 0.95, 1.0}, 6);
      plan.occupation = occupation;
      const PercolationResult result = simulated(plan);
      for (std::size_t i = 0; i < plan.p.size(); ++i) {
        std::vector<double> sum(percolation_quantities, 0.0), squares = sum;
        for (std::uint32_t sample = 0; sample < plan.samples; ++sample) {
          const std::vector<double> value = by_definition(plan, sample, plan.p[i]);
          for (std::size_t q = 0; q < sum.size(); ++q) {
            sum[q] += value[q];
            squares[q] += value[q] * value[q];
          }
        }
        for (std::size_t q = 0; q < sum.size(); ++q) {
          const double mean = sum[q] / 6.0, error = std::sqrt(std::max(0.0, squares[q] / 6.0 - mean * mean) / 5.0);
          const auto quantity = static_cast<Quantity>(q);
          EXPECT_THAT(result.mean(quantity, i), DoubleNear(mean, 1e-12 * (1.0 + mean)))
              << graph.description() << ", p = " << plan.p[i] << ", quantity " << q << ", sites "
              << (occupation == Occupation::sites);
          EXPECT_THAT(result.error(quantity, i), DoubleNear(error, 1e-6 * (1.0 + mean)));
        }
      }
    }
  }
}

TEST(Percolation, ResultsDoNotDependOnThreadsLabellerOrOtherValuesOfP) {
  const Graph graph = Graph::triangular(20, 24);
  PercolationPlan plan = plan_of(graph, {0.3, 0.35, 0.4}, 300);
  const std::vector<double> one = numbers(simulated(plan));
  for (const int threads : {2, 3, 4}) {
    plan.threads = threads;
    EXPECT_EQ(numbers(simulated(plan)), one) << threads << " threads";
  }
  plan.one_labeller = true;
  plan.make_labeller = [&] { return make_cpu_labeller(graph, LabellingMethod::parallel, 2); };
  EXPECT_EQ(numbers(simulated(plan)), one) << "one labeller";
  plan.make_labeller = [&] { return make_cpu_labeller(graph, LabellingMethod::breadth_first); };
  EXPECT_EQ(numbers(simulated(plan)), one) << "breadth-first search";
  // Forty values of p are occupied in two parts, and the three are among them.
  std::vector<double> many;
  for (int i = 0; i < 40; ++i) many.push_back(0.25 + 0.005 * i);
  many[10] = 0.3, many[20] = 0.35, many[30] = 0.4;
  plan.p = many;
  const PercolationResult fine = simulated(plan);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(fine.mean(Quantity::mean_size, 10 * (k + 1)), one[k * 2 * percolation_quantities + 8]);
  }
}

TEST(Percolation, CurvesOfOneSampleAscend) {
  const Graph graph = Graph::hypercubic({32, 32});
  std::vector<double> p;
  for (int i = 0; i <= 50; ++i) p.push_back(0.02 * i);
  const PercolationResult result = simulated(plan_of(graph, p, 1));
  for (std::size_t i = 1; i < p.size(); ++i) {
    EXPECT_GE(result.mean(Quantity::largest, i), result.mean(Quantity::largest, i - 1));
    EXPECT_GE(result.mean(Quantity::crossing_any, i), result.mean(Quantity::crossing_any, i - 1));
    EXPECT_LE(result.mean(Quantity::clusters, i), result.mean(Quantity::clusters, i - 1));
  }
  EXPECT_TRUE(std::isnan(result.error(Quantity::largest, 3)));
  EXPECT_EQ(result.mean(Quantity::clusters, 0), 1.0);
  EXPECT_EQ(result.mean(Quantity::clusters, 50), 1.0 / 1024);
  EXPECT_EQ(result.mean(Quantity::crossing_full, 50), 1.0);
}

TEST(Percolation, SizesSeedsAndSamplesHaveOtherWords) {
  const Graph small = Graph::hypercubic({8, 8}), wide = Graph::hypercubic({16, 8}), other = Graph::triangular(8, 8);
  EXPECT_NE(percolation_key(1, small), percolation_key(1, wide));
  EXPECT_NE(percolation_key(1, small), percolation_key(1, other));
  EXPECT_NE(percolation_key(1, small), percolation_key(2, small));
  PercolationPlan plan = plan_of(small, {0.5}, 2);
  EXPECT_GT(simulated(plan).error(Quantity::occupied, 0), 0.0);
}

TEST(Percolation, StopsAndTellsFailures) {
  const Graph graph = Graph::hypercubic({8, 8});
  PercolationControl control;
  control.stop = true;
  EXPECT_EQ(simulate_percolation(plan_of(graph, {0.5}, 100), control).samples(), 0U);

  class Failing final : public Labeller {
    void label(const BondSet&, std::span<Site>) override { throw std::runtime_error("the device is gone"); }
    std::string description() const override { return "failing"; }
  };
  PercolationPlan plan = plan_of(graph, {0.5}, 100);
  plan.threads = 3;
  plan.make_labeller = [] { return std::make_unique<Failing>(); };
  PercolationControl running;
  EXPECT_THROW((void)simulate_percolation(plan, running), std::runtime_error);
}

TEST(Percolation, MeansWithoutABlockAreThoseOfTheOtherSamples) {
  const Graph graph = Graph::hypercubic({8, 8});
  const PercolationResult result = simulated(plan_of(graph, {0.5}, 300));
  ASSERT_EQ(result.blocks(), 128U);
  double sum = 0.0;
  for (std::size_t b = 0; b < result.blocks(); ++b) {
    const double without = result.mean_without(b, Quantity::clusters, 0);
    const std::uint32_t n = static_cast<std::uint32_t>(300 * (b + 1) / 128 - 300 * b / 128);
    sum += 300.0 * result.mean(Quantity::clusters, 0) - (300.0 - n) * without;  // of the block
  }
  EXPECT_NEAR(sum, 300.0 * result.mean(Quantity::clusters, 0), 1e-9);
}

TEST(PercolationThreshold, RootsOfRisingCurves) {
  const std::vector<double> x{0.0, 1.0, 2.0, 3.0, 4.0};
  EXPECT_EQ(rising_root(x, {-2.0, -1.0, 1.0, 2.0, 2.0}), 1.5);
  EXPECT_EQ(rising_root(x, {0.0, -1.0, 1.0, 0.5, 0.0}), 1.5);
  EXPECT_EQ(rising_root(x, {-2.0, 1.0, -1.0, 1.0, 3.0}), 0.5 * (2.0 / 3.0 + 2.5));
  EXPECT_EQ(rising_root(x, {-1.0, 0.0, 1.0, 1.0, 1.0}), 1.0);
  EXPECT_EQ(rising_root(x, {2.0, 1.0, 0.5, 0.2, 0.1}), std::nullopt);
  EXPECT_EQ(rising_root(x, {-2.0, -1.0, -0.5, -0.2, -0.1}), std::nullopt);
  EXPECT_EQ(rising_root(x, {2.0, 1.0, -0.5, -1.0, -2.0}), std::nullopt);
  EXPECT_EQ(rising_root({0.5}, {0.0}), std::nullopt);
}

TEST(PercolationExact, KnownNumbers) {
  const Occupation bonds = Occupation::bonds, sites = Occupation::sites;
  EXPECT_EQ(exact_threshold(Graph::hypercubic({8, 8}), bonds), 0.5);
  EXPECT_EQ(exact_threshold(Graph::hypercubic({8, 8}), sites), std::nullopt);
  EXPECT_EQ(exact_threshold(Graph::hypercubic({8, 8, 8}), bonds), std::nullopt);
  EXPECT_NEAR(*exact_threshold(Graph::triangular(8, 8), bonds), 0.347296355333861, 1e-14);
  EXPECT_EQ(exact_threshold(Graph::triangular(8, 8), sites), 0.5);
  EXPECT_NEAR(*exact_threshold(Graph::honeycomb(8, 8), bonds), 0.652703644666139, 1e-14);
  EXPECT_EQ(exact_threshold(Graph::bethe(5, 2, Numbering::standard), sites), 0.25);
  EXPECT_EQ(bethe_mean_size(3, 0.25, bonds), 2.5);
  EXPECT_EQ(bethe_mean_size(3, 0.5, bonds), std::nullopt);
  EXPECT_DOUBLE_EQ(*bethe_mean_size(4, 0.2, sites), 0.2 * 1.2 / 0.4);
  for (const double p : {0.5001, 0.6, 0.75, 0.9, 1.0}) {
    EXPECT_NEAR(bethe_infinite(3, p, bonds), 1.0 - std::pow((1.0 - p) / p, 3), 1e-12) << p;
  }
  EXPECT_EQ(bethe_infinite(3, 0.4, bonds), 0.0);
  EXPECT_EQ(bethe_infinite(2, 1.0, bonds), 0.0);                  // p_c = 1 is not above the threshold
  const double q = std::sqrt(1.0 + 4.0 * 0.5 / 0.5) / 2.0 - 0.5;  // z = 4, p = 1/2: 1 = q + q^2 without the root q = 1
  EXPECT_NEAR(bethe_infinite(4, 0.5, bonds), 1.0 - std::pow(q, 4), 1e-12);
}

}}  // namespace glassworks
