#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tools/bench/operations.hpp"
#include "tools/bench/report.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { namespace {

TEST(Spread, MedianAndRangeOfOddAndEvenCounts) {
  const Spread odd = spread_of({3.0, 1.0, 2.0});
  EXPECT_EQ(odd.median, 2.0);
  EXPECT_EQ(odd.low, 1.0);
  EXPECT_EQ(odd.high, 3.0);
  EXPECT_EQ(odd.relative(), 1.0);
  EXPECT_EQ(spread_of({4.0, 1.0, 2.0, 8.0}).median, 3.0);
  EXPECT_EQ(spread_of({}).count, 0);
}

TEST(TimeInTurn, RunsEveryJobAndDividesByItsUnits) {
  int calls_a = 0, calls_b = 0;
  const auto spin = [](int& calls) {
    ++calls;
    volatile double x = 0.0;
    for (int i = 0; i < 20000; ++i) x = x + 1.0;
  };
  Timed a{[&] { spin(calls_a); }, 1.0, {}}, b{[&] { spin(calls_b); }, 1e6, {}};
  time_in_turn({&a, &b}, 3, 1e-4, Clock::thread);
  EXPECT_GE(calls_a, 3);
  EXPECT_GE(calls_b, 3);
  EXPECT_EQ(a.nanoseconds_per_unit.count, 3);
  EXPECT_LT(b.nanoseconds_per_unit.median * 100.0, a.nanoseconds_per_unit.median);
}

/// A plain mix of 75.5 ns whose parts take 22 and 85 ns, which vector registers in use had slowed.
TEST(MixOverParts, IsTheMedianOfRepeatsThatBelongTogether) {
  Timed over_relaxation{{}, 1.0, {}, {22.0, 44.0, 22.0}}, heat_bath{{}, 1.0, {}, {85.0, 170.0, 85.0}};
  Timed mix{{}, 1.0, {}, {75.5, 151.0, 300.0}};
  const std::vector<MixPart> parts{{&over_relaxation, 10.0 / 11.0}, {&heat_bath, 1.0 / 11.0}};
  EXPECT_NEAR(mix_over_parts(mix, parts), 75.5 / ((220.0 + 85.0) / 11.0), 1e-12) << "the machine was slower once";
  mix.repeats = {28.0, 56.0, 28.0};
  EXPECT_NEAR(mix_over_parts(mix, parts), 28.0 * 11.0 / 305.0, 1e-12);
  for (const double fine : {0.81, 1.0, 1.24}) EXPECT_FALSE(disagrees(fine)) << fine;
  for (const double wrong : {0.79, 1.26, 2.7, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(disagrees(wrong)) << wrong;
}

TEST(MixOverParts, TablesWarnOnceForASize) {
  UpdateResult update;
  update.L = 8;
  EXPECT_EQ(update_table({update}).find("Warning"), std::string::npos);
  update.scalar_mix_over_parts = 2.7;
  UpdateResult other = update;
  other.isa = InstructionSet::avx2;
  const std::string updates = update_table({update, other});
  const std::string warning = "Warning: L = 8, scalar: the mix takes 2.70 times what its updates take alone";
  ASSERT_NE(updates.find(warning), std::string::npos) << updates;
  EXPECT_EQ(updates.find("Warning", updates.find(warning) + 1), std::string::npos) << updates;
  const ModelResult row{8, "on n=2", "over-relaxation", InstructionSet::avx2, {}, {}, 0.5};
  const std::string models = model_table({row, row});
  EXPECT_NE(models.find("Warning: L = 8, on n=2, over-relaxation, plain: the mix takes 0.50 times"), std::string::npos)
      << models;
}

TEST(GraphTable, HasARatioWhereTheLatticeHasKernelsOfItsOwn) {
  const Spread two{2.0, 2.0, 2.0, 1}, three{3.0, 3.0, 3.0, 1};
  const std::string table = graph_table({{"random-regular z=6", "ising", "heat bath", InstructionSet::avx2, two, {}},
                                         {"cubic as a graph", "ising", "heat bath", InstructionSet::avx2, three, two}});
  EXPECT_NE(table.find("  1.50\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("inf"), std::string::npos) << table;
}

TEST(CountOperations, AgreesWithTheFormulasCountedByHand) {
  const UpdateOperations count = count_operations(3);
  // Local field 18, s.h and h^2 3 each, factor 1, reflection 3.
  EXPECT_EQ(count.over_relaxation.multiply, 18 + 3 + 3 + 1 + 3);
  EXPECT_EQ(count.over_relaxation.add, 1);
  EXPECT_EQ(count.over_relaxation.divide_root, 1);
  // Local field 18, h^2 3, scales 4, exp 11, logarithm 16, cosine 1, sine 1, azimuth 9, vector 2, reflection 7.
  EXPECT_EQ(count.heat_bath.multiply, 18 + 3 + 4 + 11 + 16 + 1 + 1 + 9 + 2 + 7);
  EXPECT_EQ(count.heat_bath.divide_root, 3);
  EXPECT_EQ(count_operations(2).over_relaxation.multiply, 28 - 6);
}

}}  // namespace glassworks
