#include "scheduler/campaign/work_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "scheduler/convergence/convergence.hpp"
#include "tests/scheduler/work_rows.hpp"

namespace glassworks { namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using testing::config;
using testing::row;

RealizationRow ended(RealizationKey key, std::uint32_t rounds, RealizationStatus status) {
  RealizationRow r = row(key, rounds);
  r.status = status;
  return r;
}

WorkOrder::BySize always(std::size_t n) {
  return [n](int) { return n; };
}

/// The realizations of one size in the order in which one worker without any hurry takes them one by one.
std::vector<std::uint32_t> order_of(WorkOrder& order, const std::vector<RealizationRow>& rows) {
  for (const RealizationRow& r : rows) order.update(r, true);
  std::vector<std::uint32_t> taken;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<RealizationKey> keys = order.next(always(1), 1).keys;
    EXPECT_EQ(keys.size(), 1U);
    if (keys.empty()) break;
    taken.push_back(keys[0].realization);
    const auto same = [&](const RealizationRow& r) { return r.key == keys[0]; };
    order.update(*std::find_if(rows.begin(), rows.end(), same), false);
  }
  return taken;
}

class OneSize : public ::testing::Test {
 protected:
  static constexpr double work = 100.0;
  WorkOrder order_{config, {{8, work}}};

  void update(std::uint32_t id, std::uint32_t rounds, std::uint32_t expected = 0, bool free = true) {
    order_.update(row({8, id}, rounds, expected), free);
  }
  [[nodiscard]] std::vector<std::uint32_t> next(std::size_t limit, std::size_t workers, std::size_t width) const {
    std::vector<std::uint32_t> ids;
    for (const RealizationKey& key : order_.next(always(limit), workers, always(width)).keys) {
      EXPECT_EQ(key.L, 8);
      ids.push_back(key.realization);
    }
    return ids;
  }
  /// Work for all workers that is nobody's hurry: realizations from 1000 on that others hold, `rounds` each.
  void much_else(std::uint32_t count, std::uint32_t rounds) {
    for (std::uint32_t i = 0; i < count; ++i) update(1000 + i, 20, 20 + rounds, false);
  }
};

TEST_F(OneSize, UnjudgedFirstAndFewestRoundsFirstAmongThem) {
  much_else(1000, 100);
  EXPECT_THAT(order_of(order_, {row({8, 0}, 5), row({8, 1}, 3), row({8, 2}, 16, 400), row({8, 3}, 3), row({8, 4}, 0)}),
              ElementsAre(4, 1, 3, 0, 2));
}

TEST_F(OneSize, LargestPossibleRestFirstAmongTheJudged) {
  much_else(1000, 100);
  // Possible rests: 2 * 100 - 20, 2 * 50 - 20, 2 * 130 - 90, the same, 2 * 95 - 20 (fewer rounds than the two).
  EXPECT_THAT(order_of(order_, {row({8, 0}, 20, 100), row({8, 1}, 20, 50), row({8, 5}, 90, 130), row({8, 3}, 90, 130),
                                row({8, 4}, 20, 95)}),
              ElementsAre(0, 4, 3, 5, 1));
}

TEST_F(OneSize, CriticalOnesComeBeforeTheUnjudged) {
  update(0, 16, 500);  // possibly 984 more
  for (std::uint32_t id = 1; id <= 50; ++id) update(id, 0);
  // Work: 484 + 50 * mean of the judged, 500, in rounds; critical where that takes 984 rounds or less.
  EXPECT_EQ(next(1, 1, 1), std::vector<std::uint32_t>{1});
  EXPECT_EQ(next(1, 25, 1), std::vector<std::uint32_t>{1});  // 1019 rounds for each worker
  EXPECT_EQ(next(1, 26, 1), std::vector<std::uint32_t>{0});  // 980
  EXPECT_EQ(next(26, 1, 26), std::vector<std::uint32_t>({0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                                         13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25}));
}

