#include "scheduler/ladder/ladder_pilots.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/ladder/ladder_adaptation.hpp"
#include "engine/ladder/ladder_guess.hpp"
#include "scheduler/campaign/amendment.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/ladder_pilots_fixture.hpp"

namespace glassworks::testing { namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

TEST_F(LadderPilotsTest, StagesAreStoredAndTheLadderIsFrozen) {
  const Config run = config("run");
  ASSERT_TRUE(adapt(run));
  const Database database = open(run);
  const std::vector<LadderStage> stages = database.ladder_stages(4);
  ASSERT_EQ(stages.size(), 6U);
  EXPECT_EQ(stages.front().temperatures, ladder_temperatures(run, 0));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const LadderStage& stage = stages[i];
    EXPECT_EQ(stage.pilots, 3);
    EXPECT_EQ(stage.measurements, 10);
    // 20 exchanges of three pilots and two copies, each pair in every other
    for (const std::uint64_t attempts : stage.exchange_attempts) EXPECT_EQ(attempts, 60U);
    EXPECT_GT(std::reduce(stage.exchange_accepted.begin(), stage.exchange_accepted.end()), 0U);
    for (std::size_t t = 0; t < stage.walk_up.size(); ++t) EXPECT_LE(stage.walk_up[t] + stage.walk_down[t], 60U);
    EXPECT_EQ(stage.walk_up.front(), 60U) << "the coldest slot is where walks up begin";
    if (i > 0) {
      EXPECT_EQ(stage.temperatures, next_temperatures(run.ladder, std::span(stages).first(i)));
    }
  }
  EXPECT_NE(stages.back().temperatures.size(), stages.front().temperatures.size());
  EXPECT_FALSE(database.sizes().front().adapting);
  EXPECT_EQ(database.sizes().front().temperatures, stages.back().temperatures);
  EXPECT_THAT(files(run), IsEmpty());
}

TEST_F(LadderPilotsTest, LinesForPeople) {
  ASSERT_TRUE(adapt(config("run")));
  ASSERT_EQ(said_.size(), 7U);
  EXPECT_THAT(said_[2],
              MatchesRegex("L = 4: ladder stage 3 of 6: acceptance 0\\.[0-9]+ to 0\\.[0-9]+ \\(smallest at T = "
                           "0\\.[0-9]+\\), Lambda = [0-9]+\\.[0-9], [0-9]+ round trips"));
  EXPECT_THAT(said_[6],
              MatchesRegex("L = 4: ladder frozen: [0-9]+ temperatures, acceptance .*, Lambda = .*; round trips "
                           "per stage: [0-9]+ in the first, [0-9]+ in the last \\(at most [0-9]+\\); "
                           "this Lambda suggests [0-9]+ slots"));
}

TEST_F(LadderPilotsTest, AFrozenLadderStays) {
  const Config run = config("run");
  ASSERT_TRUE(adapt(run));
  const std::string before = outcome(run);
  HookedBackend backend;
  RoundControl control;
  EXPECT_TRUE(adapt(run, backend, control));
  EXPECT_EQ(backend.rounds(), 0);
  EXPECT_EQ(outcome(run), before);
}

/// The last placement, after stage 4 of 6 (index 4), changes the number of slots.
TEST_F(LadderPilotsTest, StatesGoOnFromStageToStageUntilTheNumberOfSlotsChanges) {
  const Config run = config("run");
  ASSERT_TRUE(adapt(run));
  HookedBackend backend;
  RoundControl control;
  const Disorder disorder = make_disorder(run, {3, 4}, 2);
  ChainState state;
  std::size_t slots = 0;
  int starts = 0;
  for (const LadderStage& stage : open(run).ladder_stages(4)) {
    const Chain chain = make_chain(run, 0, stage.temperatures);
    if (stage.temperatures.size() != slots) {
      state = initial_state(chain, 2);
      slots = stage.temperatures.size();
      ++starts;
    }
    RoundRecord record;
    const RoundTask task{2, &disorder, &state, &record};
    backend.run_round(chain, std::span(&task, 1), control);
    EXPECT_THAT(stage.checkpoints, HasSubstr(" " + state_digest(state) + "\n")) << "stage " << stage.stage;
  }
  EXPECT_EQ(starts, 2);
}

TEST_F(LadderPilotsTest, OnlyTheFilesOfTheLastStageStay) {
  const Config run = config("run");
  for (const int stage : {0, 2}) {
    EXPECT_FALSE(adapt_rounds(run, stage == 0 ? 1 : 2));
    EXPECT_EQ(files(run).size(), 3U);
    const std::string pattern = "pilot-L004-s00" + std::to_string(stage) + "-r000[012]-[0-9a-f]{16}\\.ckpt";
    for (const std::string& file : files(run)) {
      EXPECT_THAT(file, ContainsRegex(pattern));
      EXPECT_THAT(open(run).ladder_stages(4).back().checkpoints, HasSubstr(file));
    }
  }
}

