#include "engine/loading/config_validate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <utility>

#include "engine/config/config_table.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

struct BadInput {
  std::vector<std::string> overrides;  ///< of minimal_config: L = 4, 6, geometric ladder of 5 slots
  InputFault fault;
  std::string subject;
};

class BadInputs : public RefusedConfigTest {
 protected:
  void expect_refused(const std::vector<BadInput>& list) const {
    for (const BadInput& bad : list) {
      RefusedConfigTest::expect_refused(minimal_config, bad.overrides, bad.fault, bad.subject);
    }
  }
};

/// Every row with a range: its ends are not refused for it, and what lies beyond is.
TEST_F(BadInputs, RangesOfTheRows) {
  const std::map<std::string, std::vector<std::string>> users = {
      {"campaign.second_start_fraction", {"campaign.second_start=ordered"}},
      {"model.q", {"model.type=clock"}},
      {"model.n", {"model.type=on"}},
      {"model.crystal_field", {"model.type=blume-capel", "ladder.slots=5"}},
      {"model.field_strength", {"model.field=gaussian"}},
      {"course.pairs", {"course.sweeps=10"}},
      {"protocol.adaptation", {"protocol.local=metropolis"}},
      {"protocol.isoenergetic", {"model.type=ising", "ladder.slots=5"}},
      {"protocol.isoenergetic_T_max", {"model.type=ising", "ladder.slots=5", "protocol.isoenergetic=1"}},
      {"protocol.cluster_sweeps", {"model.type=ising", "protocol.kind=wolff", "ladder.slots=5"}}};
  int rows = 0;
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.range) continue;
    ++rows;
    const std::string& key = binding.key.name;
    const auto with = [&](double value) {
      std::vector<std::string> overrides = users.contains(key) ? users.at(key) : std::vector<std::string>{};
      overrides.push_back(fmt::format("{}={}", key, value));
      return loading(minimal_config, overrides);
    };
    const auto refused = Refuses(InputFault::out_of_range, key).in_any_words();
    const auto [low, high] = std::pair(binding.range->low, binding.range->high);
    for (const double beyond : {low < 1e-3 && low > 0.0 ? low / 2 : low - 1, high + 1}) {
      EXPECT_THAT(with(beyond), refused);
    }
    for (const double end : {low, high}) EXPECT_THAT(with(end), testing::Not(refused));
  }
  EXPECT_GE(rows, 22);
}

TEST_F(BadInputs, Values) {
  expect_refused({
      {{"campaign.seed=-1"}, InputFault::out_of_range, "campaign.seed"},
      {{"campaign.seed=18446744073709551616"}, InputFault::out_of_range, "campaign.seed"},
      {{"campaign.seed="}, InputFault::missing, "campaign.seed"},
      {{"model.dim=3x"}, InputFault::malformed, "model.dim"},
      {{"model.dim=3.0"}, InputFault::malformed, "model.dim"},
      {{"model.dim=99999999999"}, InputFault::out_of_range, "model.dim"},
      {{"model.L=4,,6"}, InputFault::malformed, "model.L"},
      {{"model.L=4,"}, InputFault::malformed, "model.L"},
      {{"model.L=4;6"}, InputFault::malformed, "model.L"},
      {{"ladder.slots="}, InputFault::missing, "ladder.slots"},
      {{"ladder.slots=many"}, InputFault::malformed, "ladder.slots"},
      {{"ladder.T_min=nan"}, InputFault::malformed, "ladder.T_min"},
      {{"ladder.T_max=inf"}, InputFault::malformed, "ladder.T_max"},
      {{"ladder.T_max=1e999"}, InputFault::out_of_range, "ladder.T_max"},
      {{"ladder.T_min=0.1 K"}, InputFault::malformed, "ladder.T_min"},
      {{"ladder.T_min=0,1"}, InputFault::malformed, "ladder.T_min"},
      {{"model.couplings=gausian"}, InputFault::unknown, "model.couplings"},
      {{"protocol.exchange=evenodd"}, InputFault::unknown, "protocol.exchange"},
      {{"backend.isa=AVX512"}, InputFault::unknown, "backend.isa"},
      {{"campaign.directory=a#b"}, InputFault::malformed, "campaign.directory"},
  });
}