TEST_F(OneSize, ABatchIsSmallEnoughForItsFirstToEndInTime) {
  much_else(100, 30);
  update(0, 100, 200);  // possibly 300 more, expected 100
  for (std::uint32_t id = 1; id < 100; ++id) update(id, 40, 47);
  // 3000 + 100 + 99 * 7 = 3793 rounds to do: a batch of 12 ends with them, one of 13 later.
  EXPECT_EQ(next(64, 1, 1).size(), 12U);
  EXPECT_EQ(next(64, 3, 1).size(), 4U);
  EXPECT_EQ(next(64, 20, 1).size(), 1U);
  EXPECT_EQ(next(64, 3, 3).size(), 3U) << "3 * 300 rounds of three at once are more than 3793 / 3";
  EXPECT_EQ(next(64, 1, 64).size(), 64U) << "a device that takes the same time for all";
  EXPECT_EQ(next(5, 1, 1).size(), 5U);
}

TEST_F(OneSize, NobodyTakesMoreThanAnEvenShareUnlessItCostsNoTime) {
  for (std::uint32_t id = 0; id < 90; ++id) update(id, 0);
  for (std::uint32_t id = 90; id < 100; ++id) update(id, 0, 0, false);
  EXPECT_EQ(next(64, 1, 1).size(), 64U);
  EXPECT_EQ(next(64, 3, 1).size(), 34U);
  EXPECT_EQ(next(64, 3, 40).size(), 40U);
  EXPECT_EQ(order_.next(always(64), 3).keys.size(), 64U) << "no width: as wide as the limit";
  EXPECT_EQ(next(0, 3, 1).size(), 1U);
  EXPECT_EQ(next(1, 0, 1).size(), 1U);
}

/// Members of the batches that workers take one after the other, all of one size, where every course is as long.
std::vector<std::size_t> dealt_out(std::uint32_t realizations, std::size_t limit, std::size_t width,
                                   std::size_t workers, std::size_t of_word = 1) {
  ConvergenceConfig course = config;
  course.lengths = Lengths::course;
  WorkOrder order(course, {{8, 100.0}}, {{8, {10, 9, 6, 0}}}, of_word);
  for (std::uint32_t id = 0; id < realizations; ++id) order.update(row({8, id}, 0), true);
  std::vector<std::size_t> batches;
  for (std::size_t turn = 0; order.free() > 0; ++turn) {
    std::vector<RealizationKey> held;
    for (std::size_t worker = 0; worker < workers; ++worker) {
      const std::vector<RealizationKey> keys = order.next(always(limit), workers, always(width)).keys;
      if (keys.empty()) break;
      batches.push_back(keys.size());
      for (const RealizationKey& key : keys) order.update(row(key, 0), false);
      held.insert(held.end(), keys.begin(), keys.end());
    }
    for (const RealizationKey& key : held) order.update(ended(key, 3, RealizationStatus::converged), false);
  }
  return batches;
}

/// A batch of seven of eight realizations would leave the other worker of a device without work for most of the time.
TEST(WorkOrderOfCourses, BatchesEndTogether) {
  EXPECT_THAT(dealt_out(8, 15, 7, 2), ElementsAre(4, 4));
  EXPECT_THAT(dealt_out(8, 60, 30, 2), ElementsAre(4, 4));
  EXPECT_THAT(dealt_out(9, 15, 7, 2), ElementsAre(5, 4));
  EXPECT_THAT(dealt_out(1, 15, 7, 2), ElementsAre(1));
  EXPECT_THAT(dealt_out(40, 15, 7, 2), ElementsAre(10, 10, 10, 10));
  EXPECT_THAT(dealt_out(100, 15, 7, 2), ElementsAre(13, 13, 13, 13, 12, 12, 12, 12));
  EXPECT_THAT(dealt_out(100, 64, 1, 1), ElementsAre(50, 50));
  EXPECT_THAT(dealt_out(40, 15, 15, 2), ElementsAre(15, 15, 10)) << "the size that the user gives";
}

