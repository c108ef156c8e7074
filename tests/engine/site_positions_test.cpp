#include "engine/graphs/site_positions.hpp"

#include <cmath>
#include <numbers>

#include "tests/engine/config_fixture.hpp"

/// Positions of the sites of a graph from a file: the file itself, and the planes that follow from it.
namespace glassworks { namespace {

class SitePositions : public RefusedConfigTest {
 protected:
  [[nodiscard]] std::vector<GraphAxis> axes(const std::vector<std::array<double, 3>>& at,
                                            const std::vector<double>& periods = {}) const {
    return axes_of_positions(file_, {at, {}}, periods);
  }
  [[nodiscard]] auto axes_later(const std::vector<std::array<double, 3>>& at,
                                const std::vector<double>& periods) const {
    return [=, this] { return axes(at, periods); };
  }
  const std::filesystem::path file_ = "p.txt";
};

TEST_F(SitePositions, AreThoseOfAllSites) {
  const GivenPositions positions = read_positions_file(write("p.txt", "# ring\n2 0 1 0\n1 1 0 -0.5\n3 2 2 2\n"), 3);
  EXPECT_EQ(positions.at, (std::vector<std::array<double, 3>>{{1, 0, -0.5}, {0, 1, 0}, {2, 2, 2}}));
  EXPECT_EQ(positions.digest.size(), 32U);
  EXPECT_EQ(read_positions_file(write("p.txt", "0 0 1 0\n1 1 0 0\n"), 2).at[0][1], 1);
  const auto reading = [&](const std::string& text) {
    return [=, this] { return read_positions_file(write("graph.txt", text), 2); };
  };
  const auto refuses = [&](InputFault fault) { return Refuses(fault, (folder_ / "graph.txt").string()); };
  EXPECT_THAT(reading("0 0 1 0\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading(""), refuses(InputFault::conflict));
  EXPECT_THAT(reading("0 0 1 0\n2 0 0 0\n"), refuses(InputFault::conflict));
  EXPECT_THAT(reading("0 0 1 0\n0 0 0 0\n"), refuses(InputFault::repeated));
  EXPECT_THAT(reading("0 0 1\n"), refuses(InputFault::malformed));
  EXPECT_THAT(reading("0 0 1 inf\n"), refuses(InputFault::out_of_range));
}

TEST_F(SitePositions, EquallySpacedSitesHavePlanesOfTheirOwn) {
  const std::vector<GraphAxis> ring = axes({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {4, 0, 0}, {3, 0, 0}});
  EXPECT_EQ(ring, (std::vector<GraphAxis>{{5, {0, 1, 2, 4, 3}}}));
  EXPECT_EQ(axes({{-1, 7, 0}, {1, 7, 0}, {3, 7, 0}}), (std::vector<GraphAxis>{{3, {0, 1, 2}}})) << "distance 2";
  // Half distances along y make the planes of both axes finer; the longer axis has more of them.
  const std::vector<GraphAxis> two = axes({{0, 0, 0}, {1, 0.5, 0}, {2, 1, 0}, {3, 1.5, 0}});
  EXPECT_EQ(two, (std::vector<GraphAxis>{{8, {0, 2, 4, 6}}, {4, {0, 1, 2, 3}}}));
  EXPECT_EQ(axes({{0, 0, 0}, {1, 0, 0}}, {6.0}), (std::vector<GraphAxis>{{6, {0, 1}}}));
  EXPECT_EQ(axes({{0.2, 0, 0}, {6.7, 0, 0}, {0.7, 0, 0}}, {6.0}), (std::vector<GraphAxis>{{12, {0, 1, 1}}}))
      << "closed";
}

/// The phases of any positions are right to pi/1024.
TEST_F(SitePositions, OthersAreRoundedToPlanes) {
  std::vector<std::array<double, 3>> at;
  for (int i = 0; i < 40; ++i) at.push_back({std::fmod(i * 2.718281828, 9.3), std::fmod(i * 1.41421356, 3.1), 1.0});
  const std::vector<GraphAxis> found = axes(at, {9.3, 3.1});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].planes, 1024);
  EXPECT_EQ(found[1].planes, 341) << "as many for each unit of length";
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double period = axis == 0 ? 9.3 : 3.1;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double turns =
          (at[i][axis] - at[0][axis]) / period - static_cast<double>(found[axis].plane[i]) / found[axis].planes;
      EXPECT_LE(std::abs(turns - std::round(turns)), 0.5 / found[axis].planes + 1e-9);
    }
  }
}

TEST_F(SitePositions, WhatDoesNotFitIsRefused) {
  EXPECT_THAT(axes_later({{1, 1, 1}, {1, 1, 1}}, {}), Refuses(InputFault::conflict, "p.txt"));
  EXPECT_THAT(axes_later({{0, 0, 0}, {1, 0, 0}, {2.3, 0, 0}}, {}), Refuses(InputFault::missing, "p.txt"));
  EXPECT_THAT(axes_later({{0, 0, 0}, {1, 0, 0}}, {4, 4}), Refuses(InputFault::conflict, "model.periods"));
}

TEST_F(SitePositions, GiveACampaignItsSmallestWaveVector) {
  write("edges.txt", "0 1\n1 2\n2 3\n3 0\n");
  write("p.txt", "0 0 0 0\n1 1 0 0\n2 2 0 0\n3 3 0 0\n");
  const std::string text = "[model]\ntype = ising\n[disorder]\nrealizations = 2\n[ladder]\ntemperatures = 1, 1.2\n";
  const auto loaded = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"model.lattice=graph", "model.graph=edges.txt"});
    return load(text, more);
  };
  EXPECT_FALSE(loaded({}).model.has_positions());
  const Config config = loaded({"model.positions=p.txt"});
  EXPECT_TRUE(config.model.has_positions());
  EXPECT_EQ(config.lattice(4).length(0), 4);
  EXPECT_EQ(make_disorder(config, config.lattice(4), 0).graph->axes(), (std::vector<GraphAxis>{{4, {0, 1, 2, 3}}}));
  EXPECT_EQ(loaded({"model.positions=p.txt", "model.periods=8"}).lattice(4).length(0), 8);
  const std::string stored = canonical_text(config);
  write("p.txt", "0 0 0 0\n1 1 0 0\n2 2 0 0\n3 4 0 0\n");
  EXPECT_THAT([&] { return make_disorder(parse_config(stored), config.lattice(4), 0); },
              Refuses(InputFault::changed, (folder_ / "p.txt").string()));
  std::filesystem::remove(folder_ / "p.txt");
  EXPECT_EQ(parse_config(stored).lattice(4).length(0), 4) << "a campaign can be looked at without its file";
  EXPECT_TRUE(parse_config(stored).model.has_positions());
  EXPECT_THAT([&] { return loaded({"model.periods=8"}); }, Refuses(InputFault::conflict, "model.periods"));
  EXPECT_THAT(
      [&] {
        return load(text, {"model.L=8", "model.positions=p.txt"});
      },
      Refuses(InputFault::conflict, "model.positions"));
}

}}  // namespace glassworks
