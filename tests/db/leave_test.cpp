#include <SQLiteCpp/SQLiteCpp.h>

#include "db/row.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Leases that last for several rounds, of which most have no checkpoint.
class Leave : public Campaign {
 protected:
  void SetUp() override {
    Campaign::SetUp();
    database_.emplace(create());
    worker_ = first_worker(*database_);
  }
  /// The next round of a leased realization, with or without a checkpoint.
  [[nodiscard]] std::vector<RealizationRow> commit(bool with_checkpoint, LeaseAfter after) {
    const RealizationRow row = database_->realization(key_);
    RoundCommit next = round(key_, row.rounds, row.attempt);
    if (!with_checkpoint) next.checkpoint.clear();
    return database_->commit(worker_, {&next, 1}, provenance(), now, 1.0, after).rows;
  }
  [[nodiscard]] StateCommit state_of(const RealizationRow& row) const {
    return {row.key, row.attempt, row.rounds, checkpoint_name(row.key, row.rounds, row.state_digest)};
  }

  const RealizationKey key_{4, 1};
  std::optional<Database> database_;
  std::int64_t worker_ = 0;
};

TEST_F(Leave, RoundsWithoutCheckpointsKeepTheLease) {
  static_cast<void>(lease(*database_, worker_, {key_}));
  for (std::uint32_t i = 1; i <= 3; ++i) {
    const auto rows = commit(false, LeaseAfter::goes_on);
    ASSERT_THAT(rows, SizeIs(1));
    EXPECT_EQ(rows[0].rounds, i);
    EXPECT_EQ(rows[0].worker, worker_);
    EXPECT_EQ(rows[0].checkpoint + rows[0].checkpoint_digest, "");
    EXPECT_EQ(database_->realization(key_).state_digest, rows[0].state_digest);
  }
  const auto left = database_->leave(worker_, std::vector{state_of(database_->realization(key_))});
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].worker, 0);
  EXPECT_EQ(rounds_of_checkpoint(left[0].checkpoint), 3U);
  EXPECT_EQ(left[0].checkpoint_digest, left[0].state_digest);
  EXPECT_EQ(left[0].previous_checkpoint, "");
}

TEST_F(Leave, GenerationsAreThoseOfTheLastTwoCheckpoints) {
  for (const std::uint32_t rounds : {2U, 4U, 6U}) {
    static_cast<void>(lease(*database_, worker_, {key_}));
    static_cast<void>(commit(false, LeaseAfter::goes_on));
    static_cast<void>(commit(true, LeaseAfter::ends));
    const RealizationRow row = database_->realization(key_);
    EXPECT_EQ(rounds_of_checkpoint(row.checkpoint), rounds);
    EXPECT_EQ(rounds_of_checkpoint(row.previous_checkpoint), rounds - 2);
    EXPECT_EQ(row.worker, 0);
  }
}

TEST_F(Leave, LostLeasesAreLeftAlone) {
  static_cast<void>(lease(*database_, worker_, {key_}));
  const RealizationRow held = commit(false, LeaseAfter::goes_on).at(0);
  database_->release(worker_, {&held, 1}, LeaseEnd::given_back);
  EXPECT_THAT(database_->leave(worker_, std::vector{state_of(held)}), IsEmpty());
  static_cast<void>(lease(*database_, worker_, {key_}));
  EXPECT_THAT(database_->leave(worker_, std::vector{state_of(held)}), IsEmpty()) << "an earlier lease";
  EXPECT_EQ(database_->realization(key_).worker, worker_);
}

TEST_F(Leave, StatesOfOtherRoundsAreRefused) {
  static_cast<void>(lease(*database_, worker_, {key_}));
  const RealizationRow held = commit(false, LeaseAfter::goes_on).at(0);
  StateCommit other = state_of(held);
  other.checkpoint = checkpoint_name(key_, 2, held.state_digest);
  EXPECT_THROW(static_cast<void>(database_->leave(worker_, std::vector{other})), std::invalid_argument);
  EXPECT_EQ(database_->realization(key_).worker, worker_);
}

TEST_F(Leave, NamesThatCannotBeAreDamage) {
  static_cast<void>(lease(*database_, worker_, {key_}));
  static_cast<void>(commit(true, LeaseAfter::goes_on));
  const RealizationRow row = commit(false, LeaseAfter::goes_on).at(0);
  const auto with = [&](RealizationRow bad) {
    SQLite::Database(file_.string(), SQLite::OPEN_READWRITE)
        .exec(fmt::format("UPDATE realizations SET checkpoint = '{}', checkpoint_digest = '{}', state_digest = '{}', "
                          "checksum = {} WHERE L = 4 AND realization = 1",
                          bad.checkpoint, bad.checkpoint_digest, bad.state_digest, db::realization_checksum(bad)));
    return outcome_of([&] { static_cast<void>(database_->realization(key_)); });
  };
  EXPECT_NO_THROW(with(row)());
  RealizationRow bad = row;
  bad.checkpoint = checkpoint_name(key_, 3, row.checkpoint_digest);  // of the future
  EXPECT_THAT(with(bad), Fails());
  bad = row;
  bad.checkpoint_digest = std::string(32, 'b');
  EXPECT_THAT(with(bad), Fails());
  bad = row;
  bad.state_digest = "";
  EXPECT_THAT(with(bad), Fails());
  bad = row;
  bad.checkpoint = checkpoint_name(key_, 2, row.checkpoint_digest);  // the same rounds, another digest
  EXPECT_THAT(with(bad), Fails());
}

}}  // namespace glassworks
