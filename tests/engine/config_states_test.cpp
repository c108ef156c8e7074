#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "engine/checkpoint/checkpoint_values.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// Configurations of discrete spins with local updates alone: blume-capel and clock.
namespace glassworks { namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string spins_1_2 = "model.type = ising\nmodel.L = 8\ndisorder.realizations = 3\nladder.temperatures = 1\n";

class StatesConfigs : public RefusedConfigTest {};

TEST_F(StatesConfigs, CrystalFieldIsThatOfBlumeCapel) {
  const std::string glass =
      "model.type = blume-capel\nmodel.crystal_field = -0.75\nmodel.L = 8\ndisorder.realizations = 3\n"
      "ladder.temperatures = 1\n";
  const Config config = load(glass);
  EXPECT_EQ(make_chain(config, 0).model,
            (SpinModel{.kind = ModelKind::blume_capel, .components = 1, .crystal_field = -0.75}));
  EXPECT_THAT(canonical_text(config), HasSubstr("model.crystal_field = -0.75\n"));
  EXPECT_EQ(canonical_text(parse_config(canonical_text(config))), canonical_text(config));
  EXPECT_THAT(canonical_text(config), Not(HasSubstr("protocol.kind")));
  EXPECT_THAT(canonical_text(load(minimal_config)), Not(HasSubstr("crystal")));
  EXPECT_THAT(canonical_text(load(spins_1_2)), Not(HasSubstr("crystal")));
  EXPECT_THAT(settled(config).bins().names(), Contains("quadrupole"));
  EXPECT_THAT(settled(load(spins_1_2)).bins().names(), Not(Contains("quadrupole")));
  EXPECT_EQ(load(glass, {"backend.kind=cuda", "model.site_dilution=0.3"}).backend.options.kind, BackendKind::cuda);

  expect_refused(glass, {"model.crystal_field=1e7"}, InputFault::out_of_range, "model.crystal_field");
  expect_refused(glass, {"model.crystal_field=nan"}, InputFault::malformed, "model.crystal_field");
  expect_refused(glass, {"model.crystal_field=-1e6"}, InputFault::out_of_range, "T");
  expect_refused(minimal_config, {"model.crystal_field=0.5"}, InputFault::conflict, "model.crystal_field");
  for (const char* kind : {"swendsen-wang", "wolff", "few-cluster"}) {
    expect_refused(glass, {fmt::format("protocol.kind={}", kind)}, InputFault::conflict, "protocol.kind");
  }
  expect_refused(glass, {"protocol.isoenergetic=1"}, InputFault::conflict, "protocol.isoenergetic");
  expect_refused(glass, {"protocol.multispin=metropolis", "model.couplings=bimodal"}, InputFault::conflict,
                 "protocol.multispin");
  expect_refused(glass, {"protocol.overrelaxation=1"}, InputFault::conflict, "protocol.overrelaxation");
  expect_refused(glass, {"protocol.tile=4"}, InputFault::conflict, "protocol.tile");
  expect_refused(glass, {"model.anisotropy=1"}, InputFault::conflict, "model.anisotropy");

  // Another crystal field is another campaign, and a larger scale of energies.
  Config other = config;
  other.model.spins.crystal_field = 40.0;
  EXPECT_NE(checkpoint_identity(config, make_chain(config, 0), 0, 1).origin,
            checkpoint_identity(other, make_chain(other, 0), 0, 1).origin);
  other.model.couplings = CouplingKind::ferromagnet;
  EXPECT_EQ(make_disorder(other, {3, 8}, 0).energy_scale.exponent, 24) << "46 2^24 < 2^30";
  other.model.spins.crystal_field = 1e6;
  EXPECT_EQ(make_disorder(other, {3, 8}, 0).energy_scale.exponent, 10) << "1e6 2^10 < 2^30";
}

TEST_F(StatesConfigs, ClockHasDirectionsAndFieldsOfTwoComponents) {
  const std::string glass =
      "model.type = clock\nmodel.q = 6\nmodel.L = 8\ndisorder.realizations = 3\nladder.temperatures = 1\n";
  const Config config = load(glass);
  const Chain chain = make_chain(config, 0);
  EXPECT_EQ(chain.model, (SpinModel{.kind = ModelKind::clock, .states = 6, .components = 2}));
  EXPECT_EQ(config.model.couplings, CouplingKind::gaussian);
  EXPECT_EQ(canonical_text(parse_config(canonical_text(config))), canonical_text(config));
  EXPECT_EQ(checkpoint_identity(config, chain, 0, 1).components, 0);
  EXPECT_EQ(checkpoint_identity(config, chain, 0, 1).states, 6);
  EXPECT_EQ(checkpoint_identity(config, chain, 0, 1).absent_state, -1);
  const Config diluted = load(glass, {"model.site_dilution=0.3", "model.field=constant", "model.field_strength=0.5",
                                      "model.field_direction=1, 2", "backend.kind=cuda"});
  EXPECT_EQ(checkpoint_identity(diluted, make_chain(diluted, 0), 0, 1).states, 6);
  EXPECT_EQ(checkpoint_identity(diluted, make_chain(diluted, 0), 0, 1).absent_state, 255);
  ChainState state = initial_state(make_chain(diluted, 0), 0);
  for (const std::uint8_t sigma : {5, 255, 6}) {
    state.states[3] = sigma;
    EXPECT_EQ(impossible_value(state, checkpoint_identity(diluted, make_chain(diluted, 0), 0, 0)).empty(), sigma != 6);
  }
  EXPECT_EQ(make_disorder(diluted, {3, 8}, 0).fields.size(), 1024U);
  EXPECT_NE(checkpoint_identity(config, chain, 0, 1).origin,
            checkpoint_identity(config, make_chain(load(glass, {"model.q=7"}), 0), 0, 1).origin);

  expect_refused(glass, {"model.q=1"}, InputFault::out_of_range, "model.q");
  expect_refused(glass, {"model.q=256"}, InputFault::out_of_range, "model.q");
  expect_refused(glass, {"model.type=potts", "model.q=21"}, InputFault::out_of_range, "model.q");
  expect_refused(glass, {"model.type=z6"}, InputFault::unknown, "model.type");
  expect_refused(glass, {"model.field=constant", "model.field_strength=1", "model.field_direction=1, 0, 0"},
                 InputFault::conflict, "model.field_direction");
  for (const char* kind : {"swendsen-wang", "wolff", "few-cluster"}) {
    expect_refused(glass, {fmt::format("protocol.kind={}", kind)}, InputFault::conflict, "protocol.kind");
  }
  expect_refused(glass, {"protocol.isoenergetic=1"}, InputFault::conflict, "protocol.isoenergetic");
  expect_refused(glass, {"protocol.overrelaxation=1"}, InputFault::conflict, "protocol.overrelaxation");
  expect_refused(glass, {"model.anisotropy=1"}, InputFault::conflict, "model.anisotropy");
  expect_refused(glass, {"protocol.multispin=metropolis", "model.couplings=bimodal"}, InputFault::conflict,
                 "protocol.multispin");
}

}}  // namespace glassworks