TEST_F(BadInputs, Model) {
  expect_refused({
      {{"model.dim=0"}, InputFault::out_of_range, "model.dim"},
      {{"model.dim=5"}, InputFault::conflict, "model.dim"},
      {{"model.L="}, InputFault::missing, "model.L"},
      {{"model.L=7"}, InputFault::out_of_range, "model.L"},
      {{"model.L=2"}, InputFault::out_of_range, "model.L"},
      {{"model.L=-4"}, InputFault::out_of_range, "model.L"},
      {{"model.L=130"}, InputFault::out_of_range, "model.L"},
      {{"model.L=4098", "model.dim=1"}, InputFault::out_of_range, "model.L"},
      {{"model.L=1026", "model.dim=2"}, InputFault::out_of_range, "model.L"},
      {{"model.L=34", "model.dim=4"}, InputFault::out_of_range, "model.L"},
      {{"model.L=4,6,4"}, InputFault::repeated, "model.L"},
      {{"model.couplings=file", "model.L=4"}, InputFault::missing, "model.couplings_file"},
      {{"model.couplings_file=J.txt"}, InputFault::conflict, "model.couplings_file"},
      {{"model.couplings=file", "model.couplings_file=J.txt"}, InputFault::conflict, "model.couplings"},
      {{"model.field=file", "model.L=4"}, InputFault::missing, "model.field_file"},
      {{"model.field_file=H.txt"}, InputFault::conflict, "model.field_file"},
      {{"model.field=sphere"}, InputFault::missing, "model.field_strength"},
      {{"model.field=box", "model.field_strength=-1"}, InputFault::out_of_range, "model.field_strength"},
      {{"model.field_strength=1"}, InputFault::conflict, "model.field_strength"},
      {{"model.bimodal_p=0.3"}, InputFault::conflict, "model.bimodal_p"},
      {{"model.couplings=bimodal", "model.bimodal_p=1.1"}, InputFault::out_of_range, "model.bimodal_p"},
      {{"model.couplings=bimodal", "model.couplings_mean=0.3"}, InputFault::conflict, "model.couplings_mean"},
      {{"model.bond_dilution=1"}, InputFault::out_of_range, "model.bond_dilution"},
      {{"model.site_dilution=1"}, InputFault::out_of_range, "model.site_dilution"},
      {{"model.site_dilution=-0.1"}, InputFault::out_of_range, "model.site_dilution"},
      {{"model.site_dilution=0.99", "model.L=4"}, InputFault::conflict, "model.site_dilution"},
      {{"model.site_dilution=0.2", "model.type=potts"}, InputFault::conflict, "model.site_dilution"},
      {{"model.site_dilution=0.2", "model.type=ising", "protocol.kind=wolff"},
       InputFault::conflict,
       "model.site_dilution"},
      {{"model.site_dilution=0.2", "model.type=ising", "model.couplings=bimodal", "protocol.multispin=metropolis"},
       InputFault::conflict,
       "model.site_dilution"},
      {{"model.site_dilution=0.2", "model.couplings=file", "model.couplings_file=J.txt", "model.L=4"},
       InputFault::conflict,
       "model.site_dilution"},
      {{"model.anisotropy=1001"}, InputFault::out_of_range, "model.anisotropy"},
      {{"model.anisotropy=1", "model.type=ising"}, InputFault::conflict, "model.anisotropy"},
      {{"model.anisotropy=1", "model.type=phi4"}, InputFault::conflict, "model.anisotropy"},
      {{"model.anisotropy=-1", "model.type=xy", "protocol.kind=wolff"}, InputFault::conflict, "model.anisotropy"},
      {{"model.anisotropy=1", "protocol.heatbath=0"}, InputFault::conflict, "model.anisotropy"},
      {{"model.anisotropy=1000", "ladder.T_min=0.001"}, InputFault::out_of_range, "T"},
      {{"model.field=uniform", "model.field_strength=1"}, InputFault::unsupported, "model.field"},
      {{"model.field=constant"}, InputFault::missing, "model.field_strength"},
      {{"model.field_direction=0,0,1"}, InputFault::conflict, "model.field_direction"},
      {{"model.field=constant", "model.field_strength=1", "model.field_direction=0,1"},
       InputFault::conflict,
       "model.field_direction"},
      {{"model.field=constant", "model.field_strength=1", "model.field_direction=0,0,0"},
       InputFault::out_of_range,
       "model.field_direction"},
      {{"disorder.realizations=0"}, InputFault::out_of_range, "disorder.realizations"},
      {{"disorder.realizations=10000001"}, InputFault::out_of_range, "disorder.realizations"},
      {{"replicas.copies=3"}, InputFault::out_of_range, "replicas.copies"},
  });
}

