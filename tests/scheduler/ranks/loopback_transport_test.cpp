#include "tests/scheduler/ranks/loopback_transport.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace glassworks { namespace {

std::vector<std::byte> numbered(int number) {
  return {static_cast<std::byte>(number % 256), static_cast<std::byte>(number / 256)};
}

TEST(LoopbackTransport, DeliversInOrder) {
  LoopbackNetwork network(2);
  const auto first = network.transport(0), second = network.transport(1);
  EXPECT_EQ(second->rank(), 1);
  EXPECT_EQ(second->size(), 2);
  EXPECT_FALSE(second->receive());
  first->send(1, numbered(1));
  first->send(1, {});
  EXPECT_TRUE(first->all_sent());
  const auto one = second->receive(), two = second->receive();
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->from, 0);
  EXPECT_EQ(one->bytes, numbered(1));
  EXPECT_TRUE(two->bytes.empty());
  EXPECT_FALSE(second->receive());
}

TEST(LoopbackTransport, RanksMayBeThreads) {
  constexpr int ranks = 4, messages = 1000;
  LoopbackNetwork network(ranks);
  std::vector<std::jthread> threads;
  for (int rank = 1; rank < ranks; ++rank) {
    threads.emplace_back([&network, rank] {
      const auto transport = network.transport(rank);
      for (int i = 0; i < messages; ++i) transport->send(0, numbered(i));
    });
  }
  const auto root = network.transport(0);
  std::vector<int> next(ranks, 0);
  for (int left = messages * (ranks - 1); left > 0;) {
    const auto received = root->receive();
    if (!received) {
      std::this_thread::yield();
      continue;
    }
    --left;
    EXPECT_EQ(received->bytes, numbered(next[static_cast<std::size_t>(received->from)]++));
  }
}

TEST(LoopbackTransport, ALostRankSaysAndHearsNothing) {
  LoopbackNetwork network(3);
  const auto root = network.transport(0), lost = network.transport(1), other = network.transport(2);
  network.lose(1);
  lost->send(0, numbered(1));
  root->send(1, numbered(2));
  other->send(0, numbered(3));
  EXPECT_FALSE(lost->receive());
  EXPECT_EQ(root->receive()->from, 2);
  EXPECT_FALSE(root->receive());
  network.restore(1);
  lost->send(0, numbered(4));
  EXPECT_EQ(root->receive()->bytes, numbered(4));
}

}}  // namespace glassworks
