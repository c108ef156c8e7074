#include "kernels/clusters/strips.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "kernels/clusters/labelling.hpp"
#include "kernels/clusters/strip_seams.hpp"
#include "kernels/core/addresses.hpp"
#include "kernels/core/wide_addresses.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/active_words.hpp"
#include "tests/kernels/cluster/bond_patterns.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using Number = unsigned long long;

/// Bonds of the rows of a strip; those that leave its last row are left out.
BondSet bonds_of_strip(const Graph& graph, const BondSet& bonds, const Strip& strip, const Graph& own) {
  BondSet set(own);
  const Site first = static_cast<Site>(strip.first_row) * static_cast<Site>(graph.extents()[0]);
  own.for_each_bond([&](BondIndex b, Site site, Site) {
    const BondIndex axis = b / own.stride();
    const bool leaves = axis == 1 && site >= own.sites() - static_cast<Site>(own.extents()[0]);
    if (!leaves && bonds.active(axis * graph.stride() + first + site)) set.activate(b);
  });
  return set;
}

/// Labels of a whole lattice from those of its strips and their seams, by the steps that a device takes.
std::vector<Number> sewn_labels(const Graph& graph, const BondSet& bonds, int count) {
  const auto width = static_cast<Site>(graph.extents()[0]);
  const SeamLayout layout(width);
  const auto strips = plan_strips(width, static_cast<std::uint64_t>(graph.extents()[1]), 1, count);
  std::vector<std::uint32_t> rows(strips.size() * layout.words(), 0U), parent(strips.size() * layout.nodes());
  std::vector<Number> origins, smallest(parent.size());
  for (const Strip& strip : strips) origins.push_back(strip.first_row * width);
  const Seams seams{layout,
                    static_cast<std::uint32_t>(strips.size()),
                    graph.boundary() == Boundary::periodic,
                    rows.data(),
                    origins.data(),
                    parent.data(),
                    smallest.data()};
  std::vector<std::vector<Site>> labels;
  for (std::uint32_t s = 0; s < seams.strips; ++s) {
    const Strip& strip = strips[s];
    const Graph own = Graph::hypercubic({graph.extents()[0], static_cast<int>(strip.rows)}, graph.boundary());
    const auto found = labels.emplace(labels.end(), own.sites());
    make_cpu_labeller(own, LabellingMethod::union_find)->label(bonds_of_strip(graph, bonds, strip, own), *found);
    const SeamRows of_strip = seams.rows_of(s);
    std::fill_n(of_strip.words, layout.places(), SeamLayout::empty);
    for (Site x = 0; x < width; ++x) {
      const Site last = own.sites() - width + x;
      of_strip.put(x, (*found)[x], (*found)[last]);
      if (bonds.active(graph.stride() + origins[s] + last)) {
        of_strip.words[layout.cut() + x / 32] |= 1U << (x % 32);
      }
    }
  }
  for (std::uint32_t i = 0; i < seams.nodes(); ++i) seams.begin(i);
  for (std::uint32_t cut = 0; cut < seams.cuts(); ++cut) {
    for (Site x = 0; x < width; ++x) seams.join(cut, x);
  }
  for (std::uint32_t i = 0; i < seams.nodes(); ++i) seams.lower(i);
  std::vector<Number> whole;
  for (std::uint32_t s = 0; s < seams.strips; ++s) {
    std::map<Site, Number> root;
    for (std::uint32_t node = 0; node < layout.nodes(); ++node) {
      const Site own = seams.rows_of(s).root_of(node);
      if (own != SeamLayout::empty) root[own] = seams.canonical(s * layout.nodes() + node);
    }
    for (const Site label : labels[s]) {
      const auto sewn = root.find(label);
      whole.push_back(sewn != root.end() ? sewn->second : origins[s] + label);
    }
  }
  return whole;
}

TEST(Strips, SewnLabelsAreThoseOfTheWholeLattice) {
  const std::vector<Graph> graphs = {Graph::hypercubic({32, 22}), Graph::hypercubic({96, 40}),
                                     Graph::hypercubic({64, 30}, Boundary::open)};
  for (const Graph& graph : graphs) {
    auto patterns = test::bond_patterns(graph, 3);
    for (const double p : {0.1, 0.4, 0.5, 0.55, 0.7}) {
      patterns.emplace_back("p = " + std::to_string(p), test::random_bonds(graph, p, 9));
    }
    for (const auto& [name, bonds] : patterns) {
      std::vector<Site> expected(graph.sites());
      make_cpu_labeller(graph, LabellingMethod::breadth_first)->label(bonds, expected);
      for (const int count : {1, 2, 3, 5}) {
        const std::vector<Number> found = sewn_labels(graph, bonds, count);
        std::size_t wrong = 0;
        for (Site i = 0; i < graph.sites(); ++i) wrong += found[i] != expected[i] ? 1 : 0;
        ASSERT_EQ(wrong, 0U) << graph.description() << ", " << name << ", " << count << " strips";
      }
    }
  }
}