TEST_F(BadInputs, Ladder) {
  const std::vector<std::string> list = {"ladder.T_min=0", "ladder.T_max=0", "ladder.kind=list", "ladder.slots=auto"};
  const auto with = [&](const std::string& temperatures) {
    std::vector<std::string> overrides = list;
    overrides.push_back("ladder.temperatures=" + temperatures);
    return overrides;
  };
  expect_refused({
      {{"ladder.T_min=0"}, InputFault::out_of_range, "ladder.T_min"},
      {{"ladder.T_min=-0.1"}, InputFault::out_of_range, "ladder.T_min"},
      {{"ladder.T_min=1e-4"}, InputFault::out_of_range, "ladder.T_min"},
      {{"ladder.T_max=1.1e9"}, InputFault::out_of_range, "ladder.T_max"},
      {{"ladder.T_min=0.6"}, InputFault::conflict, "ladder.T_min"},
      {{"ladder.T_min=0.7"}, InputFault::conflict, "ladder.T_min"},
      {{"ladder.slots=0"}, InputFault::out_of_range, "ladder.slots"},
      {{"ladder.slots=1"}, InputFault::out_of_range, "ladder.slots"},
      {{"ladder.slots=-5"}, InputFault::out_of_range, "ladder.slots"},
      {{"ladder.slots=1025"}, InputFault::out_of_range, "ladder.slots"},
      {{"ladder.slots=5,6,7"}, InputFault::conflict, "ladder.slots"},
      {{"ladder.kind=linear", "ladder.slots=auto"}, InputFault::conflict, "ladder.slots"},
      {{"ladder.slots=auto", "model.L=128"}, InputFault::too_large, "ladder.slots"},
      {{"ladder.T_max=0.1000001", "ladder.slots=1000"}, InputFault::out_of_range, "T"},
      {{"ladder.pilots=0"}, InputFault::out_of_range, "ladder.pilots"},
      {{"ladder.adapt_rounds=1"}, InputFault::out_of_range, "ladder.adapt_rounds"},
      {{"ladder.adapt=yes"}, InputFault::unknown, "ladder.adapt"},
      {{"ladder.temperatures=0.1"}, InputFault::conflict, "ladder.T_min, ladder.T_max"},
      {with(""), InputFault::missing, "ladder.temperatures"},
      {with("0.2, 0.1"), InputFault::malformed, "ladder.temperatures"},
      {with("0.2, 0.2"), InputFault::malformed, "ladder.temperatures"},
      {with("0, 0.2"), InputFault::out_of_range, "ladder.temperatures"},
      {with("0.1, inf"), InputFault::malformed, "ladder.temperatures"},
      {with("0.1, 0.10000000001"), InputFault::out_of_range, "T"},
  });
}

TEST_F(BadInputs, Protocol) {
  expect_refused({
      {{"protocol.overrelaxation=-1"}, InputFault::out_of_range, "protocol.overrelaxation"},
      {{"protocol.heatbath=-1"}, InputFault::out_of_range, "protocol.heatbath"},
      {{"protocol.overrelaxation=0", "protocol.heatbath=0"},
       InputFault::conflict,
       "protocol.overrelaxation, protocol.heatbath"},
      {{"protocol.sweeps_per_exchange=0"}, InputFault::out_of_range, "protocol.sweeps_per_exchange"},
      {{"protocol.exchanges_per_measurement=0"}, InputFault::out_of_range, "protocol.exchanges_per_measurement"},
      {{"round.measurements=0"}, InputFault::out_of_range, "round.measurements"},
      {{"round.samples=-1"}, InputFault::out_of_range, "round.samples"},
      {{"round.measurements=100", "round.samples=101"}, InputFault::out_of_range, "round.samples"},
      {{"round.measurements=300000", "round.samples=300000"}, InputFault::too_large, "round.samples"},
      {{"round.measurements=3000", "round.samples=3000", "ladder.slots=auto", "ladder.adapt=rejection"},
       InputFault::too_large,
       "round.samples"},
      {{"protocol.tile=-2"}, InputFault::conflict, "protocol.tile"},
      {{"protocol.tile=3"}, InputFault::conflict, "protocol.tile"},
      {{"protocol.tile=2"}, InputFault::conflict, "protocol.tile"},
      {{"protocol.tile=8", "model.L=16,24"}, InputFault::conflict, "protocol.tile"},
      {{"protocol.tile_repeats=2"}, InputFault::conflict, "protocol.tile_repeats"},
      {{"protocol.tile_repeats=0", "model.L=8", "protocol.tile=2"}, InputFault::out_of_range, "protocol.tile_repeats"},
      {{"convergence.min_rounds=0"}, InputFault::out_of_range, "convergence.min_rounds"},
      {{"convergence.group_share=0.95"}, InputFault::conflict, "convergence.group_share"},
      {{"convergence.group_n_tau=10"}, InputFault::conflict, "convergence.group_n_tau"},
      {{"model.type=ising", "model.couplings=bimodal", "protocol.overrelaxation=0", "protocol.multispin=metropolis",
        "convergence.group_share=0.8", "convergence.group_n_tau=21"},
       InputFault::conflict,
       "convergence.group_n_tau"},
      {{"convergence.max_rounds=3"}, InputFault::conflict, "convergence.max_rounds"},
      {{"convergence.min_round_trips=-1"}, InputFault::out_of_range, "convergence.min_round_trips"},
      {{"convergence.n_tau=-1"}, InputFault::out_of_range, "convergence.n_tau"},
      {{"convergence.n_tau=1000001"}, InputFault::out_of_range, "convergence.n_tau"},
      {{"convergence.equilibration_tau=-1"}, InputFault::out_of_range, "convergence.equilibration_tau"},
      {{"convergence.equilibration_tau=20"}, InputFault::conflict, "convergence.equilibration_tau"},
      {{"convergence.left_out=1"}, InputFault::out_of_range, "convergence.left_out"},
      {{"workers.lease_seconds=4"}, InputFault::out_of_range, "workers.lease_seconds"},
      {{"workers.lease_seconds=86401"}, InputFault::out_of_range, "workers.lease_seconds"},
      {{"workers.max_attempts=0"}, InputFault::out_of_range, "workers.max_attempts"},
      {{"protocol.sweeps_per_exchange=1000000", "round.measurements=1000000"},
       InputFault::too_large,
       "convergence.max_rounds"},
      {{"backend.threads=-1"}, InputFault::out_of_range, "backend.threads"},
      {{"backend.devices=-1"}, InputFault::out_of_range, "backend.devices"},
      {{"backend.devices=0,1024"}, InputFault::out_of_range, "backend.devices"},
      {{"backend.devices=1,0,1"}, InputFault::repeated, "backend.devices"},
      {{"backend.batch=-1"}, InputFault::out_of_range, "backend.batch"},
  });
}