TEST(WorkOrderOfCourses, BatchesDivideNoWords) {
  EXPECT_THAT(dealt_out(1024, 512, 256, 2, 128), ElementsAre(512, 512));
  EXPECT_THAT(dealt_out(768, 512, 256, 2, 128), ElementsAre(384, 384));
  EXPECT_THAT(dealt_out(200, 512, 256, 2, 128), ElementsAre(128, 72));
  EXPECT_THAT(dealt_out(200, 100, 50, 2, 128), ElementsAre(100, 100));
}

TEST_F(OneSize, SuspectsAreAlone) {
  for (std::uint32_t id = 0; id < 6; ++id) {
    RealizationRow r = row({8, id}, 2);
    r.failures = id == 1 ? 3 : id == 4 ? 7 : id == 5 ? 2 : 0;
    order_.update(r, true);
  }
  EXPECT_THAT(next(8, 1, 8), ElementsAre(0, 2, 3, 5));
  for (const std::uint32_t id : {0U, 2U, 3U, 5U}) update(id, 2, 0, false);
  EXPECT_THAT(next(8, 1, 8), ElementsAre(1));
  update(1, 3);  // a commit takes the suspicion away
  EXPECT_THAT(next(8, 1, 8), ElementsAre(4));
  update(4, 3);
  EXPECT_THAT(next(8, 1, 8), ElementsAre(1, 4));
}

TEST_F(OneSize, ASuspectHasItsPlaceInTheOrder) {
  RealizationRow suspect = row({8, 7}, 0);
  suspect.failures = WorkOrder::suspect_failures;
  order_.update(suspect, true);
  update(0, 1);
  update(1, 1);
  EXPECT_THAT(next(8, 1, 8), ElementsAre(7));
}

TEST_F(OneSize, CountsFollowTheRows) {
  EXPECT_EQ(order_.open(8), 0U);
  EXPECT_THAT(next(4, 1, 4), IsEmpty());
  update(0, 0);
  update(1, 0);
  update(1, 0);  // twice the same
  EXPECT_EQ(order_.free(), 2U);
  EXPECT_EQ(order_.open(8), 2U);
  update(0, 0, 0, false);
  EXPECT_EQ(order_.free(), 1U);
  EXPECT_EQ(order_.open(), 2U);
  EXPECT_THAT(next(4, 1, 4), ElementsAre(1));
  order_.update(ended({8, 0}, 16, RealizationStatus::converged), true);
  EXPECT_EQ(order_.open(8), 1U);
  EXPECT_EQ(order_.free(), 1U);
  order_.update(ended({8, 1}, 3, RealizationStatus::quarantined), true);
  EXPECT_EQ(order_.open(), 0U);
  EXPECT_EQ(order_.free(), 0U);
  EXPECT_THAT(next(4, 1, 4), IsEmpty());
  update(0, 16, 40);  // opened again by a raised threshold
  EXPECT_THAT(next(4, 1, 4), ElementsAre(0));
  EXPECT_EQ(order_.open(6), 0U);
  EXPECT_THROW(order_.update(row({6, 0}, 0), true), std::out_of_range);
}

TEST_F(OneSize, RemainingWork) {
  EXPECT_EQ(order_.remaining_work(), 0.0);
  update(0, 0);
  update(1, 6, 0, false);
  EXPECT_EQ(order_.remaining_work(), (16 + 10) * work) << "nothing is known: the minimum";
  update(2, 16, 56);
  EXPECT_EQ(order_.remaining_work(), (56 + 50 + 40) * work) << "the mean of the judged";
  order_.update(ended({8, 3}, 24, RealizationStatus::converged), true);
  EXPECT_EQ(order_.remaining_work(), (40 + 34 + 40) * work) << "and of the finished";
  order_.update(ended({8, 4}, 3, RealizationStatus::quarantined), true);
  EXPECT_EQ(order_.remaining_work(), (40 + 34 + 40) * work) << "one that was given up tells nothing";
  order_.update(ended({8, 2}, 16, RealizationStatus::converged), true);
  EXPECT_EQ(order_.remaining_work(), (20 + 14) * work);
}

