#include "engine/edge_list_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "tests/engine/config_fixture.hpp"

namespace glassworks {
namespace {

using testing::HasSubstr;

class EdgeListFile : public ConfigTest {
 protected:
  std::string refusal(const std::string& text) const {
    const auto file = write("edges.txt", text);
    return input_error([&] { (void)read_edge_list(file); });
  }
};

TEST_F(EdgeListFile, ReadsPairsAndComments) {
  const Graph g =
      read_edge_list(write("edges.txt", "\xEF\xBB\xBF# a square with a tail\n0 1\n1\t2 # here\n\n 3 2\r\n0,3\n4 0\n"));
  EXPECT_EQ(g.sites(), 5U);
  std::set<std::pair<Site, Site>> pairs;
  g.for_each_bond([&](BondIndex, Site a, Site b) { pairs.insert({std::min(a, b), std::max(a, b)}); });
  EXPECT_EQ(pairs, (std::set<std::pair<Site, Site>>{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}}));
}

TEST_F(EdgeListFile, NamesTheLineThatIsWrong) {
  EXPECT_THAT(refusal("0 1\n1 x\n"), HasSubstr(".txt:2: 'x' is not a site"));
  EXPECT_THAT(refusal("0 1\n1 -2\n"), HasSubstr(":2: '-2' is not a site"));
  EXPECT_THAT(refusal("0 1.5\n"), HasSubstr(":1: '1.5' is not a site"));
  EXPECT_THAT(refusal("0 nan\n"), HasSubstr(":1: 'nan' is not a site"));
  EXPECT_THAT(refusal("0\n"), HasSubstr(":1: a line holds two sites (this one has one)"));
  EXPECT_THAT(refusal("0 1 2\n"), HasSubstr("this one has more"));
  EXPECT_THAT(refusal("0 99999999999999999999999\n"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("0 2147483648\n"), HasSubstr("out of range"));
  EXPECT_THAT(refusal("0 2147483647\n"), HasSubstr("without large gaps"));
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("it has no edge"));
  EXPECT_THAT(refusal("0 1\n" + std::string(1000000, 'x') + "\n"), HasSubstr(":2: a line holds two sites"));
  EXPECT_THAT(refusal("0 " + std::string(1000000, '7') + "\n"), HasSubstr("'7777"));
  EXPECT_THAT(input_error([] { (void)read_edge_list("/no/such/file"); }), HasSubstr("No such file"));
  EXPECT_THAT(input_error([] { (void)read_edge_list("/tmp"); }), HasSubstr("it is a directory"));
}

TEST_F(EdgeListFile, ASlipDoesNotTakeGigabytes) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "0 1\n";
  EXPECT_THAT(refusal(text + "0 10000000\n"), HasSubstr("without large gaps"));
}

}  // namespace
}  // namespace glassworks