TEST(Validate, AcceptsWhatFits) {
  Config config = parse_config(minimal_config);
  for (const auto& [L, tile] : {std::pair{16, 4}, {24, 4}, {8, 8}, {8, 0}, {8, 2}}) {
    config.model.L = {L};
    config.protocol.tile = tile;
    EXPECT_NO_THROW(validate(config)) << L << " " << tile;
  }
}

TEST(Validate, NumbersThatAreNotNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double LadderConfig::*member : {&LadderConfig::T_min, &LadderConfig::T_max}) {
    Config config = parse_config(minimal_config);
    config.ladder.*member = nan;
    EXPECT_THROW(validate(config), InputError);
  }
}

TEST(ValidateMemory, NamesTheNeed) {
  Config config = parse_config(minimal_config);
  config.model.L = {64};
  const double need = 64.0 * 64 * 64 * (12 * (2 * 5 + 16 + 2 * 16) + 3 * 4);
  EXPECT_NO_THROW(validate_memory(config, need * 1.01));
  EXPECT_THAT([&] { validate_memory(config, need * 0.99); }, Refuses(InputFault::too_large, "model.L"));
  config.backend.batch = 3;
  EXPECT_NO_THROW(validate_memory(config, need * 3.01));
  EXPECT_THAT([&] { validate_memory(config, need * 2.99); }, Refuses(InputFault::too_large, "model.L"));
}

