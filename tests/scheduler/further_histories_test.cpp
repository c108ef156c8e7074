#include <algorithm>
#include <cmath>

#include "scheduler/histories/second_history.hpp"
#include "scheduler/histories/start.hpp"
#include "scheduler/histories/validation.hpp"
#include "scheduler/recovery/verification.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

/// Energy of a replica of Heisenberg spins, per site.
double energy_of(const Chain& chain, const Disorder& disorder, const ChainState& state, std::size_t replica) {
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  double sum = 0.0;
  for (std::size_t i = 0; i < sites; ++i) {
    for (int bond = 0; bond < chain.lattice.owned(); ++bond) {
      const auto j = static_cast<std::size_t>(chain.lattice.neighbour(static_cast<std::int64_t>(i), bond, 1));
      for (std::size_t c = 0; c < 3; ++c) {
        sum -= static_cast<double>(disorder.couplings[i * static_cast<std::size_t>(chain.lattice.owned()) +
                                                      static_cast<std::size_t>(bond)]) *
               static_cast<double>(state.spins[(replica * 3 + c) * sites + i]) *
               static_cast<double>(state.spins[(replica * 3 + c) * sites + j]);
      }
    }
  }
  return sum / static_cast<double>(sites);
}

class FurtherHistories : public SmallCampaign {
 protected:
  static ChainState annealed(const Config& config, BackendKind kind, std::uint32_t realization) {
    const Chain chain = make_chain(config, 0);
    const Disorder disorder = make_disorder(config, chain.lattice, realization);
    ChainState state;
    const Beginning beginning{realization, &disorder, &state};
    RoundControl control;
    const std::unique_ptr<Backend> backend = make_backend({.kind = kind, .threads = 1});
    EXPECT_TRUE(make_starts(config, chain, {&beginning, 1}, *backend, control));
    return state;
  }
};

TEST_F(FurtherHistories, AnnealedStartsAreTheSameBitsWithEveryBackendAndColdAtTheBottom) {
  Config annealing = config("annealed");
  annealing.campaign.start = Start::annealed;
  annealing.campaign.history = 1;
  const ChainState state = annealed(annealing, BackendKind::cpu, 3);
  EXPECT_EQ(state, annealed(annealing, BackendKind::reference, 3));
  EXPECT_EQ(state.steps, 0U);
  const Chain chain = make_chain(annealing, 0);
  const Disorder disorder = make_disorder(annealing, chain.lattice, 3);
  for (std::size_t copy = 0; copy < 2; ++copy) {
    const double cold = energy_of(chain, disorder, state, copy * 5),
                 hot = energy_of(chain, disorder, state, copy * 5 + 4);
    EXPECT_LT(cold, hot) << "T = 0.5 and 0.9";
    EXPECT_LT(hot, -0.5) << "not random: -0.0 +- 0.2";
  }
  annealing.campaign.history = 2;
  EXPECT_NE(state.spins, annealed(annealing, BackendKind::cpu, 3).spins);
}

TEST_F(FurtherHistories, OrderedStartsAreParallel) {
  Config ordered = config("ordered");
  ordered.campaign.start = Start::ordered;
  const ChainState state = initial_state(make_chain(ordered, 0), 0);
  const std::size_t sites = 64;
  for (std::size_t replica = 0; replica < 10; ++replica) {
    for (std::size_t i = 0; i < sites; ++i) {
      ASSERT_EQ(state.spins[(replica * 3 + 0) * sites + i], 0.0F);
      ASSERT_EQ(state.spins[(replica * 3 + 2) * sites + i], 1.0F);
    }
  }
}

TEST_F(FurtherHistories, SecondHistoriesAreACampaignOfTheirOwn) {
  Config first = config("first");
  first.disorder.realizations = {10};
  run_campaign(first);
  const std::string before = outcome(first);
  CampaignConfig asked;
  EXPECT_FALSE(second_history_config(first, asked));
  asked.second_start = SecondStart::annealed;
  const std::optional<Config> second = second_history_config(first, asked);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->campaign.directory, first.campaign.directory / "second");
  EXPECT_EQ(second->disorder.realizations, std::vector<int>{8}) << "an eighth, but at least 8";
  EXPECT_EQ(second->campaign.start, Start::annealed);
  EXPECT_EQ(second->campaign.history, 1);
  const Disorder a = make_disorder(first, first.lattice(4), 2), b = make_disorder(*second, first.lattice(4), 2);
  EXPECT_EQ(a.couplings, b.couplings) << "the disorder is the same";
  static_cast<void>(open_campaign_part(read_campaign(first), *second));
  // A kill in the middle, and another number of workers, change nothing.
  EXPECT_EQ(run_campaign(*second, 3), RunOutcome::stopped);
  EXPECT_EQ(run_campaign(*second), RunOutcome::complete);
  Config again = *second;
  again.campaign.directory = first.campaign.directory / "again";
  again.backend.options.kind = BackendKind::reference;
  EXPECT_EQ(run_campaign(again), RunOutcome::complete);
  EXPECT_EQ(outcome(again), outcome(*second));
  EXPECT_EQ(outcome(first), before) << "the campaign itself is untouched";
  // Asked for no more, they go on as they began.
  const std::optional<Config> later = second_history_config(first, {});
  ASSERT_TRUE(later);
  EXPECT_EQ(later->campaign.start, Start::annealed);
  EXPECT_EQ(later->disorder.realizations, std::vector<int>{8});
  RoundControl control;
  EXPECT_TRUE(verify(second->campaign.directory, {.recompute = 4, .backend = nullptr, .progress = {}}, control)
                  .problems.empty());
}

