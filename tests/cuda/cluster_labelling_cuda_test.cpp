#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/clusters/labelling.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/bond_patterns.hpp"
#include "tests/message_of.hpp"

namespace glassworks { namespace {

class ClusterLabelling : public test::OnDevice {
 protected:
  /// Labels of a GPU method against breadth-first search, twice with the same labeller, on all patterns.
  static void expect_labels_of_the_oracle(const Graph& graph, LabellingMethod method,
                                          const std::vector<test::BondPattern>& patterns) {
    const auto oracle = make_cpu_labeller(graph, LabellingMethod::breadth_first);
    const auto labeller = make_cuda_labeller(graph, method);
    std::vector<Site> expected(graph.sites()), found(graph.sites());
    for (const auto& [name, bonds] : patterns) {
      oracle->label(bonds, expected);
      for (int again = 0; again < 2; ++again) {
        std::fill(found.begin(), found.end(), 0xDEADBEEFU);
        labeller->label(bonds, found);
        const auto wrong = std::mismatch(expected.begin(), expected.end(), found.begin());
        ASSERT_EQ(wrong.first, expected.end())
            << labeller->description() << ", " << graph.description() << ", " << name << ": site "
            << wrong.first - expected.begin() << " has " << *wrong.second << ", not " << *wrong.first;
      }
    }
  }

  static void expect_labels_of_the_oracle(const Graph& graph) {
    const auto patterns = test::bond_patterns(graph, 1);
    for (const LabellingMethod method : cuda_labelling_methods(graph)) {
      expect_labels_of_the_oracle(graph, method, patterns);
      if (HasFatalFailure()) return;
    }
  }

