#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

class Amend : public Campaign {
 protected:
  /// A raised maximum: realization 1 at L = 4, which had failed, is open again.
  static Amendment amendment(const Database& database) {
    RealizationRow row = database.realization({4, 1});
    row.status = RealizationStatus::equilibrating;
    row.reason = "";
    row.judgement = {.tau = 7.25, .equilibration_rounds = 3, .expected_rounds = 90};
    return {.config_text = "[campaign]\nseed = 1\n# more\n",
            .sizes = {{sizes()[0], realizations + 2}, {sizes()[1], realizations + 2}},
            .reopened = {row},
            .changes = {"disorder.realizations: 5 -> 7", "convergence.max_rounds: 16 -> 32"}};
  }

  Database failed_campaign() {
    Database database = create();
    advance(database, {{4, 0}, {4, 1}});
    database.set_status(database.realization({4, 1}), RealizationStatus::failed, "maximum of rounds");
    return database;
  }
};

TEST_F(Amend, RaisesTheConfigurationForAllConnections) {
  Database database = failed_campaign();
  Database other = open();
  const Changes before = other.changes_since(0);
  EXPECT_THAT(other.amendments(), IsEmpty());
  const Amendment change = amendment(database);
  database.amend(change);

  EXPECT_EQ(other.config_text(), change.config_text);
  EXPECT_EQ(other.realizations().size(), 14U);
  const RealizationRow added = other.realization({6, 6});
  EXPECT_EQ(added.status, RealizationStatus::queued);
  EXPECT_EQ(added.rounds, 0U);
  const RealizationRow row = other.realization({4, 1});
  EXPECT_EQ(row.status, RealizationStatus::equilibrating);
  EXPECT_EQ(row.reason, "");
  EXPECT_EQ(row.judgement, change.reopened[0].judgement);
  EXPECT_EQ(row.rounds, 1U);
  EXPECT_EQ(row.checkpoint, round({4, 1}, 0, 0).checkpoint);
  EXPECT_EQ(other.changes_since(before.sequence).rows.size(), 5U);
  advance(other, {{4, 1}, {6, 6}});

  database.amend({.config_text = "x", .sizes = {}, .reopened = {}, .changes = {"convergence.n_tau: 20 -> 30"}});
  const std::string time = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z ";
  EXPECT_THAT(open().amendments(), ElementsAre(MatchesRegex(time + "disorder.realizations: 5 -> 7"),
                                               MatchesRegex(time + "convergence.max_rounds: 16 -> 32"),
                                               MatchesRegex(time + "convergence.n_tau: 20 -> 30")));
}

TEST_F(Amend, WritesNothingWhenARowHasChanged) {
  Database database = failed_campaign();
  Database other = open();
  const Amendment stale = amendment(database);
  database.set_status(database.realization({4, 1}), RealizationStatus::producing, "");
  const auto leased = lease(other, first_worker(other), {{4, 1}});
  std::string before = contents(other);
  EXPECT_THAT([&] { database.amend(stale); }, Fails());
  EXPECT_EQ(contents(other), before);

  const Amendment of_a_leased_row = amendment(database);
  EXPECT_THAT([&] { database.amend(of_a_leased_row); }, Fails());
  EXPECT_EQ(contents(other), before);

  other.commit(leased[0].worker, next_rounds(leased), provenance(), now);
  before = contents(other);
  EXPECT_THAT([&] { database.amend(of_a_leased_row); }, Fails());
  EXPECT_EQ(contents(other), before);

  const Amendment before_a_lease = amendment(database);
  other.release(first_worker(other), lease(other, first_worker(other), {{4, 1}}), LeaseEnd::given_back);
  before = contents(other);
  EXPECT_THAT([&] { database.amend(before_a_lease); }, Fails());
  EXPECT_EQ(contents(other), before);
  EXPECT_EQ(other.config_text(), config());
  database.amend(amendment(database));
}

TEST_F(Amend, AddsSizes) {
  Database database = failed_campaign();
  const std::vector<RealizationRow> before = database.realizations();
  SizeRow large = sizes()[1];
  large.L = 10;
  database.amend({.config_text = "x", .sizes = {{large, 3}}, .reopened = {}, .changes = {"model.L: 4, 6 -> 4, 6, 10"}});
  const Database other = open();
  ASSERT_EQ(other.sizes().size(), 3U);
  EXPECT_EQ(other.sizes()[2].L, 10);
  EXPECT_EQ(other.sizes()[2].temperatures, large.temperatures);
  EXPECT_EQ(other.sizes()[2].observables, large.observables);
  ASSERT_EQ(other.realizations().size(), before.size() + 3);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(other.realizations()[i].rounds, before[i].rounds);
    EXPECT_EQ(other.realizations()[i].checkpoint, before[i].checkpoint);
  }
  EXPECT_EQ(other.realizations(10).size(), 3U);
  EXPECT_THAT(other.faults(CheckDepth::all), IsEmpty());
  advance(database, {{10, 2}});
}

TEST_F(Amend, TakesNothingAway) {
  Database database = failed_campaign();
  Amendment change = amendment(database);
  change.sizes[1].realizations = realizations - 1;
  const std::string before = contents(database);
  EXPECT_THROW(database.amend(change), std::invalid_argument);
  EXPECT_EQ(contents(database), before);
}

}}  // namespace glassworks
