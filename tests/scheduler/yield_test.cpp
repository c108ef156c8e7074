#include <gtest/gtest.h>

#include <vector>

#include "scheduler/campaign/work_order.hpp"
#include "tests/scheduler/work_rows.hpp"

/// When a worker gives back what it holds: WorkOrder::prefers_others.
namespace glassworks { namespace {

using testing::config;
using testing::row;

class Yield : public ::testing::Test {
 protected:
  WorkOrder order_{config, {{4, 1.0}, {8, 100.0}}};

  [[nodiscard]] bool yields(const RealizationRow& held, bool shrunk = false) {
    order_.update(held, false);
    return order_.prefers_others({held}, shrunk);
  }
};

TEST_F(Yield, NotWhereNothingIsFree) {
  EXPECT_FALSE(order_.prefers_others({}, true));
  EXPECT_FALSE(yields(row({8, 1}, 20, 24)));
  EXPECT_FALSE(yields(row({8, 1}, 20, 24), true));
}

TEST_F(Yield, NotForEqualsThatAreStillToBeJudged) {
  order_.update(row({8, 2}, 0), true);
  EXPECT_FALSE(yields(row({8, 1}, 0)));
  EXPECT_FALSE(yields(row({8, 1}, 15)));
}

TEST_F(Yield, ForTheUnjudgedOnceItIsJudged) {
  order_.update(row({8, 2}, 0), true);
  EXPECT_TRUE(yields(row({8, 1}, 16, 40)));
}

TEST_F(Yield, OnlyForTwiceTheWork) {
  order_.update(row({8, 2}, 20, 100), true);  // may need 180 rounds more
  EXPECT_FALSE(yields(row({8, 1}, 20, 60)));  // 100
  EXPECT_TRUE(yields(row({8, 1}, 20, 50)));   // 80
}

TEST_F(Yield, WorkOfOtherSizesCounts) {
  order_.update(row({8, 2}, 20, 40), true);
  EXPECT_TRUE(yields(row({4, 1}, 0))) << "1024 rounds of L = 4 are less than 60 of L = 8";
  EXPECT_FALSE(yields(row({8, 1}, 20, 60)));
}

TEST_F(Yield, AShrunkBatchIsFilledUp) {
  order_.update(row({4, 2}, 0), true);
  EXPECT_FALSE(yields(row({8, 1}, 20, 60), true)) << "not with another size";
  order_.update(row({8, 3}, 20, 40), true);
  EXPECT_FALSE(yields(row({8, 1}, 20, 60), false));
  EXPECT_TRUE(yields(row({8, 1}, 20, 60), true));
}

}}  // namespace glassworks