TEST_F(OneSize, WhatIsOpenNeedsRoundsUntilTheNextDecision) {
  std::uint32_t due = 1024;
  for (std::uint32_t rounds = 1024; rounds-- > 16; due = decision_due(config, rounds) ? rounds : due) {
    update(0, rounds, 1);
    ASSERT_EQ(order_.remaining_work(), (due - rounds) * work) << rounds;
    update(0, rounds);
    ASSERT_EQ(order_.remaining_work(), (due - rounds) * work) << "without numbers, " << rounds;
    update(0, rounds, 3000);
    ASSERT_EQ(order_.remaining_work(), (1024 - rounds) * work) << "and no more than the maximum, " << rounds;
  }
}

/// Rounds of 1, 1, 8 and 90 steps: work is what is left of the steps, not of the rounds.
TEST(WorkOrderOfCourses, CountsStepsBecauseRoundsGrowWithTime) {
  const ConvergenceConfig course{.min_rounds = 1, .max_rounds = 4, .lengths = Lengths::course};
  WorkOrder order(course, {{8, 25.0}}, {{8, {100, 99, 98, 90, 0}}});
  EXPECT_EQ(order.remaining_work(), 0.0);
  order.update(row({8, 0}, 0), true);
  order.update(row({8, 1}, 3, 4), true);
  order.update(row({8, 2}, 2, 4), false);
  EXPECT_DOUBLE_EQ(order.remaining_work(), 100 + 90 + 98);
  EXPECT_FALSE(order.remaining_is_least() && order.remaining_work() < 288);
  order.update(ended({8, 1}, 4, RealizationStatus::converged), true);
  order.update(ended({8, 2}, 2, RealizationStatus::quarantined), true);
  EXPECT_DOUBLE_EQ(order.remaining_work(), 100);
  order.update(row({8, 0}, 1, 4), false);
  EXPECT_DOUBLE_EQ(order.remaining_work(), 99);
  EXPECT_FALSE(order.prefers_others({row({8, 0}, 1, 4)}, false));
  order.update(row({8, 3}, 3, 4), true);  // 90 of 99 steps are not twice as much work
  EXPECT_FALSE(order.prefers_others({row({8, 0}, 1, 4)}, false));
}

TEST(WorkOrderSizes, WhatIsLeftIsALowerBoundUntilSomethingOfEachSizeHasBeenJudged) {
  WorkOrder order(config, {{8, 1.0}, {12, 1.0}});
  order.update(row({8, 0}, 0), true);
  order.update(row({8, 1}, 15), true);
  order.update(row({12, 0}, 0), true);
  order.update(row({12, 1}, 0), true);
  EXPECT_TRUE(order.remaining_is_least());
  EXPECT_EQ(order.remaining_work(), 16 + 1 + 32) << "as if each needed min_rounds alone";
  order.update(row({8, 1}, 16, 40), true);
  EXPECT_TRUE(order.remaining_is_least()) << "nothing is known of L = 12";
  order.update(ended({12, 1}, 100, RealizationStatus::converged), true);
  EXPECT_FALSE(order.remaining_is_least());
  EXPECT_EQ(order.remaining_work(), 40 + 24 + 100);
  ConvergenceConfig fixed = config;
  fixed.max_rounds = fixed.min_rounds;
  WorkOrder of_fixed_length(fixed, {{8, 1.0}});
  of_fixed_length.update(row({8, 0}, 0), true);
  EXPECT_FALSE(of_fixed_length.remaining_is_least()) << "all need the same";
}

