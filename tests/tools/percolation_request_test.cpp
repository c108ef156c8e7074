#include "tools/glassworks/percolation/percolation_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::ElementsAre;

const VerbSyntax syntax{.verb = "percolate",
                        .operand = "",
                        .meaning = "percolation",
                        .options = {{"graph", "NAME", ""},
                                    {"size", "L", "", false, true},
                                    {"p", "LIST", "", true},
                                    {"samples", "N", ""},
                                    {"sites", "", ""},
                                    {"open", "", ""},
                                    {"generations", "G", "", false, true},
                                    {"z", "Z", ""},
                                    {"numbering", "NAME", ""},
                                    {"edges", "FILE", ""},
                                    {"csv", "FILE", ""},
                                    {"plot", "FILE", ""},
                                    {"backend", "NAME", ""},
                                    {"seed", "N", ""}}};

PercolationRequest request_of(const Arguments& arguments) {
  return percolation_request(parse_arguments(syntax, arguments));
}

auto requesting(const Arguments& arguments) {
  return [=] { return request_of(arguments); };
}

TEST(PercolationRequest, ValuesAndRangesOfP) {
  EXPECT_THAT(probabilities("0.5"), ElementsAre(0.5));
  EXPECT_THAT(probabilities("0.48:0.486:0.002"), ElementsAre(0.48, 0.482, 0.484, 0.486));
  EXPECT_THAT(probabilities("0.6,0:1:0.5,0.5,0.1"), ElementsAre(0.0, 0.1, 0.5, 0.6, 1.0));
  EXPECT_THAT(probabilities("0.1:0.1:0.3"), ElementsAre(0.1));
  EXPECT_THAT(probabilities("0.1:0.25:0.1"), ElementsAre(0.1, 0.2));
  for (const char* text : {"", "x", "1.1", "-0.1", "nan", "0.1:0.2", "0.1:0.2:0.1:0.1", "0.2:0.1:0.05", "0.1:0.2:0",
                           "0:1:0.00001", "0.1,,0.2", "0.1 "}) {
    EXPECT_THROW((void)probabilities(text), InputError) << text;
  }
  EXPECT_THAT([] { return probabilities("0.3,1.5"); }, Refuses(InputFault::out_of_range, "--p"));
}

TEST(PercolationRequest, LatticesInOrderOfTheirSizes) {
  const PercolationRequest r =
      request_of({"--graph", "square", "--size", "64,16", "--size=8x12", "--p", "0.5", "--open", "--sites"});
  ASSERT_EQ(r.graphs.size(), 3U);
  EXPECT_THAT(r.names, ElementsAre("8 x 12", "L = 16", "L = 64"));
  EXPECT_EQ(r.graphs[0].description(), "square 8 x 12, open");
  EXPECT_EQ(r.occupation, Occupation::sites);
  EXPECT_EQ(r.samples, 100U);
  EXPECT_EQ(request_of({"--graph=cubic", "--size=5", "--p=1"}).graphs[0].description(), "cubic 5 x 5 x 5, periodic");
  EXPECT_EQ(request_of({"--graph=4d", "--size=3", "--p=1"}).graphs[0].dim(), 4);
  EXPECT_EQ(request_of({"--graph=chain", "--size=9", "--p=1"}).graphs[0].dim(), 1);
  EXPECT_EQ(request_of({"--graph=honeycomb", "--size=8x6", "--p=1"}).graphs[0].kind(), GraphKind::honeycomb);
}

TEST(PercolationRequest, BetheLattices) {
  const PercolationRequest r = request_of(
      {"--graph=bethe", "--generations=5", "--generations=3", "--z=4", "--numbering=random", "--seed=7", "--p=0.3"});
  EXPECT_THAT(r.names, ElementsAre("3 generations", "5 generations"));
  EXPECT_EQ(r.graphs[1].description(), "Bethe z = 4, 5 generations, random numbering");
  EXPECT_NE(r.graphs[1].centre(), 0U);
  EXPECT_EQ(r.seed, 7U);
}

TEST(PercolationRequest, RefusesWhatCannotBe) {
  const std::string square = "--graph=square", size = "--size=8", p = "--p=0.5";
  EXPECT_THAT(requesting({p}), Refuses(InputFault::unknown, "--graph"));
  EXPECT_THAT(requesting({"--graph=kagome", size, p}), Refuses(InputFault::unknown, "--graph"));
  EXPECT_THAT(requesting({square, size}), Refuses(InputFault::missing, "--p"));
  EXPECT_THAT(requesting({square, p}), Refuses(InputFault::missing, "--size"));
  EXPECT_THAT(requesting({square, "--size=x", p}), Refuses(InputFault::malformed, "--size"));
  EXPECT_THAT(requesting({square, "--size=8x8x8", p}), Refuses(InputFault::conflict, "--size"));
  EXPECT_THAT(requesting({square, "--size=2", p}), Refuses(InputFault::out_of_range, "--graph"));
  EXPECT_THAT(requesting({square, "--size=8,8", p}), Refuses(InputFault::repeated, "L = 8"));
  EXPECT_THAT(requesting({square, size, p, "--z=3"}), Refuses(InputFault::conflict, "--z"));
  EXPECT_THAT(requesting({square, size, p, "--samples=0"}), Refuses(InputFault::out_of_range, "--samples"));
  EXPECT_THAT(requesting({square, size, p, "--seed=-1"}), Refuses(InputFault::malformed, "--seed"));
  EXPECT_THAT(requesting({square, size, p, "--backend=gpu"}), Refuses(InputFault::unknown, "--backend"));
  EXPECT_THAT(requesting({square, size, p, "--csv=/no/such/directory/file.csv"}),
              Refuses(InputFault::unusable_file, "--csv"));
  EXPECT_THAT(requesting({square, size, p, "--plot=figure.gif"}), Refuses(InputFault::unknown, "--plot"));
  EXPECT_THAT(requesting({"--graph=honeycomb", "--size=9", p}), Refuses(InputFault::out_of_range, "--graph"));
  EXPECT_THAT(requesting({"--graph=bethe", p}), Refuses(InputFault::missing, "--generations"));
  EXPECT_THAT(requesting({"--graph=bethe", "--generations=3", size, p}), Refuses(InputFault::conflict, "--size"));
  EXPECT_THAT(requesting({"--graph=bethe", "--generations=3", "--numbering=other", p}),
              Refuses(InputFault::unknown, "--numbering"));
  EXPECT_THAT(requesting({"--graph=bethe", "--generations=40", p}), Refuses(InputFault::out_of_range, "--graph"));
  EXPECT_THAT(requesting({"--edges=/no/such/file", p}), Refuses(InputFault::missing, "/no/such/file"));
  EXPECT_THAT(requesting({"--edges=/no/such/file", square, p}), Refuses(InputFault::conflict, "--graph"));
  EXPECT_THAT(requesting({square, size, p, "DIR"}), Refuses(InputFault::unknown, "DIR"));
}

}}  // namespace glassworks
