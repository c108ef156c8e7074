#include "scheduler/campaign/status_publisher.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "db/copy.hpp"
#include "scheduler/campaign/lease_keeper.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/lease_fixture.hpp"

namespace glassworks::testing { namespace {

using namespace std::chrono_literals;

class StatusPublisherTest : public LeaseTest {
 protected:
  static std::filesystem::path copy_of(const Config& run) { return run.campaign.directory / status_file_name; }
  static std::size_t workers_in_copy(const Config& run) {
    if (!std::filesystem::exists(copy_of(run))) return 0;
    return Database::open(copy_of(run), DatabaseAccess::read_only).workers().size();
  }
};

TEST_F(StatusPublisherTest, PublishesWhileAProcessWorksAndRemovesTheCopyThen) {
  const Config run = created("run");
  const Campaign campaign = Campaign::create_or_continue(run);
  {
    const LeaseKeeper keeper(campaign, "a backend");
    EXPECT_TRUE(soon([&] { return workers_in_copy(run) == 1; }));
    const Database copy = Database::open(copy_of(run), DatabaseAccess::read_only);
    EXPECT_EQ(copy.workers().front().id, keeper.worker());
    EXPECT_EQ(copy.realizations().size(), 6U);
  }
  EXPECT_FALSE(std::filesystem::exists(copy_of(run)));
}

TEST_F(StatusPublisherTest, ReplacesACopyThatHasGrownOld) {
  const Config run = created("run");
  const Campaign campaign = Campaign::create_or_continue(run);
  std::ofstream(copy_of(run)) << "left by a process that was killed";
  std::filesystem::last_write_time(copy_of(run), std::filesystem::file_time_type::clock::now() - 1min);
  const LeaseKeeper keeper(campaign, "");
  EXPECT_TRUE(soon([&] { return std::filesystem::file_size(copy_of(run)) > 1000; }));
  EXPECT_EQ(workers_in_copy(run), 1U);
}

}}  // namespace glassworks::testing
