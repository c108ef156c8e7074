#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <vector>

#include "scheduler/campaign/work_order.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks { namespace {

// 100,000 realizations in two sizes, whose rows change in any order while batches are asked for. Thousands of changes
// per second are to be unnoticeable; a search through all rows at each of them would take 100 times what is allowed
// here.
TEST(WorkOrderScale, AChangeTakesMicroseconds) {
  constexpr std::uint32_t realizations = 50'000, changes = 100'000, changes_per_batch = 256;
  WorkOrder order({.min_rounds = 16, .max_rounds = 1024}, {{6, 1.0}, {8, 2.4}});
  std::mt19937_64 random(1);
  const auto below = [&](std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random); };
  const auto any_row = [&](int L, std::uint32_t realization) {
    RealizationRow row;
    row.key = {L, realization};
    row.rounds = below(1000);
    if (row.rounds >= 16) row.judgement.expected_rounds = row.rounds + below(500);
    return row;
  };
  std::vector<RealizationRow> rows;
  for (std::uint32_t i = 0; i < realizations; ++i) rows.insert(rows.end(), {any_row(6, i), any_row(8, i)});
  for (std::uint32_t i = 0; i < changes; ++i) rows.push_back(any_row(below(2) == 0 ? 6 : 8, below(realizations)));

  const auto limit = [](int) { return std::size_t{256}; };
  testing::Timer timer;
  std::size_t taken = 0;
  double work = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    order.update(rows[i], i % 2 == 0);
    work += order.remaining_work();
    if (i % changes_per_batch == 0) taken += order.next(limit, 8).keys.size();
  }
  const double seconds = timer.lap() / static_cast<double>(rows.size());
  std::printf("%.2f microseconds per change, estimate and 1/%u batch\n", 1e6 * seconds, changes_per_batch);
  EXPECT_LT(seconds, 20e-6);
  EXPECT_EQ(order.open(), 2U * realizations);
  EXPECT_GT(taken, rows.size() / changes_per_batch * 200);
  EXPECT_GT(work, 0.0);
}

}}  // namespace glassworks
