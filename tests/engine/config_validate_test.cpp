#include "engine/config_validate.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <utility>

#include "engine/config_table.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks {
namespace {

using testing::HasSubstr;

struct BadInput {
  std::vector<std::string> overrides;  ///< of minimal_config: L = 4, 6, geometric ladder of 5 slots
  std::string key, problem;            ///< that the message must hold
};

/// One sentence for people: problem (why). suggestion.
void expect_sentence(const std::string& message, const BadInput& bad) {
  SCOPED_TRACE(testing::PrintToString(bad.overrides) + "\n" + message);
  EXPECT_THAT(message, HasSubstr(bad.key));
  EXPECT_THAT(message, HasSubstr(bad.problem));
  EXPECT_THAT(message, testing::ContainsRegex(" \\(.*\\)\\.? .*[.?]$"));
}

class BadInputs : public ConfigTest {
 protected:
  void expect_refused(const std::vector<BadInput>& list) const {
    const std::filesystem::path file = write("a.cfg", minimal_config);
    for (const BadInput& bad : list) {
      expect_sentence(input_error([&] { static_cast<void>(load_config(file, bad.overrides)); }), bad);
    }
  }
};

/// Every row with a range: its ends are not refused for it, and what lies beyond is.
TEST_F(BadInputs, RangesOfTheRows) {
  const std::map<std::string, std::vector<std::string>> users = {
      {"campaign.second_start_fraction", {"campaign.second_start=ordered"}},
      {"model.q", {"model.type=potts"}},
      {"model.n", {"model.type=on"}},
      {"model.field_strength", {"model.field=gaussian"}},
      {"protocol.isoenergetic", {"model.type=ising", "ladder.slots=5"}},
      {"protocol.cluster_sweeps", {"model.type=ising", "protocol.kind=wolff", "ladder.slots=5"}}};
  const std::filesystem::path file = write("a.cfg", minimal_config);
  int rows = 0;
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.range) continue;
    ++rows;
    const std::string& key = binding.key.name;
    const auto refusal = [&](double value) {
      std::vector<std::string> overrides = users.contains(key) ? users.at(key) : std::vector<std::string>{};
      overrides.push_back(fmt::format("{}={}", key, value));
      try {
        static_cast<void>(load_config(file, overrides));
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const auto [low, high] = std::pair(binding.range->low, binding.range->high);
    const std::string words = fmt::format("is out of range ({} to {})", low, high);
    for (const double beyond : {low < 1e-3 && low > 0.0 ? low / 2 : low - 1, high + 1}) {
      EXPECT_THAT(refusal(beyond), HasSubstr(fmt::format("{} = {} {}", key, beyond, words)));
    }
    for (const double end : {low, high}) EXPECT_THAT(refusal(end), testing::Not(HasSubstr(words))) << key;
  }
  EXPECT_GE(rows, 22);
}

TEST_F(BadInputs, Values) {
  expect_refused({
      {{"campaign.seed=-1"}, "campaign.seed", "'-1' is negative"},
      {{"campaign.seed=18446744073709551616"}, "campaign.seed", "is too large"},
      {{"campaign.seed="}, "campaign.seed", "has no value"},
      {{"model.dim=3x"}, "model.dim", "'3x' is not a whole number"},
      {{"model.dim=3.0"}, "model.dim", "is not a whole number"},
      {{"model.dim=99999999999"}, "model.dim", "is too large"},
      {{"model.L=4,,6"}, "model.L", "has an empty entry"},
      {{"model.L=4,"}, "model.L", "ends in a comma"},
      {{"model.L=4;6"}, "model.L", "'4;6' is not a whole number"},
      {{"ladder.slots="}, "ladder.slots", "has no value"},
      {{"ladder.slots=many"}, "ladder.slots", "is not a whole number"},
      {{"ladder.T_min=nan"}, "ladder.T_min", "is not a finite number"},
      {{"ladder.T_max=inf"}, "ladder.T_max", "is not a finite number"},
      {{"ladder.T_max=1e999"}, "ladder.T_max", "is beyond the range of a double"},
      {{"ladder.T_min=0.1 K"}, "ladder.T_min", "'0.1 K' is not a number"},
      {{"ladder.T_min=0,1"}, "ladder.T_min", "'0,1' is not a number"},
      {{"model.couplings=gausian"}, "model.couplings", "Did you mean gaussian?"},
      {{"protocol.exchange=evenodd"}, "protocol.exchange", "Did you mean even-odd?"},
      {{"backend.isa=AVX512"}, "backend.isa", "none of auto, portable, avx2, avx512"},
      {{"campaign.directory=a#b"}, "campaign.directory", "cannot be stored"},
  });
}

TEST_F(BadInputs, Model) {
  expect_refused({
      {{"model.dim=0"}, "model.dim", "0 is out of range (1 to 4)"},
      {{"model.dim=5"}, "model.dim", "5 is out of range (1 to 4)"},
      {{"model.L="}, "model.L", "is missing"},
      {{"model.L=7"}, "model.L = 7", "is odd"},
      {{"model.L=7"}, "model.L", "even number from 4 to 128"},
      {{"model.L=2"}, "model.L = 2", "too small (at L = 2 both neighbours"},
      {{"model.L=-4"}, "model.L = -4", "too small"},
      {{"model.L=130"}, "model.L = 130", "too large (the limit for model.dim = 3 is 128)"},
      {{"model.L=4098", "model.dim=1"}, "model.L", "is 4096"},
      {{"model.L=1026", "model.dim=2"}, "model.L", "is 1024"},
      {{"model.L=34", "model.dim=4"}, "model.L", "is 32"},
      {{"model.L=4,6,4"}, "model.L", "holds 4 twice"},
      {{"model.couplings=file", "model.L=4"}, "model.couplings_file", "is missing"},
      {{"model.couplings_file=J.txt"}, "model.couplings_file", "without use"},
      {{"model.couplings=file", "model.couplings_file=J.txt"}, "model.couplings", "2 sizes"},
      {{"model.field=file", "model.L=4"}, "model.field_file", "is missing"},
      {{"model.field_file=H.txt"}, "model.field_file", "without use"},
      {{"model.field=sphere"}, "model.field_strength", "is missing"},
      {{"model.field=box", "model.field_strength=-1"}, "model.field_strength", "-1 is out of range"},
      {{"model.field_strength=1"}, "model.field_strength", "without use"},
      {{"model.bimodal_p=0.3"}, "model.bimodal_p", "without use"},
      {{"model.couplings=bimodal", "model.bimodal_p=1.1"}, "model.bimodal_p", "1.1 is out of range"},
      {{"model.couplings=bimodal", "model.couplings_mean=0.3"}, "model.couplings_mean", "without use"},
      {{"model.bond_dilution=1"}, "model.bond_dilution", "1 is out of range"},
      {{"model.site_dilution=1"}, "model.site_dilution", "1 is out of range"},
      {{"model.site_dilution=-0.1"}, "model.site_dilution", "-0.1 is out of range"},
      {{"model.site_dilution=0.99", "model.L=4"}, "model.site_dilution = 0.99", "leaves no bond in realization"},
      {{"model.site_dilution=0.2", "model.type=potts"}, "model.site_dilution = 0.2", "does not fit model.type = potts"},
      {{"model.site_dilution=0.2", "model.type=ising", "protocol.kind=wolff"},
       "model.site_dilution = 0.2",
       "does not fit protocol.kind = wolff"},
      {{"model.site_dilution=0.2", "model.type=ising", "model.couplings=bimodal", "protocol.multispin=metropolis"},
       "model.site_dilution = 0.2",
       "does not fit protocol.multispin"},
      {{"model.site_dilution=0.2", "model.couplings=file", "model.couplings_file=J.txt", "model.L=4"},
       "model.site_dilution = 0.2",
       "a file says which bonds"},
      {{"model.anisotropy=1001"}, "model.anisotropy", "1001 is out of range"},
      {{"model.anisotropy=1", "model.type=ising"}, "model.anisotropy = 1", "does not fit model.type = ising"},
      {{"model.anisotropy=1", "model.type=phi4"}, "model.anisotropy = 1", "does not fit model.type = phi4"},
      {{"model.anisotropy=-1", "model.type=xy", "protocol.kind=wolff"},
       "model.anisotropy = -1",
       "does not fit protocol.kind = wolff"},
      {{"model.anisotropy=1", "protocol.heatbath=0"}, "model.anisotropy = 1", "does not fit protocol.heatbath = 0"},
      {{"model.anisotropy=1000", "ladder.T_min=0.001"}, "T = 0.001", "too low for energies"},
      {{"model.field=uniform", "model.field_strength=1"}, "model.field", "Write box"},
      {{"model.field=constant"}, "model.field_strength", "is missing"},
      {{"model.field_direction=0,0,1"}, "model.field_direction", "without use"},
      {{"model.field=constant", "model.field_strength=1", "model.field_direction=0,1"},
       "model.field_direction",
       "has 2 numbers"},
      {{"model.field=constant", "model.field_strength=1", "model.field_direction=0,0,0"},
       "model.field_direction",
       "is no direction"},
      {{"disorder.realizations=0"}, "disorder.realizations", "0 is out of range (1 to 10000000)"},
      {{"disorder.realizations=10000001"}, "disorder.realizations", "is out of range"},
      {{"replicas.copies=3"}, "replicas.copies = 3", "Use 2 or 4"},
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
      {{"ladder.T_min=0"}, "ladder.T_min = 0", "not a positive temperature"},
      {{"ladder.T_min=-0.1"}, "ladder.T_min = -0.1", "not a positive temperature"},
      {{"ladder.T_min=1e-4"}, "ladder.T_min", "out of range (0.001 to 1000"},
      {{"ladder.T_max=1001"}, "ladder.T_max", "out of range"},
      {{"ladder.T_min=0.6"}, "ladder.T_min = 0.6", "is not below ladder.T_max = 0.6"},
      {{"ladder.T_min=0.7"}, "ladder.T_min = 0.7", "is not below"},
      {{"ladder.slots=0"}, "ladder.slots = 0", "out of range (2 to 1024"},
      {{"ladder.slots=1"}, "ladder.slots = 1", "out of range"},
      {{"ladder.slots=-5"}, "ladder.slots = -5", "out of range"},
      {{"ladder.slots=1025"}, "ladder.slots = 1025", "out of range"},
      {{"ladder.slots=5,6,7"}, "ladder.slots", "holds 3 entries for the 2 of model.L"},
      {{"ladder.kind=linear", "ladder.slots=auto"}, "ladder.slots = auto", "does not fit ladder.kind = linear"},
      {{"ladder.slots=auto", "model.L=128"}, "ladder.slots = auto", "would need"},
      {{"ladder.T_max=0.1000001", "ladder.slots=1000"}, "ladder", "too close"},
      {{"ladder.pilots=0"}, "ladder.pilots = 0", "out of range (1 to 4096)"},
      {{"ladder.adapt_rounds=1"}, "ladder.adapt_rounds = 1", "out of range (2 to 1000)"},
      {{"ladder.adapt=yes"}, "ladder.adapt", "none of none, rejection, feedback"},
      {{"ladder.temperatures=0.1"}, "ladder.T_min", "without use (ladder.kind is list)"},
      {with(""), "ladder.temperatures", "is missing"},
      {with("0.2, 0.1"), "ladder.temperatures", "not ascending (0.2 comes before 0.1)"},
      {with("0.2, 0.2"), "ladder.temperatures", "not ascending"},
      {with("0, 0.2"), "ladder.temperatures", "not a positive temperature"},
      {with("0.1, inf"), "ladder.temperatures", "'inf' is not a finite number"},
      {with("0.1, 0.10000000001"), "ladder", "too close"},
  });
}

TEST_F(BadInputs, Protocol) {
  expect_refused({
      {{"protocol.overrelaxation=-1"}, "protocol.overrelaxation", "out of range"},
      {{"protocol.heatbath=-1"}, "protocol.heatbath", "out of range"},
      {{"protocol.overrelaxation=0", "protocol.heatbath=0"}, "protocol.heatbath", "both 0"},
      {{"protocol.sweeps_per_exchange=0"}, "protocol.sweeps_per_exchange", "out of range"},
      {{"protocol.exchanges_per_measurement=0"}, "protocol.exchanges_per_measurement", "out of range"},
      {{"round.measurements=0"}, "round.measurements", "out of range"},
      {{"round.samples=-1"}, "round.samples = -1", "out of range"},
      {{"round.measurements=100", "round.samples=101"},
       "round.samples = 101",
       "out of range (0 to round.measurements = 100)"},
      {{"round.measurements=300000", "round.samples=300000"}, "round.samples = 300000", "at most 100 MB"},
      {{"round.measurements=3000", "round.samples=3000", "ladder.slots=auto", "ladder.adapt=rejection"},
       "round.samples = 3000",
       "a round of 1024 slots"},
      {{"protocol.tile=-2"}, "protocol.tile", "does not fit"},
      {{"protocol.tile=3"}, "protocol.tile = 3", "does not fit L = 4"},
      {{"protocol.tile=2"}, "protocol.tile = 2", "does not fit L = 6"},
      {{"protocol.tile=8", "model.L=16,24"}, "protocol.tile = 8", "L = 24 (a tile"},
      {{"protocol.tile=8", "model.L=16,24"}, "protocol.tile = 8", "fit every size of model.L: 0, 2, 4."},
      {{"convergence.min_rounds=0"}, "convergence.min_rounds", "out of range"},
      {{"convergence.max_rounds=3"}, "convergence.max_rounds = 3", "below convergence.min_rounds = 16"},
      {{"convergence.min_round_trips=-1"}, "convergence.min_round_trips", "out of range"},
      {{"convergence.n_tau=-1"}, "convergence.n_tau = -1", "out of range"},
      {{"convergence.n_tau=1000001"}, "convergence.n_tau", "out of range"},
      {{"convergence.equilibration_tau=-1"}, "convergence.equilibration_tau = -1", "out of range"},
      {{"convergence.equilibration_tau=20"}, "convergence.equilibration_tau = 20", "leaves nothing of a history"},
      {{"workers.lease_seconds=4"}, "workers.lease_seconds = 4", "out of range (5 to 86400)"},
      {{"workers.lease_seconds=86401"}, "workers.lease_seconds", "out of range"},
      {{"workers.max_attempts=0"}, "workers.max_attempts = 0", "out of range"},
      {{"protocol.sweeps_per_exchange=1000000", "round.measurements=1000000"}, "convergence.max_rounds", "too long"},
      {{"backend.threads=-1"}, "backend.threads", "out of range"},
      {{"backend.devices=-1"}, "backend.devices = -1", "out of range (0 to 1023)"},
      {{"backend.devices=0,1024"}, "backend.devices = 1024", "out of range (0 to 1023)"},
      {{"backend.devices=1,0,1"}, "backend.devices", "holds 1 twice"},
      {{"backend.batch=-1"}, "backend.batch", "out of range"},
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
  EXPECT_THAT(input_error([&] { validate_memory(config, need * 0.99); }),
              HasSubstr("L = 64 needs 0.1856 GB of memory (1 realization of 10 replicas"));
  config.batch = 3;
  EXPECT_NO_THROW(validate_memory(config, need * 3.01));
  EXPECT_THROW(validate_memory(config, need * 2.99), InputError);
}

/// Any valid configuration is read back from its canonical text to the last bit.
RC_GTEST_PROP(CanonicalText, ReadsBackExactly, ()) {
  Config config = parse_config(minimal_config);
  const auto fraction = [] { return static_cast<double>(*rc::gen::arbitrary<std::uint64_t>()) * 0x1p-64; };
  config.seed = *rc::gen::arbitrary<std::uint64_t>();
  config.directory = *rc::gen::element<std::string>("a", "/tmp/a b = c", "[x]", "");
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
  config.realizations = {*rc::gen::inRange(1, 10'000'001)};
  config.copies = *rc::gen::element(2, 4);
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
  config.backend.isa = *rc::gen::element(InstructionSet::automatic, InstructionSet::avx512);
  config.devices = *rc::gen::element(std::vector<int>{}, std::vector{3}, std::vector{1, 0});
  if (config.needs_processor()) {
    config.backend.kind = BackendKind::cpu;
    config.devices.clear();
  }
  config.batch = *rc::gen::inRange(0, 1000);
  config.convergence.n_tau = 1e3 * fraction();
  config.convergence.equilibration_tau = 0.99 * config.convergence.n_tau;
  config.lease_seconds = *rc::gen::inRange(5, 86401);
  config.max_attempts = *rc::gen::inRange(1, 1'000'001);

  const std::string text = canonical_text(config);
  const Config back = parse_config(text);
  RC_ASSERT(canonical_text(back) == text);
  RC_ASSERT(campaign_changes(config, back).empty());
  RC_ASSERT(back.seed == config.seed);
  RC_ASSERT(back.directory == config.directory);
  RC_ASSERT(back.model.L == config.model.L);
  RC_ASSERT(back.model.bimodal_p == config.model.bimodal_p);
  RC_ASSERT(back.model.couplings_mean == config.model.couplings_mean);
  RC_ASSERT(back.model.bond_dilution == config.model.bond_dilution);
  RC_ASSERT(back.model.site_dilution == config.model.site_dilution);
  RC_ASSERT(back.model.field_strength == config.model.field_strength);
  RC_ASSERT(back.model.field_direction == config.model.field_direction);
  RC_ASSERT(back.realizations == config.realizations);
  RC_ASSERT(back.ladder.T_min == config.ladder.T_min && back.ladder.T_max == config.ladder.T_max);
  RC_ASSERT(back.ladder.slots == config.ladder.slots);
  RC_ASSERT(back.ladder.temperatures == config.ladder.temperatures);
  RC_ASSERT(back.devices == config.devices);
  RC_ASSERT(back.protocol == config.protocol);
  RC_ASSERT(back.batch == config.batch);
  RC_ASSERT(back.ladder.adapt == config.ladder.adapt && back.ladder.pilots == config.ladder.pilots);
  RC_ASSERT(back.ladder.adapt_rounds == config.ladder.adapt_rounds);
  RC_ASSERT(back.convergence.n_tau == config.convergence.n_tau);
  RC_ASSERT(back.convergence.equilibration_tau == config.convergence.equilibration_tau);
  RC_ASSERT(back.lease_seconds == config.lease_seconds && back.max_attempts == config.max_attempts);
}

}  // namespace
}  // namespace glassworks
