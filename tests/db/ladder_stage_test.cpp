#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::IsEmpty;

class LadderStages : public Campaign {
 protected:
  [[nodiscard]] Database create_adapting() const {
    std::vector<SizeRow> adapting = sizes();
    adapting[0].adapting = true;
    return Database::create(file_, config(), adapting, realizations);
  }
};

TEST_F(LadderStages, AreStoredInOrderUntilTheLadderIsFrozen) {
  Database database = create_adapting();
  Database other = open();
  const std::int64_t worker = database.add_worker(worker_row()), waiting = other.add_worker(worker_row());
  EXPECT_TRUE(other.sizes()[0].adapting);
  EXPECT_FALSE(other.sizes()[1].adapting);
  EXPECT_THAT(other.ladder_stages(4), IsEmpty());
  EXPECT_TRUE(database.claim_ladder(4, worker));
  EXPECT_TRUE(database.claim_ladder(4, worker));
  EXPECT_FALSE(other.claim_ladder(4, waiting));
  EXPECT_FALSE(other.claim_ladder(6, waiting));  // is frozen

  database.add_ladder_stage(worker, ladder_stage(4, 0));
  EXPECT_EQ(other.sizes()[0].temperatures, sizes()[0].temperatures);
  const std::vector<double> frozen{0.1, 0.17, 0.22, 0.3};
  database.add_ladder_stage(worker, ladder_stage(4, 1), &frozen);
  EXPECT_EQ(other.sizes()[0].temperatures, frozen);
  EXPECT_FALSE(other.sizes()[0].adapting);
  EXPECT_FALSE(other.claim_ladder(4, waiting));
  EXPECT_FALSE(database.claim_ladder(4, worker));
  EXPECT_THROW(database.add_ladder_stage(worker, ladder_stage(4, 2)), LeaseLost);

  const auto stages = open(DatabaseAccess::read_only).ladder_stages(4);
  ASSERT_EQ(stages.size(), 2U);
  for (int i = 0; i < 2; ++i) {
    const LadderStage expected = ladder_stage(4, i);
    EXPECT_EQ(stages[i].L, 4);
    EXPECT_EQ(stages[i].stage, i);
    EXPECT_EQ(stages[i].pilots, expected.pilots);
    EXPECT_EQ(stages[i].measurements, expected.measurements);
    EXPECT_EQ(stages[i].temperatures, expected.temperatures);
    EXPECT_EQ(stages[i].exchange_attempts, expected.exchange_attempts);
    EXPECT_EQ(stages[i].exchange_accepted, expected.exchange_accepted);
    EXPECT_EQ(stages[i].walk_up, expected.walk_up);
    EXPECT_EQ(stages[i].walk_down, expected.walk_down);
    EXPECT_EQ(stages[i].round_trips, expected.round_trips);
    EXPECT_EQ(stages[i].checkpoints, expected.checkpoints);
  }
  EXPECT_EQ(open().realizations().size(), 10U);
}

TEST_F(LadderStages, ClaimEndsWithItsWorker) {
  Database database = create_adapting();
  const std::int64_t dead = database.add_worker(worker_row()), heir = database.add_worker(worker_row());
  EXPECT_TRUE(database.claim_ladder(4, dead));
  database.add_ladder_stage(dead, ladder_stage(4, 0));
  EXPECT_FALSE(database.claim_ladder(4, heir));
  database.remove_worker(dead, LeaseEnd::given_back);
  EXPECT_FALSE(database.claim_ladder(4, dead));
  const std::string before = contents(database);
  EXPECT_THAT([&] { database.add_ladder_stage(dead, ladder_stage(4, 1)); },
              Fails<LeaseLost>());  // nobody has taken it over yet
  EXPECT_THROW(database.add_ladder_stage(heir, ladder_stage(4, 1)), LeaseLost);
  EXPECT_EQ(contents(database), before);
  EXPECT_TRUE(database.claim_ladder(4, heir));
  EXPECT_THROW(database.add_ladder_stage(dead, ladder_stage(4, 1)), LeaseLost);
  database.add_ladder_stage(heir, ladder_stage(4, 1));
  EXPECT_EQ(database.ladder_stages(4).size(), 2U);
}

TEST_F(LadderStages, ThatDoNotFitAreRefused) {
  Database database = create_adapting();
  const std::int64_t worker = database.add_worker(worker_row());
  EXPECT_TRUE(database.claim_ladder(4, worker));
  database.add_ladder_stage(worker, ladder_stage(4, 0));
  EXPECT_THROW(database.add_ladder_stage(worker, ladder_stage(4, 0)), std::invalid_argument);
  EXPECT_THROW(database.add_ladder_stage(worker, ladder_stage(4, 2)), std::invalid_argument);
  LadderStage stage = ladder_stage(4, 1);
  stage.walk_down.pop_back();
  EXPECT_THROW(database.add_ladder_stage(worker, stage), std::invalid_argument);
  EXPECT_EQ(database.ladder_stages(4).size(), 1U);
}

}}  // namespace glassworks
