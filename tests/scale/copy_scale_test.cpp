#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "db/copy.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks { namespace {

TEST(CopyScale, ThirtyThousandRealizationsTakeAFifthOfASecond) {
  constexpr int realizations = 30'000, batch = 256;
  const testing::DiskDirectory directory;
  testing::SyntheticRounds source;
  const auto file = directory.path() / database_file_name;
  Database database = Database::create(file, "scale\n", {source.size()}, realizations);
  WorkerRow row;
  row.expires = std::int64_t{1} << 60;
  const std::int64_t worker = database.add_worker(row);
  const std::vector<RealizationRow> all = database.realizations();
  CampaignCopier copier(file, directory.path() / status_file_name);
  std::vector<double> wall, processor;
  for (int i = 0; i < 5; ++i) {
    std::vector<RoundCommit> commits;
    for (const RealizationRow& leased : database.lease(worker, std::span(all).subspan(i * batch, batch))) {
      commits.push_back(source.next(leased));
    }
    database.commit(worker, commits, {"test", "test", "test", "none", "host"}, 0);
    const auto before = testing::CpuTime::now();
    testing::Timer timer;
    EXPECT_TRUE(copier.copy_if_changed());
    wall.push_back(timer.lap());
    const auto after = testing::CpuTime::now();
    processor.push_back(after.user - before.user + after.system - before.system);
  }
  std::printf("copy of %d realizations: %.0f ms of processor, %.0f ms with the disk\n", realizations,
              1e3 * testing::median(processor), 1e3 * testing::median(wall));
  EXPECT_LT(testing::median(processor), 0.2);
}

}}  // namespace glassworks
