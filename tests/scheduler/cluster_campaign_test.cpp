#include "kernels/rounds/chain_observables.hpp"
#include "scheduler/campaign/explanation.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Campaigns of models other than heisenberg: stored, interrupted, verified and judged as all campaigns are.
namespace glassworks::testing { namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Six runs of a small model with two temperatures of their own.
Config cluster_config(const std::filesystem::path& directory, ModelKind kind, ProtocolKind protocol) {
  Config config = small_config(directory);
  config.model.dim = 2;
  config.model.spins = {.kind = kind, .states = 3, .components = 2, .lambda = 0.5};
  config.model.couplings = CouplingKind::ferromagnet;
  config.replicas.copies = 1;
  config.ladder = {};
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {2.2, 2.6};
  config.protocol = {.overrelaxation = 0, .heatbath = 1, .exchanges_per_measurement = 1};
  config.protocol.exchange = ExchangeSchedule::none;
  config.protocol.kind = protocol;
  config.protocol.cluster_sweeps = protocol == ProtocolKind::local ? 0 : 1;
  config.protocol.seed_tile = protocol == ProtocolKind::few_cluster ? 2 : 0;
  config.round.samples_per_round = 5;
  config.convergence = {
      .min_rounds = 8, .max_rounds = 20, .min_round_trips = 20, .n_tau = 10.0, .equilibration_tau = 2.0};
  return config;
}

struct ModelAndUpdate {
  const char* name;
  ModelKind kind;
  ProtocolKind protocol;
};

class ClusterCampaign : public ::testing::TestWithParam<ModelAndUpdate> {
 protected:
  [[nodiscard]] Config config(const std::string& name) const {
    return cluster_config(scratch_.path() / name, GetParam().kind, GetParam().protocol);
  }
  ScratchDirectory scratch_;
};

TEST_P(ClusterCampaign, ComesOutTheSameHoweverItIsRun) {
  const Config alone = config("alone"), interrupted = config("interrupted");
  ASSERT_EQ(run_campaign(alone), RunOutcome::complete);
  int runs = 0;
  while (run_campaign(interrupted, 2) != RunOutcome::complete) ASSERT_LT(++runs, 100);
  EXPECT_GT(runs, 2);
  EXPECT_EQ(outcome(interrupted), outcome(alone));
  const Database database = read_campaign(alone);
  const Chain chain = make_chain(alone, 0);
  EXPECT_EQ(database.sizes().at(0).observables, BinLayout(chain).names());
  EXPECT_EQ(database.sizes().at(0).samples, BinLayout(chain).sample_names());
  for (const RealizationRow& row : database.realizations()) {
    EXPECT_TRUE(is_finished(row.status)) << row.reason;
    EXPECT_EQ(row.round_trips, 0U);
    EXPECT_GT(row.judgement.tau, 0.0);
    EXPECT_THAT(row.reason, HasSubstr(" in slot "));
  }
}

TEST_P(ClusterCampaign, IsVerifiedAndExplained) {
  const Config run = config("run");
  ASSERT_EQ(run_campaign(run), RunOutcome::complete);
  const auto backend = make_backend(run.backend.options);
  RoundControl control;
  const Verification result = verify(run.campaign.directory, {6, backend.get(), {}}, control);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.recomputed, 6U);
  const Database database = read_campaign(run);
  const RealizationRow row = database.realizations().front();
  const std::string text = explain(run, row, database.rounds(row.key), database.sizes().front());
  EXPECT_THAT(text, HasSubstr("Observables of slots without exchanges"));
  EXPECT_THAT(text, HasSubstr("m^2"));
}

INSTANTIATE_TEST_SUITE_P(
    Models, ClusterCampaign,
    ::testing::Values(ModelAndUpdate{"IsingSwendsenWang", ModelKind::ising, ProtocolKind::swendsen_wang},
                      ModelAndUpdate{"PottsLocal", ModelKind::potts, ProtocolKind::local},
                      ModelAndUpdate{"XYWolff", ModelKind::on, ProtocolKind::wolff},
                      ModelAndUpdate{"IsingFewCluster", ModelKind::ising, ProtocolKind::few_cluster},
                      ModelAndUpdate{"Phi4SwendsenWang", ModelKind::phi4, ProtocolKind::swendsen_wang}),
    [](const auto& one) { return one.param.name; });

/// Two copies of a spin glass with tempering are judged by their walk, as heisenberg is.
TEST(IsingSpinGlass, IsJudgedByItsTemperatureWalk) {
  const ScratchDirectory scratch;
  Config config = cluster_config(scratch.path() / "run", ModelKind::ising, ProtocolKind::local);
  config.model.couplings = CouplingKind::bimodal;
  config.replicas.copies = 2;
  config.ladder.temperatures = {1.0, 1.3, 1.7};
  config.protocol.exchange = ExchangeSchedule::even_odd;
  config.protocol.isoenergetic = 1;
  ASSERT_EQ(run_campaign(config), RunOutcome::complete);
  const Database database = read_campaign(config);
  for (const RealizationRow& row : database.realizations()) {
    EXPECT_GT(row.round_trips, 0U);
    EXPECT_THAT(row.reason, HasSubstr("round trips"));
  }
}

}}  // namespace glassworks::testing