TEST(WorkOrderSizes, WorkCountsNotRounds) {
  WorkOrder order(config, {{4, 1.0}, {6, 4.0}, {8, 10.0}});
  for (std::uint32_t id = 0; id < 1000; ++id) order.update(row({8, 1000 + id}, 16, 100), false);
  order.update(row({4, 0}, 10), true);       // possibly 1014 * 1
  order.update(row({4, 1}, 16, 500), true);  // 984
  order.update(row({6, 0}, 16, 135), true);  // 254 * 4 = 1016
  order.update(row({6, 1}, 20, 140), true);  // 260 * 4 = 1040
  order.update(row({8, 0}, 16, 50), true);   // 84 * 10 = 840
  order.update(row({8, 1}, 16, 60), true);   // 104 * 10 = 1040, fewer rounds
  std::vector<RealizationKey> taken;
  for (int i = 0; i < 6; ++i) {
    const std::vector<RealizationKey> keys = order.next(always(1), 1).keys;
    ASSERT_EQ(keys.size(), 1U);
    taken.push_back(keys[0]);
    order.update(row(keys[0], 0), false);
  }
  EXPECT_EQ(taken, (std::vector<RealizationKey>{{8, 1}, {6, 1}, {6, 0}, {4, 0}, {4, 1}, {8, 0}}));
}

/// Of a small lattice a device needs many to be busy, and a round of one of them takes as long.
TEST(WorkOrderSizes, SmallLatticesBeginEarlyEnoughToEndWithTheOthers) {
  WorkOrder order(config, {{4, 1.0}, {8, 100.0}});
  order.update(row({4, 0}, 0), true);  // 32 rounds, each as long as 500 updates: 32,000 updates of two workers
  order.update(row({8, 1000}, 20, 24), true);
  const auto size_with = [&](std::uint32_t others) {
    for (std::uint32_t id = 0; id < 200; ++id) {
      order.update(id < others ? row({8, id}, 20, 25) : ended({8, id}, 20, RealizationStatus::converged), false);
    }
    return order.next(always(1000), 2, [](int L) { return L == 4 ? std::size_t{500} : std::size_t{2}; }).L;
  };
  EXPECT_EQ(size_with(200), 8) << "100,500 updates are left";
  EXPECT_EQ(size_with(64), 8) << "32,520";
  EXPECT_EQ(size_with(62), 4) << "31,520";
  order.update(row({4, 0}, 15), true);  // 17 rounds
  EXPECT_EQ(size_with(62), 8);
  EXPECT_EQ(size_with(30), 4) << "15,501";
}

TEST(WorkOrderSizes, ABatchHasOneSizeAndItsLimit) {
  WorkOrder order(config, {{4, 1.0}, {8, 10.0}});
  for (std::uint32_t id = 0; id < 20; ++id) {
    order.update(row({4, id}, 0), true);
    order.update(row({8, id}, 0), true);
  }
  const auto limit = [](int L) { return L == 8 ? std::size_t{3} : std::size_t{12}; };
  const WorkOrder::Choice large = order.next(limit, 1);
  EXPECT_EQ(large.L, 8);
  EXPECT_THAT(large.keys, ElementsAre(RealizationKey{8, 0}, RealizationKey{8, 1}, RealizationKey{8, 2}));
  for (std::uint32_t id = 0; id < 20; ++id) order.update(row({8, id}, 0), false);
  const WorkOrder::Choice small = order.next(limit, 1);
  EXPECT_EQ(small.L, 4);
  EXPECT_EQ(small.keys.size(), 12U);
  EXPECT_EQ(order.open(4), 20U);
  EXPECT_EQ(order.open(), 40U);
}

TEST(WorkOrderOfGroups, BatchesHoldWholeGroups) {
  WorkOrder order(config, {{8, 1.0}}, {}, 4);
  for (std::uint32_t id = 0; id < 12; ++id) {  // of which some need no more rounds, and others many
    order.update(row({8, id}, 16, id % 3 == 0 ? 16 : 400), true, WorkOrder::Stops::together);
  }
  const auto taken = [&](std::size_t limit, std::size_t width) {
    std::vector<std::uint32_t> numbers;
    for (const RealizationKey& key : order.next(always(limit), 1, always(width)).keys)
      numbers.push_back(key.realization);
    return numbers;
  };
  EXPECT_THAT(taken(8, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(taken(6, 6), ElementsAre(0, 1, 2, 3)) << "the second group is left to the next batch";
  EXPECT_THAT(taken(3, 3), ElementsAre(0, 1, 2)) << "smaller than a group";
  EXPECT_THAT(taken(8, 5), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "more than the share, but the group is whole";
}

}}  // namespace glassworks
