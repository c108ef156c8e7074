#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusals.hpp"
#include "tools/tune/protocol_choice.hpp"
#include "tools/tune/tune_plan.hpp"
#include "tools/tune/tuned_config.hpp"

namespace glassworks::testing { namespace {

Config config_with(const std::string& more = "") {
  return parse_config(
      "campaign.seed = 3\nmodel.L = 4, 6\ndisorder.realizations = 8\nladder.T_min = 0.2\n"
      "ladder.T_max = 0.6\nladder.slots = 8, 12\ncampaign.directory = c\n" +
      more);
}

std::map<TuneKey, std::vector<int>> values_of(const std::vector<TuneAxis>& axes) {
  std::map<TuneKey, std::vector<int>> values;
  for (const TuneAxis& axis : axes) values[axis.key] = axis.values;
  return values;
}

TEST(TuneAxes, LeaveOutWhatIsConfigured) {
  const auto values = values_of(tune_axes(config_with(), 1, {}));
  EXPECT_EQ(values.at(TuneKey::overrelaxation), (std::vector{20, 5, 3, 2, 1}));
  EXPECT_EQ(values.at(TuneKey::heatbath), std::vector{2});
  EXPECT_EQ(values.at(TuneKey::sweeps_per_exchange), std::vector{2});
  EXPECT_EQ(values.at(TuneKey::exchanges_per_measurement), (std::vector{5, 20}));
  EXPECT_EQ(values.at(TuneKey::slots), (std::vector{9, 16}));
  EXPECT_FALSE(values.contains(TuneKey::cluster_sweeps));
}

TEST(TuneAxes, OfAListAreThoseOfTheList) {
  const auto values = values_of(tune_axes(config_with(), 0, {{TuneKey::overrelaxation, {7, 10, 0, 7}}}));
  EXPECT_EQ(values.size(), 1U);
  EXPECT_EQ(values.at(TuneKey::overrelaxation), (std::vector{7, 0}));
}

/// A list of moves stays as it is.
TEST(TuneAxes, OfMovesAreTheNumbersAroundThem) {
  const Config config = config_with("protocol.moves = heat-bath 1, over-relaxation 4\n");
  const auto values = values_of(tune_axes(config, 0, {}));
  EXPECT_EQ(values.at(TuneKey::sweeps_per_exchange), std::vector{2});
  EXPECT_EQ(values.at(TuneKey::exchanges_per_measurement), (std::vector{5, 20}));
  EXPECT_TRUE(values.contains(TuneKey::slots));
  EXPECT_EQ(values.size(), 3U);
  EXPECT_THAT(([&] {
                return tune_axes(config, 0, {{TuneKey::heatbath, {3}}});
              }),
              Refuses(InputFault::conflict, "--heatbath"));
  const ProtocolChoice base = configured_choice(config, 0);
  EXPECT_EQ(sweeps_per_measurement(base, config.model.spins), 50.0);
  EXPECT_EQ(varied(base, config.model.spins, {{TuneKey::sweeps_per_exchange, 2}}).protocol.moves,
            config.protocol.moves);
}

TEST(TuneAxes, RefuseWhatDoesNotApply) {
  const Config ising = config_with("model.type = ising\n");
  EXPECT_THAT(([&] {
                return tune_axes(ising, 0, {{TuneKey::overrelaxation, {3}}});
              }),
              Refuses(InputFault::conflict, "--overrelaxation"));
  EXPECT_THAT(([&] {
                return tune_axes(config_with(), 0, {{TuneKey::slots, {1}}});
              }),
              Refuses(InputFault::out_of_range, "ladder.slots"));
}

TEST(Varied, KeepsMeasurementsAsManySweepsApart) {
  const ProtocolChoice base = configured_choice(config_with(), 0);
  const SpinModel model;
  EXPECT_EQ(sweeps_per_measurement(base, model), 110.0);
  for (const auto& [n_M, n_A] : std::map<int, int>{{20, 5}, {5, 18}, {3, 28}, {2, 37}, {1, 55}, {0, 110}}) {
    const ProtocolChoice choice = varied(base, model, {{TuneKey::overrelaxation, n_M}});
    EXPECT_EQ(choice.protocol.overrelaxation, n_M);
    EXPECT_EQ(choice.protocol.exchanges_per_measurement, n_A);
  }
  const ProtocolChoice both =
      varied(base, model, {{TuneKey::overrelaxation, 1}, {TuneKey::exchanges_per_measurement, 20}});
  EXPECT_EQ(both.protocol.exchanges_per_measurement, 110);
  EXPECT_EQ(difference_text(base, both, model), "n_M = 1, n_A = 110");
  EXPECT_EQ(difference_text(base, varied(base, model, {{TuneKey::overrelaxation, 1}}), model), "n_M = 1");
  EXPECT_EQ(difference_text(base, base, model), "as configured");
}

TEST(ChooseShape, MakesRunsOfManyTauAndAsManyAsFit) {
  PilotTrial trial{.seconds = 0.01, .batch = 40};
  trial.walks = trial.tau_resolved = true;
  trial.tau = 12.5;
  const PilotShape shape = choose_shape({}, trial, 10, 600.0, 100000);
  EXPECT_EQ(shape.measurements, 300);
  EXPECT_EQ(shape.equilibration, 300);
  // One batch takes 0.01 s (300 + 12 * 300) = 39 s; 13 of them fit into 600/1.15 s.
  EXPECT_EQ(shape.runs, 8);
  EXPECT_EQ(shape.realizations, 13 * 40 / 8);
  EXPECT_EQ(choose_shape({}, trial, 10, 600.0, 64).tasks(), 64);  // memory
}

TEST(ChooseShape, ShortensRunsWhereFewBatchesFit) {
  PilotTrial trial{.seconds = 0.01, .batch = 40};
  trial.walks = trial.tau_resolved = true;
  trial.tau = 12.5;
  // 2.2 batches of 24 tau, 3.8 of 14 tau.
  const PilotShape shape = choose_shape({}, trial, 10, 100.0, 100000);
  EXPECT_EQ(shape.measurements, 175);
  EXPECT_EQ(shape.runs, 4);
  EXPECT_EQ(shape.realizations, 30);
}

TEST(ChooseShape, TakesOneBatchWhereNotEvenThatFits) {
  PilotTrial trial{.seconds = 0.01, .batch = 8};
  trial.walks = true;  // tau is not even resolved
  const PilotShape shape = choose_shape({}, trial, 10, 100.0, 100000);
  EXPECT_EQ(shape.runs, 2);
  EXPECT_EQ(shape.realizations, 4);
  EXPECT_NEAR(shape.measurements, 100.0 / 1.15 / 0.01 / 13.0, 2.0);
}

TEST(ChooseShape, TakesWhatIsGiven) {
  const PilotShape given{.realizations = 5, .runs = 3, .measurements = 70, .equilibration = 0};
  EXPECT_EQ(choose_shape({5, 3, 70, 0}, {.seconds = 1.0}, 3, 10.0, 1000), given);
}

TuneResult result_of(const Config& config, std::size_t size, const ProtocolChoice& chosen) {
  TuneResult result;
  result.L = config.model.L[size];
  result.size_index = size;
  result.rows = {{.choice = configured_choice(config, size)}, {.choice = chosen}};
  result.recommendation.chosen = 1;
  return result;
}

TEST(RecommendedKeys, TakeTheProtocolOfTheLargestSizeAndTheSlotsOfEach) {
  const Config config = config_with();
  const SpinModel model;
  const ProtocolChoice small =
      varied(configured_choice(config, 0), model, {{TuneKey::slots, 6}, {TuneKey::heatbath, 2}});
  const ProtocolChoice large = varied(configured_choice(config, 1), model, {{TuneKey::overrelaxation, 3}});
  const auto keys = recommended_keys(config, {result_of(config, 0, small), result_of(config, 1, large)});
  const std::map<std::string, std::string> expected{
      {"protocol.overrelaxation", "3"}, {"protocol.exchanges_per_measurement", "28"}, {"ladder.slots", "6, 12"}};
  EXPECT_EQ(keys, expected);
}

TEST(EditedConfiguration, ReplacesKeysWhereverTheyStand) {
  const std::string text =
      "campaign.directory = old # here\n[protocol]\noverrelaxation = 10\nheatbath = 1\n[ladder]\nslots = 8, 12 # as "
      "many\n";
  const std::string edited =
      edited_configuration(text, {{"protocol.overrelaxation", "3"}, {"ladder.slots", "6"}}, {"By hand."});
  EXPECT_EQ(
      edited,
      "# By hand.\nladder.slots = 6\nprotocol.overrelaxation = 3\n\n# campaign.directory = old # here\n[protocol]\n"
      "# overrelaxation = 10\nheatbath = 1\n[ladder]\n# slots = 8, 12 # as many\n");
}

}}  // namespace glassworks::testing
