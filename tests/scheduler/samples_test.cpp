#include "kernels/rounds/bin_layout.hpp"
#include "scheduler/recovery/recomputation.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Samples of single measurements in a campaign: they are stored, change nothing else, and a campaign without them
/// stays without.
namespace glassworks::testing { namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CampaignSamples : public SmallCampaign {
 protected:
  [[nodiscard]] Config config_with(const std::string& name, int samples) const {
    Config run = config(name);
    run.round.measurements_per_round = {7};
    run.round.samples_per_round = samples;
    return run;
  }
  /// What an earlier version would have left: the stored configuration does not name the key.
  static void make_older(const Config& config) {
    Database database = Database::open(config.campaign.directory / database_file_name, DatabaseAccess::read_write);
    std::string text = database.config_text();
    const std::size_t line = text.find("round.samples = 0\n");
    ASSERT_NE(line, std::string::npos);
    text.erase(line, std::string("round.samples = 0\n").size());
    database.amend({.config_text = text, .sizes = {}, .reopened = {}, .changes = {}});
  }
  static Verification verify_all(const Config& config) {
    const auto backend = make_backend(config.backend.options);
    RoundControl control;
    return verify(config.campaign.directory, {100, backend.get(), {}}, control);
  }
};

TEST_F(CampaignSamples, AreStoredByDefaultAndNamed) {
  const Config run = config("run");
  ASSERT_EQ(run_campaign(run, 3), RunOutcome::stopped);
  const Database database = read_campaign(run);
  EXPECT_THAT(database.config_text(), HasSubstr("\nround.samples = 5\n"));
  const std::vector<std::string> names = BinLayout(SpinModel{}, 3, 2).sample_names();
  EXPECT_EQ(database.sizes().at(0).samples, names);
  std::size_t rounds = 0;
  for (const RealizationRow& row : database.realizations()) {
    for (const RoundRow& round : database.rounds(row.key)) {
      ++rounds;
      EXPECT_EQ(round.record.samples_per_slot, 5);
      ASSERT_EQ(round.record.samples.size(), 5 * 5 * names.size());
      // Five of five measurements: their mean is the bin. Energies of the copies come first.
      for (std::size_t slot = 0; slot < 5; ++slot) {
        double energy = 0.0;
        for (std::size_t s = 0; s < 5; ++s) {
          const float* sample = round.record.samples.data() + (slot * 5 + s) * names.size();
          energy += (sample[0] + sample[1]) / 10.0;
        }
        EXPECT_NEAR(energy, round.record.mean[slot * database.sizes()[0].observables.size()], 1e-6);
      }
    }
    for (const RoundRow& round : database.rounds(row.key, 0, RoundSamples::skip)) {
      EXPECT_THAT(round.record.samples, IsEmpty());
    }
  }
  EXPECT_GT(rounds, 0U);
}

TEST_F(CampaignSamples, ChangeNothingButTheDigestsOfTheBins) {
  const Config with = config_with("with", 3), without = config_with("without", 0);
  ASSERT_EQ(run_campaign(with), RunOutcome::complete);
  ASSERT_EQ(run_campaign(without), RunOutcome::complete);
  const Database a = read_campaign(with), b = read_campaign(without);
  EXPECT_THAT(b.sizes().at(0).samples, IsEmpty());
  for (const RealizationRow& row : a.realizations()) {
    const RealizationRow other = b.realization(row.key);
    EXPECT_EQ(row.status, other.status);
    EXPECT_EQ(row.reason, other.reason);
    EXPECT_EQ(row.state_digest, other.state_digest);
    EXPECT_NE(a.bins_digest(row.key), b.bins_digest(row.key));
    const std::vector<RoundRow> of_a = a.rounds(row.key, 0, RoundSamples::skip), of_b = b.rounds(row.key);
    ASSERT_EQ(of_a.size(), of_b.size());
    for (std::size_t i = 0; i < of_a.size(); ++i) EXPECT_EQ(of_a[i].record.mean, of_b[i].record.mean);
  }
}

TEST_F(CampaignSamples, OfAnEarlierVersionThereAreNoneAndItGoesOnAsItIs) {
  const Config alone = config_with("alone", 0), older = config_with("older", 0);
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  ASSERT_EQ(run_campaign(older, 7), RunOutcome::stopped);
  make_older(older);
  Config same_file = older;
  same_file.round.samples_per_round.reset();
  ASSERT_EQ(run_campaign(same_file), RunOutcome::complete);
  EXPECT_EQ(outcome(older), outcome(alone));
  EXPECT_THAT(read_campaign(older).config_text(), Not(HasSubstr("round.samples")));
  const Verification found = verify_all(older);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_GT(found.recomputed, 0U);

  same_file.disorder.realizations = {7};
  ASSERT_EQ(run_campaign(same_file), RunOutcome::complete);
  EXPECT_THAT(read_campaign(older).config_text(), HasSubstr("\nround.samples = 0\n"));
  EXPECT_EQ(read_campaign(older).rounds({4, 6}).at(0).record.samples_per_slot, 0);
}

TEST_F(CampaignSamples, OfACampaignStayAsTheyAre) {
  run_campaign(config_with("run", 3), 2);
  Config not_named = config("run");
  not_named.round.measurements_per_round = {7};
  EXPECT_EQ(run_campaign(not_named), RunOutcome::complete);
  EXPECT_EQ(outcome(not_named), (run_campaign(config_with("alone", 3)), outcome(config("alone"))));
  EXPECT_THAT([&] { run_campaign(config_with("run", 5)); }, Refuses(InputFault::changed, "round.samples"));
}

TEST_F(CampaignSamples, AreVerifiedAndSimulatedAgain) {
  const Config run = config_with("run", 3);
  run_campaign(run, 8);
  const Verification good = verify_all(run);
  EXPECT_THAT(good.problems, IsEmpty());
  EXPECT_GT(good.recomputed, 0U);
  {
    Database database = Database::open(run.campaign.directory / database_file_name, DatabaseAccess::read_write);
    std::string text = database.config_text();
    text.replace(text.find("round.samples = 3"), 17, "round.samples = 4");
    database.amend({.config_text = text, .sizes = {}, .reopened = {}, .changes = {}});
  }
  const Verification found = verify_all(run);
  ASSERT_THAT(found.problems, Not(IsEmpty()));
  EXPECT_THAT(found.problems[0].what, HasSubstr("it has 3 samples instead of 4"));
  EXPECT_THAT(found.problems.back().what, HasSubstr("differ in samples"));
}

}}  // namespace glassworks::testing
