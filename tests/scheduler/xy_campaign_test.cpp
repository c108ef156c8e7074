#include "kernels/rounds/local_names.hpp"
#include "scheduler/campaign/explanation.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Campaigns of XY glasses with chiralities, and those that began before there were any.
namespace glassworks::testing { namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class XyCampaign : public ::testing::Test {
 protected:
  [[nodiscard]] Config config(const std::string& name, LocalSelection observables = 0) const {
    Config config = small_config(scratch_.path() / name);
    config.model.spins = {.kind = ModelKind::on, .components = 2};
    config.protocol.heatbath = 1;
    config.convergence.n_tau = 1.0;
    config.convergence.equilibration_tau = 0.2;
    config.convergence.rule_given = 2;
    config.round.samples_per_round = 2;
    config.round.observables = observables;
    return config;
  }
  [[nodiscard]] static std::vector<std::string> explanations(const Config& given) {
    const Database database = read_campaign(given);
    const Config stored = parse_config(database.config_text());
    std::vector<std::string> texts;
    for (const RealizationRow& row : database.realizations()) {
      texts.push_back(explain(stored, row, database.rounds(row.key), database.sizes().front()));
    }
    return texts;
  }
  static void expect_verified(const Config& given) {
    RoundControl control;
    EXPECT_THAT(verify(given.campaign.directory, {.recompute = 3, .progress = {}}, control).problems, IsEmpty());
  }

  ScratchDirectory scratch_;
};

TEST_F(XyCampaign, OfNewGlassesIsJudgedByItsChiralities) {
  const Config given = config("new");
  ASSERT_EQ(run_campaign(given), RunOutcome::complete);
  const SizeRow size = read_campaign(given).sizes().at(0);
  EXPECT_THAT(size.observables, Contains("chiral_zero"));
  EXPECT_THAT(size.samples, Contains("chiral_kmin_parallel"));
  EXPECT_THAT(explanations(given), Each(HasSubstr("q_c^2")));
  expect_verified(given);
}

/// `bond_nematic`, or nothing, was all that such a campaign stored.
TEST_F(XyCampaign, ThatBeganWithoutChiralitiesGoesOnAsItWas) {
  const Config whole = config("whole", 1), begun = config("begun", 1), given = config("begun");
  ASSERT_EQ(run_campaign(whole), RunOutcome::complete);
  ASSERT_NE(run_campaign(begun, 5), RunOutcome::complete);
  ASSERT_EQ(run_campaign(given), RunOutcome::complete);
  EXPECT_EQ(outcome(given), outcome(whole));
  EXPECT_THAT(read_campaign(given).sizes().at(0).observables, Not(Contains("chiral_zero")));
  EXPECT_THAT(explanations(given), Each(Not(HasSubstr("q_c^2"))));
  expect_verified(given);
}

}}  // namespace glassworks::testing
