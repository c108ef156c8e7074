#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tools/bench/operations.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks {
namespace {

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

}  // namespace
}  // namespace glassworks