class LongLadderPilotsTest : public LadderPilotsTest {};

TEST_F(LongLadderPilotsTest, InterruptionsBatchesAndBackendsChangeNothing) {
  for (const LadderAdaptation kind : {LadderAdaptation::rejection, LadderAdaptation::feedback}) {
    Config whole = config(kind == LadderAdaptation::rejection ? "rejection" : "feedback");
    if (kind == LadderAdaptation::rejection) whole.model.L = {4, 6};
    whole.ladder.adapt = kind;
    ASSERT_TRUE(adapt(whole));
    const std::string expected = outcome(whole);
    for (const auto& [batch, rounds, backend_kind] :
         {std::tuple{1, 5, BackendKind::cpu}, {2, 1, BackendKind::cpu}, {0, 2, BackendKind::reference}}) {
      Config pieces = whole;
      pieces.campaign.directory += "-" + std::to_string(batch);
      pieces.backend.batch = batch;
      int runs = 0;
      for (bool complete = false; !complete; ++runs) {
        ASSERT_LT(runs, 50) << "no progress";
        RoundControl control;
        HookedBackend backend([&](int round) { control.stop = round == rounds + runs % 2; }, backend_kind);
        complete = adapt(pieces, backend, control);
      }
      EXPECT_GT(runs, 2);
      EXPECT_EQ(outcome(pieces), expected) << "batch " << batch;
      EXPECT_THAT(files(pieces), IsEmpty());
    }
  }
}

TEST_F(LongLadderPilotsTest, OtherModelsAreAdaptedFromABound) {
  struct {
    const char* name;
    ModelKind kind;
    CouplingKind couplings;
    ProtocolKind protocol;
    double T_min, T_max;
    LadderAdaptation adapt;
  } const cases[] = {
      {"ising", ModelKind::ising, CouplingKind::bimodal, ProtocolKind::local, 0.5, 3.0, LadderAdaptation::feedback},
      {"potts", ModelKind::potts, CouplingKind::ferromagnet, ProtocolKind::swendsen_wang, 1.0, 4.0,
       LadderAdaptation::rejection},
      {"on", ModelKind::on, CouplingKind::gaussian, ProtocolKind::local, 0.3, 1.5, LadderAdaptation::rejection},
      {"phi4", ModelKind::phi4, CouplingKind::ferromagnet, ProtocolKind::swendsen_wang, 0.6, 1.5,
       LadderAdaptation::rejection}};
  for (const auto& x : cases) {
    Config run = config(x.name);
    run.model.spins = {.kind = x.kind, .states = 3, .components = 2};
    run.model.couplings = x.couplings;
    run.replicas.copies = x.couplings == CouplingKind::ferromagnet ? 1 : 2;
    run.protocol.overrelaxation = 0;
    run.protocol.kind = x.protocol;
    run.protocol.cluster_sweeps = x.protocol == ProtocolKind::local ? 0 : 1;
    run.ladder.T_min = x.T_min;
    run.ladder.T_max = x.T_max;
    run.ladder.adapt = x.adapt;
    validate(run);
    ASSERT_TRUE(adapt(run)) << x.name;
    const Database database = open(run);
    const std::vector<LadderStage> stages = database.ladder_stages(4);
    ASSERT_EQ(stages.size(), 6U);
    EXPECT_EQ(std::ssize(stages.front().temperatures), most_automatic_slots(run.model, 4, x.T_min, x.T_max)) << x.name;
    EXPECT_LT(std::ranges::max(pair_rejections(stages.back())), 0.8) << x.name;
    for (std::size_t i = 1; i < stages.size(); ++i) {
      EXPECT_EQ(stages[i].temperatures, next_temperatures(run.ladder, std::span(stages).first(i))) << x.name;
      EXPECT_GT(std::ranges::min(stages[i].exchange_attempts), 0U) << x.name;
    }
    EXPECT_EQ(database.sizes().front().temperatures, stages.back().temperatures);
    EXPECT_FALSE(database.sizes().front().adapting);
  }
}

TEST_F(LadderPilotsTest, AnotherSeedIsAnotherLadder) {
  Config other = config("other");
  other.campaign.seed = 8;
  ASSERT_TRUE(adapt(config("run")));
  ASSERT_TRUE(adapt(other));
  EXPECT_NE(outcome(other), outcome(config("run")));
}

