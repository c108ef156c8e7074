#include "analysis/diagnostics/identity_history.hpp"

#include <gtest/gtest.h>

#include "tests/analysis/diagnostics/diagnostics_fixture.hpp"

namespace glassworks { namespace {

/// Rounds in which at slot s U_J = -1 - s - drift/(round + 1) + shift and q_s - q_l is 0.1 (s + 1).
std::vector<RoundRow> history(std::uint32_t rounds, int slots, double drift, double shift) {
  std::vector<RoundRow> all;
  for (std::uint32_t n = 0; n < rounds; ++n) {
    all.push_back(testing::fake_round(n, slots, [&](int slot, const std::string& name) {
      if (name == "bond_energy") return -1.0 - slot - drift / (n + 1.0) + shift;
      if (name == "q_s") return 0.4 + 0.1 * (slot + 1);
      if (name == "link_overlap") return 0.4;
      return 0.0;
    }));
  }
  return all;
}

TEST(IdentityHistory, AveragesBothSidesInBinsThatDouble) {
  const auto size = testing::diagnosed_size({0.5, 1.0, 2.0, 4.0});
  IdentityHistory identity(size);
  for (const std::uint32_t r : {0U, 1U}) {
    identity.add(testing::realization_row(r, 5), history(5, 4, 1.0, r == 0 ? 0.25 : -0.25));
  }
  EXPECT_EQ(identity.slots(), (std::vector<std::size_t>{0, 1, 3}));
  const std::vector<IdentityPoint> points = identity.points(1);  // slot 1, T = 1: z/2 beta (q_s - q_l) = 3 * 0.2
  ASSERT_EQ(points.size(), 3U) << "[0,1), [1,2), [2,4); the fifth round is no whole bin";
  const double drift[] = {1.0, 1.0 / 2.0, (1.0 / 3.0 + 1.0 / 4.0) / 2.0};
  for (std::size_t bin = 0; bin < 3; ++bin) {
    EXPECT_DOUBLE_EQ(points[bin].sweeps, 10.0 * (1U << bin));
    EXPECT_NEAR(points[bin].bond_energy.mean, -2.0 - drift[bin], 1e-12);
    EXPECT_NEAR(points[bin].bond_energy.error, 0.25, 1e-12);
    EXPECT_NEAR(points[bin].other_side.mean, -0.6, 1e-12);
    EXPECT_NEAR(points[bin].difference.mean, -1.4 - drift[bin], 1e-12);
    EXPECT_NEAR(points[bin].difference.error, 0.25, 1e-12);
  }
}

TEST(IdentityHistory, ConvergedRealizationsGoOnWithTheirLastHalfAndRunningOnesDoNot) {
  const auto size = testing::diagnosed_size({1.0});
  IdentityHistory identity(size);
  identity.add(testing::realization_row(0, 2, RealizationStatus::converged), history(2, 1, 0.0, 0.0));
  identity.add(testing::realization_row(1, 4, RealizationStatus::converged), history(4, 1, 0.0, 0.3));
  identity.add(testing::realization_row(2, 2, RealizationStatus::producing), history(2, 1, 0.0, 9.0));
  const std::vector<IdentityPoint> points = identity.points(0);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].difference.realizations, 3);
  EXPECT_EQ(points[2].difference.realizations, 2) << "the running one has no such rounds";
  EXPECT_NEAR(points[2].difference.mean, -0.7 + 0.15, 1e-12);
  EXPECT_EQ(points[2].difference_present.realizations, 1);
  EXPECT_NEAR(points[2].difference_present.mean, -0.7 + 0.3, 1e-12);
}

TEST(IdentityHistory, FiguresShowBothSidesAndTheDifference) {
  const auto size = testing::diagnosed_size({0.5, 1.0});
  IdentityHistory identity(size);
  for (const std::uint32_t r : {0U, 1U}) identity.add(testing::realization_row(r, 4), history(4, 2, 1.0, 0.1 * r));
  const Figure sides = identity.sides_figure(), difference = identity.difference_figure();
  EXPECT_EQ(sides.series.size(), 4U);
  EXPECT_TRUE(sides.x.logarithmic);
  ASSERT_EQ(difference.series.size(), 2U) << "none has ended, so all are those still running";
  EXPECT_EQ(difference.series[0].name, "T = 0.5, all");
  EXPECT_EQ(difference.series[0].x, (std::vector<double>{10.0, 20.0, 40.0}));
  EXPECT_NEAR(difference.series[0].y[0], -1.0 - 1.0 + 0.05 + 3.0 / 0.5 * 0.1, 1e-12);
}

TEST(IdentityHistory, OfIsingSpinsTakesTheEnergyAndOneMinusTheLinkOverlap) {
  Config config = testing::diagnosed_config();
  config.model.spins.kind = ModelKind::ising;
  SizeRow row = testing::size_row({1.0});
  row.observables = {"energy", "energy_of_copy_1", "energy_of_copy_2", "link_overlap"};
  IdentityHistory identity(std::make_shared<const DiagnosedSize>(config, row));
  ASSERT_TRUE(identity.exists());
  RoundRow round = testing::fake_round(0, 1, [](int, const std::string&) { return 0.0; });
  round.record.mean = {-1.5, -1.5, -1.5, 0.6};
  identity.add(testing::realization_row(0, 1), std::vector{round});
  const std::vector<IdentityPoint> points = identity.points(0);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_NEAR(points[0].bond_energy.mean, -1.5, 1e-12);
  EXPECT_NEAR(points[0].other_side.mean, -3.0 * 0.4, 1e-12);
  config.model.field = FieldKind::sphere;
  EXPECT_FALSE(IdentityHistory(std::make_shared<const DiagnosedSize>(config, row)).exists()) << "e holds the field";
}

TEST(IdentityHistory, BelongsToGaussianCouplings) {
  Config config = testing::diagnosed_config();
  config.model.couplings = CouplingKind::bimodal;
  IdentityHistory identity(std::make_shared<const DiagnosedSize>(config, testing::size_row({1.0})));
  identity.add(testing::realization_row(0, 4), history(4, 1, 0.0, 0.0));
  EXPECT_FALSE(identity.exists());
  EXPECT_TRUE(identity.points(0).empty());
}

}}  // namespace glassworks
