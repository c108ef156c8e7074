#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "scheduler/work/worker_pool.hpp"
#include "tests/scale/scale_campaign.hpp"

namespace glassworks { namespace {

constexpr int min_rounds = 8, max_rounds = 256;

/// Realizations: 400, or as many as GLASSWORKS_SCALE_REALIZATIONS says (10000 takes many minutes, most of them for the
/// files of checkpoints).
int realization_count() {
  const char* text = std::getenv("GLASSWORKS_SCALE_REALIZATIONS");
  return text == nullptr ? 400 : std::max(std::atoi(text), 1);
}

/// Rounds without simulation: noise around fixed means, and a walk whose autocorrelation time [rounds] has a fat tail
/// over realizations: tau = u^(-2/3) / 8 with u uniform (Pareto, alpha = 1.5).
///
/// seconds  receives the processor time of the rounds in the program
class SyntheticBackend : public HostBackend {
 public:
  explicit SyntheticBackend(double& seconds) : seconds_(seconds) {}

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl&) override {
    const double begin = testing::CpuTime::now().user;
    const BinLayout layout(SpinModel{}, chain.lattice.dim, chain.copies);
    const auto slots = static_cast<std::size_t>(chain.slots()), replicas = static_cast<std::size_t>(chain.replicas());
    for (const RoundTask& task : batch) {
      std::mt19937_64 hardness(task.realization), random(task.realization * 1'000'003ULL + task.state->steps);
      std::normal_distribution<double> normal;
      const double tau = 0.125 * std::pow(std::uniform_real_distribution<>(1e-6, 1.0)(hardness), -2.0 / 3.0);
      const double memory = std::exp(-1.0 / tau);
      RoundRecord& record = *task.record;
      record.measurements = chain.measurements;
      record.mean.resize(slots * static_cast<std::size_t>(layout.size()));
      for (double& mean : record.mean) mean = normal(random);
      record.exchange_attempts.assign(slots - 1, 1000);
      record.exchange_accepted.assign(slots - 1, 300);
      record.walk_up.assign(slots, 1);
      record.walk_down.assign(slots, 1);
      record.round_trips.assign(replicas, 1);
      // The walk goes on from round to round: its last value is kept in the state, in the place of a spin.
      record.walk_mean.resize(replicas * walk_functions);
      for (std::size_t r = 0; r < replicas; ++r) {
        float& walk = task.state->spins[r];
        if (task.state->steps == 0) walk = static_cast<float>(normal(random));
        walk = static_cast<float>(memory * walk + std::sqrt(1.0 - memory * memory) * normal(random));
        for (std::size_t f = 0; f < walk_functions; ++f) record.walk_mean[r * walk_functions + f] = 0.5 * walk;
        ++task.state->round_trips[r];
      }
      ++task.state->steps;
    }
    seconds_ += testing::CpuTime::now().user - begin;
    return RoundOutcome::finished;
  }
  [[nodiscard]] std::string refusal(const Chain&) const override { return {}; }
  [[nodiscard]] std::string description() const override { return "synthetic"; }
  [[nodiscard]] int preferred_batch(const Chain&) const override { return 128; }

 private:
  double& seconds_;
};

// The whole of a run but the simulation: order of work, leases, states in checkpoints, decisions, commits.
TEST(PoolScale, ACampaignOfUnevenRealizationsCostsLittleBesideItsRounds) {
  const testing::DiskDirectory directory;
  Config config;
  config.campaign.directory = directory.path();
  config.model.L = {4};
  config.disorder.realizations = {realization_count()};
  config.ladder.T_min = 0.5;
  config.ladder.T_max = 0.9;
  config.ladder.slots = {16};
  config.round.measurements_per_round = {10};
  config.convergence = {.min_rounds = min_rounds, .max_rounds = max_rounds, .min_round_trips = 10, .rule_given = 1};
  config.backend.options.threads = 2;

  Campaign campaign = Campaign::create_or_continue(config);
  std::vector<WorkerBackend> backends;
  double simulation = 0.0;
  backends.push_back({std::make_unique<SyntheticBackend>(simulation), 0});
  WorkerPool pool(campaign, std::move(backends), {"test", "test", "test", "test", "test"});
  RoundControl control;
  std::size_t rounds = 0;
  const auto progress = [&](const CampaignProgress& p) { rounds = p.rounds; };
  const double begin = testing::CpuTime::of_all_threads().user;
  ASSERT_EQ(pool.run(control, {progress, {}, {}}), RunOutcome::complete);
  const double beside = testing::CpuTime::of_all_threads().user - begin - simulation;

  std::vector<std::uint32_t> lengths;
  for (const RealizationRow& row : campaign.database().realizations()) lengths.push_back(row.rounds);
  std::sort(lengths.begin(), lengths.end());
  const auto n = static_cast<double>(rounds);
  const TimeShares times = pool.times();
  std::printf(
      "%d realizations, %zu rounds (median %u, largest %u each); per round: database, order and decisions %.3f ms, "
      "checkpoints %.3f ms; processor time of both in the program %.3f ms\n",
      config.disorder.realizations.front(), rounds, lengths[lengths.size() / 2], lengths.back(),
      1e3 * times.database / n, 1e3 * times.checkpoints / n, 1e3 * beside / n);
  // Time on the processor outside of the system, which neither other load nor a slow disk changes much: 0.3 to 0.4 ms.
  EXPECT_LT(1e3 * beside / n, 0.8);
  EXPECT_EQ(lengths.front(), static_cast<std::uint32_t>(min_rounds));
  EXPECT_GT(lengths.back(), 4U * min_rounds) << "the law of hardness has lost its tail";
}

}}  // namespace glassworks
