#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>

#include "tools/tune/start_states.hpp"
#include "tools/tune/tune_size.hpp"

namespace glassworks::testing { namespace {

Config small() {
  return parse_config(
      "campaign.seed = 5\ncampaign.directory = c\nmodel.L = 4\ndisorder.realizations = 8\nladder.T_min = 0.3\n"
      "ladder.T_max = 0.9\nladder.slots = 4\nprotocol.overrelaxation = 2\nprotocol.exchanges_per_measurement = 2\n");
}

const PilotShape shape{.realizations = 3, .runs = 2, .measurements = 40, .equilibration = 10};

PilotSeries series_of(const BackendOptions& options, int batch, const ProtocolChoice& choice) {
  Config config = small();
  config.backend.options = options;
  config.backend.batch = batch;
  const std::unique_ptr<Backend> backend = make_backend(options);
  RoundControl control;
  PilotRuns pilots(config, 0, *backend, true, control);
  EXPECT_TRUE(pilots.equilibrate(shape));
  return pilots.measure(choice).value();
}

ProtocolChoice other_choice() {
  return varied(configured_choice(small(), 0), {}, {{TuneKey::overrelaxation, 1}, {TuneKey::slots, 5}});
}

TEST(PilotRuns, HaveTheSameBitsOnEveryBackendWithAnyThreadsAndBatches) {
  for (const ProtocolChoice& choice : {configured_choice(small(), 0), other_choice()}) {
    const PilotSeries oracle = series_of({.kind = BackendKind::reference}, 6, choice);
    for (const int threads : {1, 3}) {
      for (const int batch : {6, 4, 1}) {
        const PilotSeries series = series_of({.kind = BackendKind::cpu, .threads = threads}, batch, choice);
        EXPECT_EQ(series.means, oracle.means);
        EXPECT_EQ(series.first, oracle.first);
        EXPECT_EQ(series.second, oracle.second);
        EXPECT_EQ(series.walk, oracle.walk);
        EXPECT_EQ(series.measurements, oracle.measurements);
      }
    }
  }
}

/// Keeps what it is given.
class Spy final : public HostBackend {
 public:
  struct Seen {
    std::uint32_t number;
    std::vector<float> couplings;
    std::uint64_t steps;
  };

  RoundOutcome run_round(const Chain& chain, std::span<const RoundTask> batch, RoundControl& control) override {
    for (const RoundTask& task : batch) seen.push_back({task.realization, task.disorder->couplings, task.state->steps});
    return backend_->run_round(chain, batch, control);
  }
  [[nodiscard]] std::string refusal(const Chain&) const override { return {}; }
  [[nodiscard]] std::string description() const override { return "spy"; }

  std::vector<Seen> seen;