  static void expect_labels_of_the_oracle(const std::vector<Graph>& graphs) {
    for (const Graph& graph : graphs) {
      expect_labels_of_the_oracle(graph);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(ClusterLabelling, ChainsAndSquareLattices) {
  expect_labels_of_the_oracle({Graph::hypercubic({3}), Graph::hypercubic({1025}), Graph::hypercubic({70000}),
                               Graph::hypercubic({3, 3}), Graph::hypercubic({31, 33}), Graph::hypercubic({32, 64}),
                               Graph::hypercubic({257, 263}), Graph::hypercubic({130, 67}, Boundary::open),
                               Graph::hypercubic({2, 2}, Boundary::open), Graph::hypercubic({512, 1024})});
}

TEST_F(ClusterLabelling, TriangularAndHoneycombLattices) {
  expect_labels_of_the_oracle({Graph::triangular(3, 3), Graph::triangular(37, 129), Graph::triangular(256, 192),
                               Graph::triangular(261, 259), Graph::triangular(70, 66, Boundary::open),
                               Graph::honeycomb(4, 4), Graph::honeycomb(34, 130), Graph::honeycomb(258, 260),
                               Graph::honeycomb(131, 65, Boundary::open)});
}

TEST_F(ClusterLabelling, LatticesOfThreeAndFourDimensions) {
  expect_labels_of_the_oracle({Graph::hypercubic({3, 3, 3}), Graph::hypercubic({5, 7, 3}),
                               Graph::hypercubic({64, 32, 32}), Graph::hypercubic({65, 33, 31}),
                               Graph::hypercubic({33, 18, 20}, Boundary::open), Graph::hypercubic({3, 5, 4, 3}),
                               Graph::hypercubic({28, 28, 28, 28}), Graph::hypercubic({33, 9, 17, 6}),
                               Graph::hypercubic({10, 11, 9, 5}, Boundary::open)});
}

TEST_F(ClusterLabelling, BetheLatticesAndEdgeLists) {
  expect_labels_of_the_oracle({Graph::bethe(3, 7, Numbering::standard), Graph::bethe(3, 15, Numbering::standard),
                               Graph::bethe(3, 15, Numbering::random, 9), Graph::bethe(5, 7, Numbering::random, 6),
                               Graph::from_edges(1, {}),
                               Graph::from_edges(12, {{0, 7}, {7, 3}, {11, 2}, {2, 5}, {5, 11}, {9, 10}, {3, 10}})});
}

/// Labellings made one by one from 0 on until there is none, against breadth-first search on all patterns.
void expect_labels_of_all(const Graph& graph, const std::function<std::unique_ptr<DeviceLabelling>(int)>& make) {
  const auto oracle = make_cpu_labeller(graph, LabellingMethod::breadth_first);
  DeviceBuffer<std::uint32_t> bonds;
  DeviceBuffer<Site> labels;
  bonds.reserve(device_bond_words(graph));
  labels.reserve(graph.sites());
  std::vector<Site> expected(graph.sites()), found(graph.sites());
  for (int variant = 0;; ++variant) {
    const auto labelling = make(variant);
    if (labelling == nullptr) break;
    for (const auto& [name, set] : test::bond_patterns(graph, 3)) {
      oracle->label(set, expected);
      check_cuda(cudaMemcpy(bonds.data(), set.words().data(), 4 * set.words().size(), cudaMemcpyHostToDevice), "test");
      labelling->enqueue(bonds.data(), labels.data(), nullptr);
      check_cuda(cudaMemcpy(found.data(), labels.data(), 4 * found.size(), cudaMemcpyDeviceToHost), "test");
      ASSERT_TRUE(found == expected) << graph.description() << ", " << name << ", variant " << variant;
    }
  }
}

/// Shapes of tiles that are not the preferred ones.
TEST_F(ClusterLabelling, EveryShapeOfTiles) {
  for (const Graph& graph : {Graph::hypercubic({259, 130}), Graph::triangular(259, 130), Graph::honeycomb(128, 256),
                             Graph::hypercubic({66, 33, 40}), Graph::hypercubic({34, 10, 9, 12})}) {
    expect_labels_of_all(graph, [&](int variant) { return make_tile_labelling(graph, variant); });
    if (HasFatalFailure()) return;
  }
}

/// The methods of Weigel 2011 with every edge of the tiles, which the lattices are no multiples of, or smaller than.
TEST_F(ClusterLabelling, EveryEdgeOfSquareTiles) {
  using M = LabellingMethod;
  for (const Graph& graph : {Graph::hypercubic({3, 3}), Graph::hypercubic({19, 33}), Graph::hypercubic({64, 128}),
                             Graph::hypercubic({131, 67}, Boundary::open)}) {
    for (const M method :
         {M::bfs_relaxation, M::bfs_sewing, M::union_relaxation, M::union_sewing, M::self_relaxation, M::self_sewing}) {
      expect_labels_of_all(graph, [&](int variant) {
        const auto edge = static_cast<std::size_t>(variant);
        return edge == std::size(square_tile_edges) ? nullptr
                                                    : make_square_labelling(graph, method, square_tile_edges[edge]);
      });
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_THROW((void)make_square_labelling(Graph::hypercubic({9, 9}), M::self_sewing, 5), std::invalid_argument);
}

/// One pass finds nothing; a cluster across the tiles needs another one at least.
TEST_F(ClusterLabelling, CountsThePasses) {
  const Graph graph = Graph::hypercubic({64, 64});
  DeviceBuffer<std::uint32_t> bonds;
  DeviceBuffer<Site> labels;
  bonds.reserve(device_bond_words(graph));
  labels.reserve(graph.sites());
  const auto sewing = make_device_labelling(graph, LabellingMethod::self_sewing);
  for (const LabellingMethod method : {LabellingMethod::self_relaxation, LabellingMethod::label_equivalence}) {
    for (const bool full : {false, true}) {
      const BondSet set = full ? test::full_bonds(graph) : BondSet(graph);
      check_cuda(cudaMemcpy(bonds.data(), set.words().data(), 4 * set.words().size(), cudaMemcpyHostToDevice), "test");
      const auto labelling = make_device_labelling(graph, method);
      EXPECT_EQ(labelling->passes(), 0.0);
      for (int i = 0; i < 3; ++i) labelling->enqueue(bonds.data(), labels.data(), nullptr);
      EXPECT_THAT(labelling->passes(), full ? testing::Matcher<double>(testing::Ge(2.0)) : testing::Eq(1.0));
    }
  }
  sewing->enqueue(bonds.data(), labels.data(), nullptr);
  EXPECT_EQ(sewing->passes(), 0.0);
}

std::vector<test::BondPattern> critical(const Graph& graph) {
  return {{"critical", test::random_bonds(graph, test::critical_p(graph), 5)}};
}

/// 2^24 sites of every lattice with the sizes of the benchmark.
TEST_F(ClusterLabelling, SixteenMillionSites) {
  for (const Graph& graph : {Graph::honeycomb(4096, 4096), Graph::triangular(4096, 4096),
                             Graph::hypercubic({256, 256, 256}), Graph::hypercubic({64, 64, 64, 64})}) {
    expect_labels_of_the_oracle(graph, LabellingMethod::tiles, critical(graph));
    if (HasFatalFailure()) return;
  }
}

TEST_F(ClusterLabelling, SixtySevenMillionSites) {
  const Graph graph = Graph::hypercubic({8192, 8192});
  const auto patterns = critical(graph);
  for (const LabellingMethod method : {LabellingMethod::tiles, LabellingMethod::direct}) {
    expect_labels_of_the_oracle(graph, method, patterns);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ClusterLabelling, RefusesWhatAMethodDoesNotKnow) {
  const Graph tree = Graph::bethe(3, 3, Numbering::standard);
  const std::string message = message_of([&] { (void)make_cuda_labeller(tree, LabellingMethod::self_sewing); });
  EXPECT_THAT(message, testing::HasSubstr("it does not support this graph"));
  EXPECT_THAT(message_of([&] { (void)make_cuda_labeller(tree, LabellingMethod::direct, 99); }),
              testing::HasSubstr("CUDA device 99 cannot be used"));
}

}}  // namespace glassworks