/// Any valid configuration is read back from its canonical text to the last bit.
RC_GTEST_PROP(CanonicalText, ReadsBackExactly, ()) {
  Config config = parse_config(minimal_config);
  const auto fraction = [] { return static_cast<double>(*rc::gen::arbitrary<std::uint64_t>()) * 0x1p-64; };
  config.campaign.seed = *rc::gen::arbitrary<std::uint64_t>();
  config.campaign.directory = *rc::gen::element<std::string>("a", "/tmp/a b = c", "[x]", "");
  config.model.dim = *rc::gen::inRange(1, 5);
  config.model.couplings = *rc::gen::element(CouplingKind::gaussian, CouplingKind::bimodal, CouplingKind::ferromagnet);
  if (config.model.couplings == CouplingKind::bimodal && *rc::gen::arbitrary<bool>())
    config.model.bimodal_p = fraction();
  if (config.model.couplings == CouplingKind::gaussian && *rc::gen::arbitrary<bool>()) {
    config.model.couplings_mean = fraction();
  }
  if (*rc::gen::arbitrary<bool>()) config.model.bond_dilution = 0.9 * fraction();
  if (*rc::gen::arbitrary<bool>()) config.model.site_dilution = 0.5 * fraction();
  config.model.field =
      *rc::gen::element(FieldKind::none, FieldKind::sphere, FieldKind::gaussian, FieldKind::box, FieldKind::constant);
  if (config.model.field != FieldKind::none) config.model.field_strength = 1e-3 + fraction();
  if (config.model.field == FieldKind::constant && *rc::gen::arbitrary<bool>()) {
    config.model.field_direction = {fraction(), -fraction(), 0.1 + fraction()};
  }
  config.disorder.realizations = {*rc::gen::inRange(1, 10'000'001)};
  config.replicas.copies = *rc::gen::element(2, 4);
  if (*rc::gen::arbitrary<bool>()) {
    std::set<double> temperatures;
    for (int i = *rc::gen::inRange(1, 9); i > 0; --i) temperatures.insert(i + 0.01 + 0.9 * fraction());
    config.ladder.kind = LadderKind::list;
    config.ladder.T_min = config.ladder.T_max = 0.0;
    config.ladder.slots.clear();
    config.ladder.temperatures = {temperatures.begin(), temperatures.end()};
  } else {
    config.ladder.kind = *rc::gen::element(LadderKind::geometric, LadderKind::linear);
    config.ladder.T_min = 0.01 + fraction();
    config.ladder.T_max = config.ladder.T_min + 0.1 + fraction();
    config.ladder.slots = *rc::gen::element(std::vector{7}, std::vector{7, 9});
    config.ladder.adapt = *rc::gen::element(LadderAdaptation::none, LadderAdaptation::rejection);
    config.ladder.pilots = *rc::gen::inRange(1, 4097);
    config.ladder.adapt_rounds = *rc::gen::inRange(2, 1001);
  }
  config.protocol.exchange = *rc::gen::element(ExchangeSchedule::sequential, ExchangeSchedule::even_odd);
  config.protocol.heatbath = *rc::gen::inRange(0, 100);
  config.backend.options.isa = *rc::gen::element(InstructionSet::automatic, InstructionSet::avx512);
  config.backend.devices = *rc::gen::element(std::vector<int>{}, std::vector{3}, std::vector{1, 0});
  if (!backend_refusal(config, BackendKind::cuda).empty()) {
    config.backend.options.kind = BackendKind::cpu;
    config.backend.devices.clear();
  }
  config.backend.batch = *rc::gen::inRange(0, 1000);
  config.convergence.n_tau = 1e3 * fraction();
  config.convergence.equilibration_tau = 0.99 * config.convergence.n_tau;
  config.workers.lease_seconds = *rc::gen::inRange(5, 86401);
  config.workers.max_attempts = *rc::gen::inRange(1, 1'000'001);

  const std::string text = canonical_text(config);
  const Config back = parse_config(text);
  RC_ASSERT(canonical_text(back) == text);
  RC_ASSERT(campaign_changes(config, back).empty());
  RC_ASSERT(back.campaign.seed == config.campaign.seed);
  RC_ASSERT(back.campaign.directory == config.campaign.directory);
  RC_ASSERT(back.model.L == config.model.L);
  RC_ASSERT(back.model.bimodal_p == config.model.bimodal_p);
  RC_ASSERT(back.model.couplings_mean == config.model.couplings_mean);
  RC_ASSERT(back.model.bond_dilution == config.model.bond_dilution);
  RC_ASSERT(back.model.site_dilution == config.model.site_dilution);
  RC_ASSERT(back.model.field_strength == config.model.field_strength);
  RC_ASSERT(back.model.field_direction == config.model.field_direction);
  RC_ASSERT(back.disorder.realizations == config.disorder.realizations);
  RC_ASSERT(back.ladder.T_min == config.ladder.T_min && back.ladder.T_max == config.ladder.T_max);
  RC_ASSERT(back.ladder.slots == config.ladder.slots);
  RC_ASSERT(back.ladder.temperatures == config.ladder.temperatures);
  RC_ASSERT(back.backend.devices == config.backend.devices);
  RC_ASSERT(back.protocol == config.protocol);
  RC_ASSERT(back.backend.batch == config.backend.batch);
  RC_ASSERT(back.ladder.adapt == config.ladder.adapt && back.ladder.pilots == config.ladder.pilots);
  RC_ASSERT(back.ladder.adapt_rounds == config.ladder.adapt_rounds);
  RC_ASSERT(back.convergence.n_tau == config.convergence.n_tau);
  RC_ASSERT(back.convergence.equilibration_tau == config.convergence.equilibration_tau);
  RC_ASSERT(back.workers.lease_seconds == config.workers.lease_seconds &&
            back.workers.max_attempts == config.workers.max_attempts);
}

}}  // namespace glassworks