 private:
  std::unique_ptr<Backend> backend_ = make_backend({.kind = BackendKind::cpu, .threads = 1});
};

TEST(PilotRuns, HaveTheCouplingsOfTheirRealizationAndDynamicsOfTheirOwn) {
  const Config config = small();
  Spy spy;
  RoundControl control;
  PilotRuns pilots(config, 0, spy, true, control);
  ASSERT_TRUE(pilots.equilibrate(shape));
  const std::size_t before = spy.seen.size();
  ASSERT_TRUE(pilots.measure(pilots.configured()));
  std::set<std::uint32_t> equilibrating, measuring;
  std::map<std::uint32_t, int> runs_of;
  for (std::size_t i = 0; i < spy.seen.size(); ++i) {
    const Spy::Seen& seen = spy.seen[i];
    const bool is_new = (i < before ? equilibrating : measuring).insert(seen.number).second;
    EXPECT_GE(seen.number, 1U << 31);  // of no campaign
    for (std::uint32_t r = 0; r < 3; ++r) {
      if (is_new && seen.couplings == make_disorder(config, config.lattice(4), r).couplings) ++runs_of[r];
    }
  }
  EXPECT_EQ(equilibrating.size(), 6U);
  EXPECT_EQ(measuring.size(), 6U);
  for (const std::uint32_t number : measuring) EXPECT_FALSE(equilibrating.contains(number));
  EXPECT_EQ(runs_of, (std::map<std::uint32_t, int>{{0, 4}, {1, 4}, {2, 4}}));  // two runs, twice
}

TEST(PilotRuns, MeasureTheAveragesOfACampaign) {
  const PilotSeries series = series_of({.kind = BackendKind::cpu, .threads = 1}, 6, configured_choice(small(), 0));
  ASSERT_EQ(series.means.size(), 3U);  // energy, chi_sg, chi_cg
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LT(series.means[0][i], -0.5);  // below T = 0.3 all realizations of L = 4 have e < -1
    EXPECT_GT(series.means[1][i], 0.1);
    EXPECT_LE(series.means[1][i], 64.0);  // N sum |q|^2 <= N
    EXPECT_NEAR(series.means[0][i], 0.5 * (series.first[0][i] + series.second[0][i]), 1e-12);
  }
  EXPECT_NE(series.means[1][0], series.means[1][1]);  // runs differ
}

TEST(PilotRuns, StopWhenAsked) {
  const Config config = small();
  const std::unique_ptr<Backend> backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  RoundControl control;
  PilotRuns pilots(config, 0, *backend, true, control);
  ASSERT_TRUE(pilots.equilibrate(shape));
  control.stop = true;
  EXPECT_FALSE(pilots.measure(pilots.configured()));
  EXPECT_FALSE(pilots.equilibrate(shape));
  EXPECT_FALSE(pilots.try_out(0.1));
}

TEST(MovedToLadder, TakesTheSpinsOfTheNearestTemperature) {
  const Chain from = make_chain(small(), 0, {0.3, 0.5, 0.7, 0.9}), to = make_chain(small(), 0, {0.3, 0.52, 0.9});
  ChainState state = initial_state(from, 0);
  std::swap(state.slot[0], state.slot[2]);  // of copy 0: replica 2 is the coldest, replica 0 at 0.7
  const ChainState moved = moved_to_ladder(state, from, to);
  EXPECT_EQ(moved.slot, (std::vector<std::uint16_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(moved.heading, (std::vector<std::int8_t>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(moved.steps, 0U);
  const std::size_t size = state.spins.size() / 8;
  const std::vector<std::size_t> replicas{2, 1, 3, 4, 5, 7};
  ASSERT_EQ(moved.spins.size(), 6 * size);
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    EXPECT_TRUE(std::equal(moved.spins.begin() + static_cast<std::ptrdiff_t>(i * size),
                           moved.spins.begin() + static_cast<std::ptrdiff_t>((i + 1) * size),
                           state.spins.begin() + static_cast<std::ptrdiff_t>(replicas[i] * size)))
        << i;
  }
}

/// Series with c(t) = variance exp(-t/theta) of the first test function in every realization.
TEST(WalkFigure, OfAnExponentialIsItsTimeAndSoWithoutAnyRealization) {
  PilotSeries series;
  series.choice = configured_choice(small(), 0);
  series.choice.slots = 4;
  const double variance = (0.75 * 0.75 + 0.25 * 0.25) / 2.0, decay = std::exp(-1.0 / 3.0);
  for (auto& of_function : series.walk) of_function.assign(3, std::vector<double>(60, 0.0));
  for (std::vector<double>& c : series.walk[0]) {
    for (std::size_t t = 0; t < c.size(); ++t) c[t] = variance * std::pow(decay, static_cast<double>(t));
  }
  const auto walk = walk_figure(series);
  ASSERT_TRUE(walk);
  EXPECT_TRUE(walk->resolved);
  EXPECT_NEAR(walk->tau, 0.5 * (1.0 + decay) / (1.0 - decay), 0.03);  // the window leaves out exp(-6)
  for (const double one : walk->log_tau.without) EXPECT_NEAR(one, std::log(walk->tau), 1e-12);
  series.choice.protocol.exchange = ExchangeSchedule::none;
  EXPECT_FALSE(walk_figure(series));
}

TEST(TuneSize, FindsTheSameFiguresAgainFromTheLengthsThatItPrints) {
  const Config config = small();
  const std::unique_ptr<Backend> backend = make_backend({.kind = BackendKind::cpu, .threads = 1});
  RoundControl control;
  TuneRequest request{.seconds = 3.0, .axes = {{TuneKey::overrelaxation, {1}}}};
  PilotRuns first(config, 0, *backend, true, control);
  const auto by_time = tune_size(first, config.model.spins, 4, request, control);
  ASSERT_TRUE(by_time);
  // The time may end before the second protocol where others use the processor; the result then says so.
  ASSERT_EQ(by_time->rows.size(), by_time->complete ? 2U : 1U);
  const PilotShape& chosen = by_time->shape;
  request.lengths = {chosen.realizations, chosen.runs, chosen.measurements, chosen.equilibration};
  request.seconds.reset();
  PilotRuns second(config, 0, *backend, true, control);
  const auto again = tune_size(second, config.model.spins, 4, request, control);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->shape, chosen);
  ASSERT_EQ(again->rows.size(), 2U);
  for (std::size_t i = 0; i < by_time->rows.size(); ++i) {
    EXPECT_EQ(again->rows[i].walk->tau, by_time->rows[i].walk->tau);
    EXPECT_EQ(again->rows[i].largest_drift, by_time->rows[i].largest_drift);
  }
}

}}  // namespace glassworks::testing
