#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/db/campaign_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::IsEmpty;

/// A campaign whose realizations have the numbers 10 to 14.
class FirstRealization : public Campaign {
 protected:
  static std::string text() { return "campaign.seed = 1\ndisorder.realizations = 5\ndisorder.first = 10\n"; }

  [[nodiscard]] Database created() const { return Database::create(file_, text(), sizes(), realizations); }

  void execute(const std::string& sql) const { SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec(sql); }
};

TEST_F(FirstRealization, IsWhereTheNumbersOfEachSizeBegin) {
  Database database = created();
  std::uint32_t next = 10;
  for (const RealizationRow& row : database.realizations(6)) EXPECT_EQ(row.key.realization, next++);
  EXPECT_EQ(next, 15U);
  EXPECT_EQ(database.realizations().size(), 10U);
  EXPECT_EQ(database.changes_since(0).rows.size(), 10U);
  advance(database, {{4, 10}, {6, 14}});
  EXPECT_EQ(database.rounds({6, 14}).size(), 1U);
  EXPECT_THAT(
      [&] {
        static_cast<void>(database.realization({4, 9}));
      },
      Refuses(InputFault::unknown, "realization 9 at L = 4"));
  EXPECT_THAT(database.faults(CheckDepth::all), IsEmpty());
}

TEST_F(FirstRealization, MoreComeBehindTheLastOne) {
  Database database = created();
  database.amend({.config_text = text() + "campaign.note = x\n",
                  .sizes = {{sizes()[0], realizations + 2}, {sizes()[1], realizations}},
                  .reopened = {},
                  .changes = {}});
  EXPECT_EQ(database.realizations(4).back().key.realization, 16U);
  EXPECT_EQ(database.realizations(4).size(), 7U);
  EXPECT_EQ(database.realizations(6).size(), 5U);
  EXPECT_THAT(open().faults(CheckDepth::all), IsEmpty());
}

TEST_F(FirstRealization, ARowThatIsMissingOrTooMuchIsNamed) {
  static_cast<void>(created());
  execute("DELETE FROM realizations WHERE L = 4 AND realization = 10");
  EXPECT_THAT([&] { static_cast<void>(open().realizations(4)); }, Fails());
  execute("UPDATE realizations SET realization = 9 WHERE L = 6 AND realization = 10");
  EXPECT_THAT([&] { static_cast<void>(open().realizations(6)); }, Fails());
  EXPECT_THAT(
      open().faults(CheckDepth::for_writing),
      testing::Contains("table realizations has a row of L = 6, realization 9, which table sizes does not have"));
}

}}  // namespace glassworks
