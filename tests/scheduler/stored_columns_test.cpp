#include "scheduler/campaign/stored_columns.hpp"

#include <fstream>
#include <iterator>

#include "scheduler/campaign/campaign_check.hpp"
#include "scheduler/campaign/explanation.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/db/other_columns.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Campaigns whose bins another version wrote.
namespace glassworks::testing { namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class StoredColumns : public SmallCampaign {
 protected:
  void SetUp() override {
    run_ = config("run");
    run_.round.samples_per_round = 2;
    run_campaign(run_, 12);
    before_ = explanations();
  }

  void store(const std::function<Names(const Names&)>& change) const {
    store_with_other_columns(run_.campaign.directory, change);
  }

  [[nodiscard]] std::string explanations() const {
    const Database database = read_campaign(run_);
    std::string text;
    for (RealizationRow row : database.realizations()) {
      row.attempt = 0;
      text += explain(run_, row, database.rounds(row.key), database.sizes().front());
    }
    return text;
  }

  [[nodiscard]] std::string bytes() const {
    std::ifstream file(run_.campaign.directory / database_file_name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Also with a threshold that is raised, for which finished realizations are decided upon again.
  void expect_refused() const {
    const std::string database = bytes();
    const auto checkpoints = checkpoint_files(run_);
    Config raised = run_;
    raised.convergence.max_rounds += 10;
    for (const Config& given : {run_, raised}) {
      EXPECT_THAT([&] { run_campaign(given); }, Fails());
    }
    EXPECT_EQ(bytes(), database);
    EXPECT_EQ(checkpoint_files(run_), checkpoints);
  }

  Config run_;
  std::string before_;
};

TEST_F(StoredColumns, InAnotherOrderAreReadAndNotContinued) {
  store(reversed);
  EXPECT_NO_THROW(require_readable(read_campaign(run_)));
  EXPECT_EQ(explanations(), before_);
  expect_refused();
}

TEST_F(StoredColumns, ThatThisVersionDoesNotHaveAreReadAndNotContinued) {
  store(with_one_more);
  EXPECT_NO_THROW(require_readable(read_campaign(run_)));
  EXPECT_EQ(explanations(), before_);
  expect_refused();
}

TEST_F(StoredColumns, ThatAreMissingAreReadAndNotContinued) {
  store(without("link_overlap"));
  EXPECT_EQ(explanations(), before_);
  expect_refused();
}

TEST_F(StoredColumns, OfThisVersionAreContinued) {
  store([](const Names& names) { return names; });
  EXPECT_EQ(run_campaign(run_), RunOutcome::complete);
}

TEST_F(StoredColumns, OfOneNameAreDamage) {
  store([](Names names) {
    names.push_back(names.front());
    return names;
  });
  EXPECT_THAT([&] { require_readable(read_campaign(run_)); }, Fails());
}

/// Their bits are not compared by position.
TEST_F(StoredColumns, AreFoundByVerify) {
  store(reversed);
  RoundControl control;
  const Verification found = verify(run_.campaign.directory, {.recompute = 2, .progress = {}}, control);
  ASSERT_THAT(found.problems, SizeIs(1));
  EXPECT_THAT(found.problems.front().what, HasSubstr("the bins of L = 4 are in another order"));
  EXPECT_EQ(found.recomputed, 0U);
}

TEST(ColumnDifferences, NameWhatDiffers) {
  const Config config = small_config("unused");
  const WrittenColumns written = written_columns(config, 0);
  const auto differences = [&](Names observables, Names samples) {
    std::vector<std::string> texts;
    const SizeRow size{
        .L = 4, .temperatures = {}, .observables = std::move(observables), .samples = std::move(samples)};
    for (auto& [L, text] : column_differences(config, {size})) texts.push_back(text);
    return texts;
  };
  EXPECT_THAT(differences(written.observables, written.samples), SizeIs(0));
  Names others = written.observables;
  for (std::size_t i = 0; i < 5; ++i) others[2 * i] = std::string(1, static_cast<char>('a' + i));
  EXPECT_THAT(differences(others, written.samples),
              ElementsAre("the bins of L = 4 lack energy, bond_energy, q_s and 2 others and hold a, b, c and 2 others, "
                          "unknown to this version"));
  EXPECT_THAT(differences(written.observables, {"energy_of_copy_2", "energy_of_copy_1"}),
              ElementsAre(HasSubstr("the samples of L = 4 lack link_overlap, ")));
}

}}  // namespace glassworks::testing
