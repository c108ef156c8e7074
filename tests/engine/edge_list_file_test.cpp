#include "engine/percolation/edge_list_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class EdgeListFile : public ConfigTest {
 protected:
  auto reading(const std::string& text) const {
    return [=, this] { return read_edge_list(write("edges.txt", text)); };
  }
  auto refuses(InputFault fault) const { return Refuses(fault, (folder_ / "edges.txt").string()); }
};

TEST_F(EdgeListFile, ReadsPairsAndComments) {
  const Graph g =
      read_edge_list(write("edges.txt", "\xEF\xBB\xBF# a square with a tail\n0 1\n1\t2 # here\n\n 3 2\r\n0,3\n4 0\n"));
  EXPECT_EQ(g.sites(), 5U);
  std::set<std::pair<Site, Site>> pairs;
  g.for_each_bond([&](BondIndex, Site a, Site b) { pairs.insert({std::min(a, b), std::max(a, b)}); });
  EXPECT_EQ(pairs, (std::set<std::pair<Site, Site>>{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}}));
}

TEST_F(EdgeListFile, NumbersFromOneWithoutAZeroAndKnowsAHeader) {
  EXPECT_EQ(read_edge_list(write("edges.txt", "1 2\n2 3\n")).sites(), 3U);
  EXPECT_EQ(read_edge_list(write("edges.txt", "6 2 0\n1 2\n2 3\n")).sites(), 6U);
}

/// Its lines are those of any graph file: graph_file_test.cpp.
TEST_F(EdgeListFile, RefusesWhatIsNoListOfPairs) {
  EXPECT_THAT(reading("0 1\n1 x\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 2\n"), refuses(InputFault::unsupported));
  EXPECT_THAT(reading("p qubo 0 2 0 1\n0 1 1\n"), refuses(InputFault::unsupported));
  EXPECT_THAT(reading("0 1\n1 2\n0 1\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("0 1\n1 1\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("# nothing\n"), refuses(InputFault::missing));
  EXPECT_THAT([] { return read_edge_list("/no/such/file"); }, Refuses(InputFault::missing, "/no/such/file"));
}

TEST_F(EdgeListFile, ASlipDoesNotTakeGigabytes) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "0 " + std::to_string(i + 1) + "\n";
  EXPECT_THAT(reading(text + "0 10000000\n"), refuses(InputFault::out_of_range));
}

}}  // namespace glassworks
