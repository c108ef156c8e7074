#include "engine/graphs/graph_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "engine/graphs/graph_recipe.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

class GraphFile : public ConfigTest {
 protected:
  GivenGraph read(const std::string& text) const { return read_graph_file(write("graph.txt", text)); }
  auto reading(const std::string& text) const {
    return [=, this] { return read(text); };
  }
  auto refuses(InputFault fault) const { return Refuses(fault, (folder_ / "graph.txt").string()); }
};

std::vector<std::pair<int, int>> pairs_of(const GivenGraph& given) {
  std::vector<std::pair<int, int>> pairs;
  for (const GraphBond& bond : given.graph->bonds()) pairs.emplace_back(bond.a, bond.b);
  return pairs;
}
using Pairs = std::vector<std::pair<int, int>>;

/// H of the spins s_i = 2 x_i - 1, where x_i is bit i.
double energy_of(const GivenGraph& given, unsigned x) {
  const auto spin = [&](std::int32_t site) { return ((x >> site) & 1U) != 0U ? 1 : -1; };
  double energy = given.constant;
  for (std::size_t b = 0; b < given.graph->bonds().size(); ++b) {
    const GraphBond bond = given.graph->bonds()[b];
    energy -= (given.couplings.empty() ? 1 : given.couplings[b]) * spin(bond.a) * spin(bond.b);
  }
  for (std::size_t i = 0; i < given.fields.size(); ++i) energy -= given.fields[i] * spin(static_cast<std::int32_t>(i));
  return energy;
}

