#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "scheduler/ranks/pace.hpp"
#include "scheduler/work/mailbox.hpp"

namespace glassworks::testing { namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Pace, IsQuickWhileMessagesComeAndSlowWhenNoneDo) {
  const Pace::Clock::time_point begin{};
  Pace pace;
  EXPECT_EQ(pace.pause(true, begin), 0us);
  EXPECT_EQ(pace.pause(false, begin + 50us), 0us);
  EXPECT_EQ(pace.pause(false, begin + 500us), 100us);
  EXPECT_EQ(pace.pause(false, begin + 1h), 1000us);
  EXPECT_EQ(pace.pause(true, begin + 1h), 0us);
  EXPECT_EQ(pace.pause(false, begin + 1h + 500us), 100us);
}

TEST(Mailbox, KeepsTheOrderAndWakesWhoWaits) {
  Mailbox<int> box;
  EXPECT_THAT(box.take(), IsEmpty());
  box.put(1);
  box.put(2);
  box.wait_for(1h);
  EXPECT_THAT(box.take(), ElementsAre(1, 2));
  const std::jthread other([&] { box.put(3); });
  box.wait_for(1h);
  EXPECT_THAT(box.take(), ElementsAre(3));
}

}}  // namespace glassworks::testing