TEST_F(LadderPilotsTest, LostStatesAreSimulatedAgain) {
  const Config whole = config("whole");
  ASSERT_TRUE(adapt(whole));
  for (const bool removed : {true, false}) {
    const Config run = config(removed ? "removed" : "damaged");
    ASSERT_FALSE(adapt_rounds(run, 3));
    const fs::path file = run.campaign.directory / "checkpoints" / *std::next(files(run).begin());
    removed ? static_cast<void>(fs::remove(file)) : fs::resize_file(file, fs::file_size(file) - 1);
    said_.clear();
    EXPECT_TRUE(adapt(run));
    EXPECT_EQ(outcome(run), outcome(whole));
    EXPECT_THAT(said_.front(),
                AllOf(HasSubstr(file.filename().string()), HasSubstr("3 ladder stages are simulated again")));
    EXPECT_THAT(files(run), IsEmpty());
  }
}

TEST_F(LadderPilotsTest, StagesThatComeOutDifferentlyAreRefused) {
  const Config run = config("run");
  {
    Campaign campaign = campaign_of(run);
    Database& database = campaign.database();
    const std::int64_t worker = new_worker(database);
    ASSERT_TRUE(database.claim_ladder(4, worker));
    LadderStage stage;
    stage.L = 4;
    stage.pilots = 3;
    stage.measurements = 10;
    stage.temperatures = ladder_temperatures(run, 0);
    const std::size_t slots = stage.temperatures.size();
    stage.exchange_attempts.assign(slots - 1, 60);
    stage.exchange_accepted.assign(slots - 1, 30);
    stage.walk_up.assign(slots, 0);
    stage.walk_down.assign(slots, 0);
    const std::string digest(32, '0');
    for (std::uint32_t r = 0; r < 3; ++r) {
      stage.checkpoints += pilot_checkpoint_name(4, 0, r, digest) + " " + digest + "\n";
    }
    database.add_ladder_stage(worker, stage);
    database.remove_worker(worker, LeaseEnd::given_back);
  }
  EXPECT_THAT([&] { adapt(run); }, Fails());
  EXPECT_EQ(open(run).ladder_stages(4).size(), 1U);
}

TEST_F(LadderPilotsTest, PilotsAreThoseOfTheFirstStage) {
  Config few = config("few");
  few.disorder.realizations = {2};
  ASSERT_FALSE(adapt_rounds(few, 2));
  {
    Database database = open(few);
    few.disorder.realizations = {5};
    database.amend({.config_text = canonical_text(few), .sizes = size_entries(few), .reopened = {}, .changes = {}});
  }
  ASSERT_TRUE(adapt(few));
  for (const LadderStage& stage : open(few).ladder_stages(4)) EXPECT_EQ(stage.pilots, 2);
}

class StatisticsOfLadderPilots : public LadderPilotsTest {};

/// A ladder with equal steps is cut in two by its cold end, where nothing is accepted; the adapted one joins it. 400
/// exchanges of 6 pilots make a = 2400 attempts of each pair in a stage. Rejections r = 0.77 are measured in the last 3
/// stages and were made equal by the 5 before: standard error sqrt(r (1 - r) (1/3a + 1/5a)) = 0.0063. 11 pairs within 5
/// of them of their mean: false alarm 1e-5, and the seed is fixed.
TEST_F(StatisticsOfLadderPilots, ABadLadderBecomesOneWithEqualRejections) {
  Config run = config("run");
  run.ladder = {LadderKind::linear, 0.1, 1.0, {12}, {}, {}, LadderAdaptation::rejection, 6, 12};
  run.disorder.realizations = {6};
  run.protocol.exchanges_per_measurement = 10;
  run.round.measurements_per_round = {40};
  ASSERT_TRUE(adapt(run));
  const std::vector<LadderStage> stages = open(run).ladder_stages(4);
  const LadderStage frozen = sum_of_stages(std::span(stages).last(3));
  const std::vector<double> r = pair_rejections(frozen);
  EXPECT_GT(std::ranges::max(pair_rejections(stages.front())), 0.99);
  const double mean = std::reduce(r.begin(), r.end()) / 11.0;
  EXPECT_NEAR(mean, 0.77, 0.02);
  for (const double each : r) EXPECT_NEAR(each, mean, 5.0 * 0.0063);

  std::uint64_t unadapted = 0;  // the same pilots for as long with the first ladder
  HookedBackend backend;
  RoundControl control;
  const Chain chain = make_chain(run, 0);
  for (std::uint32_t realization = 0; realization < 6; ++realization) {
    const Disorder disorder = make_disorder(run, chain.lattice, realization);
    ChainState state = initial_state(chain, realization);
    RoundRecord record;
    const RoundTask task{realization, &disorder, &state, &record};
    for (int round = 0; round < 12; ++round) {
      backend.run_round(chain, std::span(&task, 1), control);
      if (round >= 9) unadapted += std::reduce(record.round_trips.begin(), record.round_trips.end(), std::uint64_t{0});
    }
  }
  EXPECT_LE(unadapted, 3U) << "of three stages";
  EXPECT_GE(frozen.round_trips, 100U) << "of three stages";
}

}}  // namespace glassworks::testing