TEST_F(GraphFile, ReadsListsWithComments) {
  const GivenGraph bare =
      read("\xEF\xBB\xBF# a square with a tail\n0 1\n1\t2 # here\n\n 3 2\r\nc 9 9\n0,3 // there\n% no\n4 0");
  EXPECT_EQ(bare.graph->sites(), 5);
  EXPECT_EQ(pairs_of(bare), (Pairs{{0, 1}, {0, 3}, {0, 4}, {1, 2}, {2, 3}}));
  EXPECT_EQ(bare.format, "edges");
  EXPECT_TRUE(bare.couplings.empty());
  EXPECT_TRUE(bare.fields.empty());
  EXPECT_EQ(bare.first, 0);

  // Couplings follow their bonds into the order of the graph.
  const GivenGraph given = read("3 2 -1.5\n1 2 +2\n1 3 1e-3\n");
  EXPECT_EQ(pairs_of(given), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(given.couplings, (std::vector<double>{2, 1e-3, -1.5}));
  EXPECT_EQ(given.format, "couplings");
  EXPECT_EQ(given.first, 1);
  EXPECT_EQ(given.digest.size(), 32U);
  EXPECT_NE(given.digest, bare.digest);
}

TEST_F(GraphFile, NumbersFromZeroWhereThereIsAZero) {
  EXPECT_EQ(read("1 2\n").graph->sites(), 2);
  EXPECT_EQ(read("2 4\n").graph->sites(), 4) << "sites 1 and 3 have no bonds";
  EXPECT_EQ(pairs_of(read("2 4\n")), (Pairs{{1, 3}}));
  EXPECT_EQ(read("0 4\n").graph->sites(), 5);
  EXPECT_EQ(read("5 2 0\n0 1\n2 3\n").graph->sites(), 5) << "a header";
  EXPECT_EQ(read("5 2 0\n1 2\n2 3\n").first, 1);
  EXPECT_EQ(read("5 2\n2 5\n2 3\n").graph->sites(), 5);
}

TEST_F(GraphFile, KnowsAHeader) {
  const GivenGraph cut = read("5 3 \n1 2 1\n4 2 -1\n5 1 3\n");
  EXPECT_EQ(cut.format, "max-cut");
  EXPECT_EQ(cut.graph->sites(), 5);
  EXPECT_EQ(pairs_of(cut), (Pairs{{0, 1}, {0, 4}, {1, 3}}));
  EXPECT_EQ(cut.couplings, (std::vector<double>{1, 3, -1})) << "no change of sign";
  EXPECT_EQ(pairs_of(read("5 3 0\n1 2 1\n4 2 -1\n5 1 3\n")), pairs_of(cut))
      << "a third number, as in DIMACS torus files";
  EXPECT_EQ(read("6 2 0\n1 2\n2 3\n").graph->sites(), 6);
  EXPECT_EQ(read("4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n").graph->bonds().size(), 5U) << "more edges than nodes";
  EXPECT_EQ(read("3 2\n1 2\n2 3\n").graph->bonds().size(), 2U) << "or a bond that is there twice";
  EXPECT_EQ(read("3 3\n1 2\n2 3\n1 3\n").graph->bonds().size(), 3U) << "or a bond of 3 with itself";
  EXPECT_EQ(read("3 2 1\n1 2 1\n1 3 1\n").graph->bonds().size(), 3U) << "with a coupling it is a bond";
  // As many lines follow, but there is no such site: all three are bonds.
  EXPECT_EQ(pairs_of(read("1 2\n3 4\n4 5\n")), (Pairs{{0, 1}, {2, 3}, {3, 4}}));
  EXPECT_EQ(pairs_of(read("3 2\n1 4\n2 4\n")), (Pairs{{0, 3}, {1, 2}, {1, 3}}));
  EXPECT_EQ(pairs_of(read("7 3\n")), (Pairs{{2, 6}})) << "nothing follows";
}

TEST_F(GraphFile, RefusesHeadersThatDoNotFit) {
  EXPECT_THAT(reading("5 4\n1 2 1\n4 2 -1\n5 1 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("5 2 0\n1 2\n4 2\n5 1\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("4 3\n1 2 1\n4 2 -1\n5 1 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("5 3\n0 2 1\n4 2 -1\n5 1 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("5 12 0\n1 2 1\n4 2 -1\n5 1 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("4 6\n0 1\n1 2\n2 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("5 2\n1 2\n2 3\n"), refuses(InputFault::conflict));  // or a bond
  EXPECT_THAT(reading("3 2\n1 2\n1 3\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("5 3 x\n1 2 1\n4 2 -1\n5 1 3\n"), refuses(InputFault::malformed));
}

/// The torus of 8 x 8 x 8 sites from a public collection is the lattice that is made here.
TEST_F(GraphFile, ReadsATorusOfDimacs) {
  const GivenGraph given =
      read_graph_file(std::filesystem::path(GLASSWORKS_SOURCE_DIR) / "tests/engine/data/toruspm3-8-50.dat");
  EXPECT_EQ(given.format, "max-cut");
  EXPECT_EQ(given.first, 1);
  GraphRecipe recipe{.kind = MadeGraph::hypercubic, .size = 8, .lengths = {}, .open = {}};
  EXPECT_TRUE(std::ranges::equal(given.graph->bonds(), make_graph(recipe, {}, 0).graph.bonds()));
  EXPECT_EQ(given.couplings.size(), 1536U);
  EXPECT_TRUE(std::ranges::all_of(given.couplings, [](double w) { return std::abs(w) == 1; }));
}

/// Each model has the energy of its file in every state of its four variables.
TEST_F(GraphFile, HasTheEnergyOfABinaryModel) {
  const std::string qubo = "c x\np qubo 0 4 2 2\n1 1 -3\n3 3 0.5\n1 2 2\n2 0 -1\n";
  const std::string head = "{\"vartype\": \"BINARY\", \"offset\": 0.25, ";
  const std::string flat = head + "\"linear\": {\"1\": -3, \"3\": 0.5}, \"quadratic\": {\"(1, 2)\": 2, \"2,0\": -1}}";
  const std::string nested =
      head + "\"linear\": [0, -2, 0, 0.5], \"quadratic\": {\"1\": {\"1\": -1, \"2\": 2}, \"0\": {\"2\": -1}}}";
  const std::string serialized =
      "{\"type\": \"BinaryQuadraticModel\", \"version\": {\"bqm_schema\": \"3.0.0\"}, \"use_bytes\": false, "
      "\"variable_labels\": [1, 0, 3, 2], \"variable_type\": \"BINARY\", \"offset\": 0.25, \"info\": {}, "
      "\"linear_biases\": [-3.0, 0.0, 0.5, 0], \"quadratic_biases\": [2.0, -1.0], \"quadratic_head\": [3, 1], "
      "\"quadratic_tail\": [0, 3]}";
  for (const std::string& text : {qubo, flat, nested, serialized}) {
    SCOPED_TRACE(text);
    const GivenGraph given = read(text);
    EXPECT_EQ(given.format, text == qubo ? "qubo" : "qubo-json");
    ASSERT_EQ(given.graph->sites(), 4);
    const double offset = text == qubo ? 0 : 0.25;
    for (unsigned x = 0; x < 16; ++x) {
      const auto bit = [x](int i) { return static_cast<double>((x >> i) & 1U); };
      EXPECT_NEAR(energy_of(given, x), offset - 3 * bit(1) + 0.5 * bit(3) + 2 * bit(1) * bit(2) - bit(2) * bit(0),
                  1e-12);
    }
  }
}

TEST_F(GraphFile, HasTheEnergyOfASpinModel) {
  const std::string simple = "{\"h\": {\"1\": 0.5}, \"J\": {\"1,2\": -1, \"3,2\": 2}, \"offset\": 3}";
  const std::string lists =
      "{\"vartype\": \"SPIN\", \"offset\": 3, \"linear\": {\"1\": 0.5}, \"quadratic\": [[1, 2, -1], [\"2\", 3, 2]]}";
  const std::string serialized =
      "{\"variable_labels\": [1, 2, 3], \"variable_type\": \"SPIN\", \"offset\": 3, \"linear_biases\": [0.5, 0.0, 0], "
      "\"quadratic_biases\": [-1, 2.0], \"quadratic_head\": [0, 1], \"quadratic_tail\": [1, 2]}";
  for (const std::string& text : {simple, lists, serialized}) {
    SCOPED_TRACE(text);
    const GivenGraph given = read(text);
    EXPECT_EQ(given.format, "ising-json");
    EXPECT_EQ(given.first, 1);
    EXPECT_EQ(given.couplings, (std::vector<double>{1, -2}));
    EXPECT_EQ(given.fields, (std::vector<double>{-0.5, 0, 0}));
    EXPECT_EQ(given.constant, 3);
  }
  EXPECT_TRUE(read("{\"J\": {\"0,1\": 1}}").fields.empty());
}

TEST_F(GraphFile, RefusesLinesThatAreNoBonds) {
  EXPECT_THAT(reading("0 1\n1 x\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1\n1 -2\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1.5\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1\n2\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 1\n1 2\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1\n1 2\n2 3 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 1 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 1\n0 2 x\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1 1\n0 2 nan\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1 1\n0 2 -inf\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1 1\n0 2 1e31\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1 1\n0 2 1e999\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1\n0 99999999999999999999999\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1\n0 2147483647\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("2000000000 1 0\n0 1\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("0 1\n2 2\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("0 1 1\n2 2 0.5\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("0 1\n1 2\n# again\n1 0\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("0 1 2\n1 2 2\n1 0 3\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("# nothing\n"), refuses(InputFault::missing));
  EXPECT_THAT(reading(""), refuses(InputFault::missing));
  EXPECT_THAT(reading("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n"),
              refuses(InputFault::unsupported));
  EXPECT_THAT(reading(std::string("0 1\n\0 2\n", 8)), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 1\n" + std::string(1000000, 'x') + "\n"), refuses(InputFault::malformed));
}

TEST_F(GraphFile, RefusesQuboFilesThatDoNotFit) {
  EXPECT_THAT(reading("p qubo 0 2 1 1\n0 0 1\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("p qubo 0 2 0 1\n0 2 1\n"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("p qubo 0 2 0 1\n0 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("p qubo 0 2 0\n0 1 1\n"), refuses(InputFault::unsupported));
  EXPECT_THAT(reading("p edge 2 1\ne 1 2\n"), refuses(InputFault::unsupported));
  EXPECT_THAT(reading("0 1 1\np qubo 0 2 0 1\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("p qubo 0 2 2 1\n0 0 1\n0 1 1\n0 0 2\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("p qubo 0 2 1 0\n0 0 1\n"), refuses(InputFault::missing));
}

TEST_F(GraphFile, RefusesJsonThatIsNoModel) {
  EXPECT_THAT(reading("{\"h\": {},\n\"J\": {\"0,1\": 1}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,1\": NaN}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,1\": 1e999}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,1\": 1e40}}"), refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("{\"J\": {\"0,1\": \"1\"}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,a\": 1}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,-1\": 1}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"01\": 1}}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,0\": 1}}"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("{\"J\": {\"0,1\": 1, \"1,0\": 1}}"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("{\"h\": {\"0\": 1, \"0\": 2}, \"J\": {\"0,1\": 1}}"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("{\"J\": [[0, 1]]}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": [[0, 1.5, 1]]}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": [[0, null, 1]]}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": 3}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"h\": 3}"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"h\": [1, 2]}"), refuses(InputFault::missing));
  EXPECT_THAT(reading("{\"nodes\": []}"), refuses(InputFault::missing));
  EXPECT_THAT(reading("[1, 2]"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"quadratic\": {\"0,1\": 1}}"), refuses(InputFault::missing));
  EXPECT_THAT(reading("{\"vartype\": \"CUBE\", \"quadratic\": {\"0,1\": 1}}"), refuses(InputFault::unsupported));
  EXPECT_THAT(reading("{\"vartype\": \"BINARY\", \"J\": {\"0,1\": 1}}"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("{\"vartype\": \"SPIN\", \"quadratic_head\": \"AAAA\", \"linear_biases\": \"AAAA\"}"),
              refuses(InputFault::malformed));
  const std::string lists = "\"quadratic_tail\": [1], \"quadratic_biases\": [1]}";
  EXPECT_THAT(reading("{\"vartype\": \"SPIN\", \"linear_biases\": [0, 0], \"quadratic_head\": [2], " + lists),
              refuses(InputFault::out_of_range));
  EXPECT_THAT(reading("{\"vartype\": \"SPIN\", \"linear_biases\": [0, 0], \"quadratic_head\": [], " + lists),
              refuses(InputFault::conflict));
  EXPECT_THAT(reading("{\"J\": " + std::string(100000, '[')), refuses(InputFault::malformed));
  EXPECT_THAT(reading("{\"J\": {\"0,2147483647\": 1}}"), refuses(InputFault::out_of_range));
}

TEST_F(GraphFile, RefusesFilesThatCannotBeRead) {
  EXPECT_THAT([] { return read_graph_file("/no/such/file"); }, Refuses(InputFault::missing, "/no/such/file"));
  EXPECT_THAT([] { return read_graph_file("/tmp"); }, Refuses(InputFault::unusable_file, "/tmp"));
  const std::filesystem::path large = write("graph.txt", "0 1\n");
  std::filesystem::resize_file(large, std::uintmax_t{10} << 30);  // takes no place on the disk
  EXPECT_THAT([&] { return read_graph_file(large); }, refuses(InputFault::too_large));
}
}}  // namespace glassworks
