#include "scheduler/recovery/recovery.hpp"

#include "base/durable_file.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/stored_campaign.hpp"

namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int rounds = 4;

class RecoveryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    campaign_.add_rounds(0, rounds);
    campaign_.add_rounds(1, 2);
    row_ = campaign_.row(0);
  }

  std::optional<StoredState> recover(const RealizationRow& row, Backend& backend) {
    control_.updates = 0;
    return stored_state(campaign_.source(), row, campaign_.disorder(row.key.realization), backend, control_);
  }
  std::optional<StoredState> recover() { return recover(row_, campaign_.backend()); }
  /// Simulated by the last recovery.
  [[nodiscard]] double rounds_simulated() const {
    return static_cast<double>(control_.updates) / campaign_.chain().updates_per_round();
  }

  [[nodiscard]] fs::path newest() const { return campaign_.checkpoint(row_.checkpoint); }
  [[nodiscard]] fs::path previous() const { return campaign_.checkpoint(row_.previous_checkpoint); }

  /// The stored state comes back after `simulated` rounds, what is told of it has these parts, and the file is good.
  void expect_recovery(double simulated, const std::vector<std::string>& told) {
    const auto found = recover();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(state_digest(found->state), row_.state_digest);
    EXPECT_EQ(rounds_simulated(), simulated);
    for (const std::string& part : told) EXPECT_THAT(found->note, HasSubstr(part));
    const auto again = recover();
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(state_digest(again->state), row_.state_digest);
    EXPECT_EQ(again->note, "");
    EXPECT_EQ(rounds_simulated(), 0.0);
  }

  ScratchDirectory scratch_;
  StoredCampaign campaign_{small_config(scratch_.path() / "campaign")};
  RealizationRow row_;
  RoundControl control_;
};

/// Ways to lose a checkpoint, and what is told of each.
struct Loss {
  std::string told;
  std::function<void(const fs::path&)> damage;
};

std::vector<Loss> losses() {
  return {{"(No such file or directory)", [](const fs::path& file) { fs::remove(file); }},
          {"is damaged (only 0 bytes of its header are left)", [](const fs::path& file) { fs::resize_file(file, 0); }},
          {"is damaged (it holds", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 1); }},
          {"is damaged (its content does not match its digest)", flip_bit},
          {"is not a checkpoint", [](const fs::path& file) { std::ofstream(file) << "a text"; }},
          {"(it holds L = 4, realization 1 after 2 rounds instead of L = 4, realization 0 after ",
           [](const fs::path& file) {
             const auto other = fs::copy_options::overwrite_existing;
             for (const auto& entry : fs::directory_iterator(file.parent_path())) {
               if (!entry.path().filename().string().starts_with("L004-000001-000002-")) continue;
               fs::copy_file(entry.path(), file, other);
             }
           }}};
}

TEST_F(RecoveryTest, IntactCheckpointIsRead) {
  expect_recovery(0, {});
  EXPECT_EQ(recover()->note, "");
}

TEST_F(RecoveryTest, NoRoundsIsTheInitialState) {
  EXPECT_EQ(recover(campaign_.row(3), campaign_.backend())->state, initial_state(campaign_.chain(), 3));
}

TEST_F(RecoveryTest, LostCheckpointIsMadeAgainFromTheGenerationBefore) {
  for (const Loss& loss : losses()) {
    SCOPED_TRACE(loss.told);
    loss.damage(newest());
    expect_recovery(1, {newest().string(), loss.told,
                        ". The state of L = 4, realization 0 after 4 rounds was restored to the bit: a round was "
                        "simulated again from the state before it."});
  }
}

TEST_F(RecoveryTest, WithoutBothGenerationsAllRoundsAreSimulatedAgain) {
  const fs::path good = scratch_.path() / "good.ckpt";
  fs::copy_file(previous(), good);
  for (const Loss& loss : losses()) {
    SCOPED_TRACE(loss.told);
    loss.damage(newest());
    loss.damage(previous());
    expect_recovery(rounds, {newest().string(), previous().string(), loss.told,
                             "was restored to the bit: its rounds were simulated again from the start."});
    fs::copy_file(good, previous(), fs::copy_options::overwrite_existing);
  }
}

TEST_F(RecoveryTest, RowsOfOneGenerationBeginAtTheStart) {
  row_.previous_checkpoint = row_.previous_digest = "";
  fs::remove(newest());
  expect_recovery(rounds, {"(No such file or directory). "});
}

TEST_F(RecoveryTest, EveryBackendRestoresTheSameBits) {
  BackendOptions options;
  options.kind = BackendKind::reference;
  const auto reference = make_backend(options);
  fs::remove(newest());
  EXPECT_EQ(state_digest(recover(row_, *reference)->state), row_.state_digest);
  fs::remove(newest());
  fs::remove(previous());
  EXPECT_EQ(state_digest(recover(row_, *reference)->state), row_.state_digest);
}

TEST_F(RecoveryTest, CheckpointThatStatesNothingIsRead) {
  write_checkpoint(newest(), recover()->state);  // as version 1 did
  expect_recovery(0, {});
  EXPECT_EQ(recover()->note, "");
}

TEST_F(RecoveryTest, StopIsHonoured) {
  fs::remove(newest());
  fs::remove(previous());
  control_.stop = true;
  EXPECT_FALSE(recover().has_value());
  EXPECT_FALSE(fs::exists(newest()));
  control_.stop = false;
  expect_recovery(rounds, {"(No such file or directory)"});
}

TEST_F(RecoveryTest, OtherDigestIsRefused) {
  row_.state_digest.back() = row_.state_digest.back() == '0' ? '1' : '0';
  row_.checkpoint_digest = row_.state_digest;
  EXPECT_THAT([&] { static_cast<void>(recover()); }, Fails<StateLost>());
  fs::remove(previous());
  EXPECT_THAT([&] { static_cast<void>(recover()); }, Fails<StateLost>());
  EXPECT_EQ(rounds_simulated(), rounds);
  row_ = campaign_.row(0);
  expect_recovery(0, {});  // the file was left as it was
}

TEST_F(RecoveryTest, CampaignOfAnotherSeedIsRefused) {
  Config other = campaign_.config();
  other.campaign.seed += 1;
  const Chain chain = make_chain(other, 0);
  EXPECT_THAT(
      [&] {
        static_cast<void>(stored_state({campaign_.checkpoints(), other, chain}, row_,
                                       make_disorder(other, chain.lattice, 0), campaign_.backend(), control_));
      },
      Fails<StateLost>());
}

TEST_F(RecoveryTest, FileThatMayBeGoodIsNotReplaced) {
  std::fstream(newest(), std::ios::in | std::ios::out | std::ios::binary).seekp(8).put('\x7f');  // a much newer format
  EXPECT_THAT([&] { static_cast<void>(recover()); }, Refuses(FileFault::withheld));
  EXPECT_EQ(rounds_simulated(), 0.0);
}

}}  // namespace glassworks::testing
