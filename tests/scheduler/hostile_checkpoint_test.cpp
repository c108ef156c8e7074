#include <sys/stat.h>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/stored_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class HostileCampaign : public ::testing::Test {
 protected:
  std::optional<StoredState> recover() {
    return stored_state(campaign_.source(), row_, campaign_.disorder(0), campaign_.backend(), control_);
  }

  ScratchDirectory scratch_;
  StoredCampaign campaign_{small_config(scratch_.path() / "campaign")};
  RealizationRow row_;
  RoundControl control_;
};

/// The digests of the file and of the database fit it: nothing but the state itself tells.
TEST_F(HostileCampaign, AnImpossibleStateIsNeverSimulated) {
  campaign_.add_rounds(0, 1);
  campaign_.add_rounds(0, 1, [](RoundCommit&, ChainState& state) { state.slot[1] = 65535; });
  row_ = campaign_.row(0);
  EXPECT_THAT([&] { (void)recover(); }, Fails<StateLost>());
}

TEST_F(HostileCampaign, WhatIsNoFileIsReplacedByOneAndItsTargetStays) {
  campaign_.add_rounds(0, 2);
  row_ = campaign_.row(0);
  const fs::path newest = campaign_.checkpoint(row_.checkpoint), precious = scratch_.path() / "precious";
  std::ofstream(precious) << "precious";
  const auto expect_recovery = [&](const char* told) {
    const auto found = recover();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(state_digest(found->state), row_.state_digest);
    EXPECT_THAT(found->note, HasSubstr(told));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(newest)));
    EXPECT_EQ(recover()->note, "");
  };
  fs::remove(newest);
  ASSERT_EQ(::mkfifo(newest.c_str(), 0600), 0);
  expect_recovery("it is a FIFO");
  fs::remove(newest);
  fs::create_symlink(precious, newest);
  expect_recovery("it is a symbolic link");
  EXPECT_EQ(fs::file_size(precious), 8U);
}

}}  // namespace glassworks::testing
