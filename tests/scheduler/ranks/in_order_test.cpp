#include "scheduler/ranks/in_order.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace glassworks { namespace {

using scheduler::InOrder;

TEST(InOrder, WhatIsDoneEarlyWaitsForWhatCameBefore) {
  InOrder<std::unique_ptr<int>> order;
  const auto first = order.number(), second = order.number(), third = order.number();
  const auto values = [](const std::vector<std::unique_ptr<int>>& all) {
    std::vector<int> n;
    for (const auto& one : all) n.push_back(*one);
    return n;
  };
  EXPECT_TRUE(order.done(third, std::make_unique<int>(3)).empty());
  EXPECT_EQ(values(order.done(first, std::make_unique<int>(1))), (std::vector<int>{1}));
  EXPECT_EQ(values(order.done(second, std::make_unique<int>(2))), (std::vector<int>{2, 3}));
  EXPECT_EQ(values(order.done(order.number(), std::make_unique<int>(4))), (std::vector<int>{4}));
}

}}  // namespace glassworks