TEST_F(FurtherHistories, ValidationsRunOnToFiveTimesTheLength) {
  const Config first = config("first");
  run_campaign(first);
  const std::string before = outcome(first);
  const ValidationPlan plan =
      plan_validation(read_campaign(first), first, {.kind = CampaignPart::fivefold, .sample = 4, .sizes = {}});
  EXPECT_EQ(plan.chosen, 4U);
  prepare_validation(read_campaign(first), plan);
  EXPECT_EQ(run_campaign(plan.config, 2), RunOutcome::stopped);
  prepare_validation(read_campaign(first), plan);  // the same command again
  EXPECT_EQ(run_campaign(plan.config), RunOutcome::complete);
  const Database database = read_campaign(plan.config), campaign = read_campaign(first);
  for (const RealizationRow& row : database.realizations()) {
    const RealizationRow own = campaign.realization(row.key);
    if (own.status != RealizationStatus::converged) {
      EXPECT_EQ(row.rounds, 0U);
      continue;
    }
    EXPECT_EQ(row.status, RealizationStatus::converged);
    EXPECT_EQ(row.rounds, 5 * own.rounds);
    EXPECT_EQ(row.judgement.equilibration_rounds, 5 * own.rounds / 2);
    const std::vector<RoundRow> once = campaign.rounds(row.key), longer = database.rounds(row.key);
    for (std::size_t r = 0; r < once.size(); ++r) ASSERT_EQ(once[r].record, longer[r].record) << "it goes on";
  }
  EXPECT_EQ(outcome(first), before);
}

TEST_F(FurtherHistories, ValidationsTakeRealizationsFromTheFirstNumberOn) {
  Config first = config("first");
  first.disorder.first_realization = 5;
  run_campaign(first);
  const ValidationPlan plan =
      plan_validation(read_campaign(first), first, {.kind = CampaignPart::fivefold, .sample = 2, .sizes = {4}});
  EXPECT_EQ(plan.chosen, 2U);
  EXPECT_EQ(plan.rows.front().key.realization, 5U);
  prepare_validation(read_campaign(first), plan);
  EXPECT_EQ(run_campaign(plan.config), RunOutcome::complete);
  EXPECT_EQ(read_campaign(plan.config).realization(plan.rows.front().key).rounds,
            plan.rows.front().judgement.expected_rounds);
}

TEST_F(FurtherHistories, AnotherGeneratorGivesOtherNumbersWithTheSameDisorder) {
  const Config first = config("first");
  run_campaign(first);
  const ValidationPlan plan =
      plan_validation(read_campaign(first), first, {.kind = CampaignPart::other_generator, .sample = 2, .sizes = {4}});
  EXPECT_EQ(plan.config.backend.options.kind, BackendKind::reference);
  prepare_validation(read_campaign(first), plan);
  EXPECT_EQ(run_campaign(plan.config), RunOutcome::complete);
  const Database database = read_campaign(plan.config), campaign = read_campaign(first);
  const RealizationKey key{4, 0};
  EXPECT_EQ(database.realization(key).rounds, campaign.realization(key).rounds);
  EXPECT_NE(database.rounds(key).front().record.mean, campaign.rounds(key).front().record.mean);
  Config elsewhere = plan.config;
  elsewhere.backend.options.kind = BackendKind::cpu;
  EXPECT_THROW(static_cast<void>(make_worker_backends(elsewhere)), InputError);
  EXPECT_THROW(static_cast<void>(make_backend({.kind = BackendKind::cpu})
                                     ->hold(make_chain(plan.config, 0), {})
                                     ->run_round({}, *std::make_unique<RoundControl>())),
               std::runtime_error);
}

TEST_F(FurtherHistories, NothingToValidateIsRefused) {
  Config first = config("first");
  first.convergence.max_rounds = 8;
  first.convergence.min_round_trips = 1000;
  run_campaign(first);
  EXPECT_THROW(static_cast<void>(plan_validation(read_campaign(first), first, {})), InputError);
  EXPECT_THROW(static_cast<void>(plan_validation(read_campaign(first), first,
                                                 {.kind = CampaignPart::fivefold, .sample = 4, .sizes = {6}})),
               InputError);
}

}}  // namespace glassworks::testing