TEST(Strips, ArePlannedForDevicesOfAnyNumber) {
  struct Case {
    std::uint64_t width, height;
    int devices, wanted;
    std::size_t count;
  };
  for (const Case& c : std::vector<Case>{{32, 32, 1, 0, 1},
                                         {32, 34, 1, 5, 5},
                                         {96, 96, 2, 3, 3},
                                         {65536, 65536, 1, 0, 3},
                                         {65536, 65536, 2, 0, 4},
                                         {131072, 131072, 2, 0, 10},
                                         {131072, 131072, 4, 0, 12},
                                         {131072, 131072, 1, 0, 9},
                                         {262144, 262144, 4, 0, 36}}) {
    const auto strips = plan_strips(c.width, c.height, c.devices, c.wanted);
    ASSERT_EQ(strips.size(), c.count);
    std::uint64_t row = 0;
    std::vector<int> of_device(static_cast<std::size_t>(c.devices), 0);
    for (std::size_t s = 0; s < strips.size(); ++s) {
      EXPECT_EQ(strips[s].first_row, row);
      EXPECT_EQ(strips[s].rows % 2, 0U);
      EXPECT_GE(strips[s].rows, 2U);
      EXPECT_LT(c.width * strips[s].rows, sites_of_strip_below);
      EXPECT_GE(strips[s].device, strips[s > 0 ? s - 1 : 0].device);
      row += strips[s].rows;
      ++of_device[static_cast<std::size_t>(strips[s].device)];
    }
    EXPECT_EQ(row, c.height);
    for (const int count : of_device) EXPECT_GE(count, 1);
    EXPECT_LE(of_device.back() - of_device.front(), c.wanted == 0 ? 0 : 1);
  }
}

TEST(Strips, RefusesWhatCannotBeCut) {
  const auto refused = [] { return Fails<std::runtime_error>(); };
  EXPECT_THAT(([] { return plan_strips(48, 48, 1); }), refused());
  EXPECT_THAT(([] { return plan_strips(64, 63, 1); }), refused());
  EXPECT_THAT(([] { return plan_strips(64, 64, 0); }), refused());
  EXPECT_THAT(([] { return plan_strips(64, 64, 1, 33); }), refused());
  EXPECT_THAT(([] { return plan_strips(64, 64, 3, 2); }), refused());
  EXPECT_THAT(([] { return plan_strips(64, 4, 3); }), refused());
  EXPECT_THAT(([] { return plan_strips(65536, 65536, 1, 2); }), refused());
}

TEST(WideAddresses, AreThoseOfSmallLatticesAndGoOnBeyondThem) {
  const Lattice lattice{2, 96};
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    const WideBlock wide(
        7, square_bond_block(96, static_cast<std::uint32_t>(site % 96), static_cast<std::uint64_t>(site / 96)));
    EXPECT_EQ(wide.sweep, 7U);
    EXPECT_EQ(wide.index, bond_address(lattice, site, 0).block);
    const auto root = static_cast<std::uint32_t>(site);
    EXPECT_EQ(root / coins_of_block, reflection_coin_address(root).block);
    EXPECT_EQ(root / states_of_block, new_state_address(root).block);
    EXPECT_EQ(root / states_of_block, initial_state_address(root).block);
  }
  // The last row of 131072^2: block 131071 + 131072 * 65535 = 2^33 - 1.
  const WideBlock last(7, square_bond_block(131072, 131071, 131071));
  EXPECT_EQ(last.sweep, 7 + (std::uint64_t{1} << 32));
  EXPECT_EQ(last.index, 0xFFFFFFFFU);
  const RandomBlock wide = random_block(PhiloxKey{1, 2}, Stream::bonds, 3, 4, last);
  const RandomBlock plain = random_block(PhiloxKey{1, 2}, Stream::bonds, 3, 4, last.sweep, last.index);
  EXPECT_EQ(wide.word[0], plain.word[0]);
  EXPECT_NE(wide.word[0], random_block(PhiloxKey{1, 2}, Stream::bonds, 3, 4, 7, last.index).word[0]);
}

TEST(ActiveWords, AreThoseThatActivateABond) {
  for (const float exponent : {-1e-9F, -0.01F, -0.5F, -0.8813736F, -1.00505F, -4.0F, -12.0F, -16.0F}) {
    const std::uint32_t words = active_words(exponent);
    ASSERT_LT(words, 0xFFFFFFFFU);
    for (const std::uint32_t beyond : {0U, 1U, 511U, 512U, 1000U}) {
      EXPECT_FALSE(exact::is_active(exponent, words + std::min(beyond, ~words))) << exponent;
      if (beyond >= words) continue;
      EXPECT_TRUE(exact::is_active(exponent, words - 1 - beyond)) << exponent;
    }
  }
  EXPECT_EQ(active_words(0.0F), 0U);
  EXPECT_THAT(([] { return active_words(-20.0F); }), Fails<std::invalid_argument>());
}

}}  // namespace glassworks
