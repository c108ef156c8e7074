#include <gmock/gmock.h>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// protocol.moves: the moves of a step one by one.
namespace glassworks { namespace {

using testing::HasSubstr;
using testing::Not;
using enum MoveRule;

const std::string of_type = "[ladder]\ntemperatures = 1, 2\n[disorder]\nrealizations = 3\n[model]\nL = 8\ntype = ";
const std::string ising_moves = of_type + "ising\n[protocol]\nmoves = ";
const std::string heisenberg_moves = of_type + "heisenberg\n[protocol]\nmoves = ";
const std::string xy_moves = of_type + "xy\n[protocol]\nmoves = ";

class MovesOfConfigs : public RefusedConfigTest {};

TEST_F(MovesOfConfigs, GiveTheProtocolItsNumbers) {
  const Config config =
      load(xy_moves + "swendsen-wang 1, over-relaxation 5,heat-bath 1 , over-relaxation 4, heat-bath 1, heat-bath 2\n");
  EXPECT_EQ(config.protocol.moves,
            (MoveList{{swendsen_wang, 1}, {over_relaxation, 5}, {heat_bath, 1}, {over_relaxation, 4}, {heat_bath, 3}}));
  EXPECT_EQ(config.protocol.kind, ProtocolKind::swendsen_wang);
  EXPECT_EQ(config.protocol.cluster_sweeps, 1);
  EXPECT_EQ(config.protocol.overrelaxation, 9);
  EXPECT_EQ(config.protocol.heatbath, 4);
  const Chain chain = make_chain(config, 0);
  EXPECT_EQ(chain.protocol.moves, config.protocol.moves);
  EXPECT_EQ(chain.sweeps_per_repetition(), 14);
  EXPECT_EQ(load(ising_moves + "multispin-heat-bath 1\n", {"model.couplings=bimodal"}).protocol.multispin,
            MultispinRule::heat_bath);
}

TEST_F(MovesOfConfigs, AreStoredInsteadOfTheShortForm) {
  const Config config = load(xy_moves + "heat-bath 1, over-relaxation 5, wolff 2\n");
  const std::string text = canonical_text(config);
  EXPECT_THAT(text, HasSubstr("\nprotocol.moves = heat-bath 1, over-relaxation 5, wolff 2\n"));
  for (const char* key : {"kind", "cluster_sweeps", "overrelaxation", "heatbath", "multispin", "isoenergetic"}) {
    EXPECT_THAT(text, Not(HasSubstr(std::string("protocol.") + key))) << key;
  }
  EXPECT_EQ(canonical_text(parse_config(text)), text);
  EXPECT_EQ(parse_config(text).protocol, config.protocol);
  EXPECT_THAT(canonical_text(load(of_type + "xy\n")), Not(HasSubstr("protocol.moves")));
}

/// The same chain has the same states, so their checkpoints are those of one chain.
TEST_F(MovesOfConfigs, ThatTheShortFormCanWriteAreTheChainOfTheShortForm) {
  const Config list = load(xy_moves + "wolff 2, over-relaxation 5, heat-bath 1\n");
  const Config numbers = load(of_type + "xy\n", {"protocol.kind=wolff", "protocol.cluster_sweeps=2",
                                                 "protocol.overrelaxation=5", "protocol.heatbath=1"});
  const Config other = load(xy_moves + "wolff 2, heat-bath 1, over-relaxation 5\n");
  const auto origin = [](const Config& config) {
    return checkpoint_identity(config, make_chain(config, 0), 1, 1).origin;
  };
  EXPECT_EQ(make_chain(list, 0).protocol, make_chain(numbers, 0).protocol);
  EXPECT_EQ(origin(list), origin(numbers));
  EXPECT_NE(origin(other), origin(numbers));
  EXPECT_EQ(make_chain(load(heisenberg_moves + "over-relaxation 10, heat-bath 1\n"), 0).protocol, Protocol{});
}

TEST_F(MovesOfConfigs, ExcludeTheShortForm) {
  const std::string list = xy_moves + "wolff 1, heat-bath 1\n";
  for (const char* key : {"protocol.kind=wolff", "protocol.cluster_sweeps=1", "protocol.overrelaxation=1",
                          "protocol.heatbath=1", "protocol.multispin=off", "protocol.isoenergetic=0"}) {
    expect_refused(list, {key}, InputFault::conflict, "protocol.moves");
  }
  expect_refused(list, {"protocol.p_flip=0.5"}, InputFault::conflict, "protocol.p_flip");
  expect_refused(list, {"protocol.seed_tile=2"}, InputFault::conflict, "protocol.seed_tile");
  EXPECT_EQ(load(xy_moves + "heat-bath 1, few-cluster 1\n", {"protocol.seed_tile=4"}).protocol.seed_tile, 4);
}

TEST_F(MovesOfConfigs, AreRead) {
  const std::string key = "protocol.moves";
  expect_refused(xy_moves + "\n", {}, InputFault::missing, key);
  expect_refused(xy_moves + "heat-bath\n", {}, InputFault::malformed, key);
  expect_refused(xy_moves + "heat-bath 1 over-relaxation 5\n", {}, InputFault::malformed, key);
  expect_refused(xy_moves + "heat-bath 1,\n", {}, InputFault::malformed, key);
  expect_refused(xy_moves + "heat-bath x\n", {}, InputFault::malformed, key);
  expect_refused(xy_moves + "heat-bath 0\n", {}, InputFault::out_of_range, key);
  expect_refused(xy_moves + "heat-bath 1000001\n", {}, InputFault::out_of_range, key);
  expect_refused(xy_moves + "heat-bat 1\n", {}, InputFault::unknown, key);
  expect_refused(xy_moves + "glauber 1\n", {}, InputFault::unknown, key);
  expect_refused(xy_moves + "exchange 1\n", {}, InputFault::unknown, key);
  std::string many = "heat-bath 1";
  for (int i = 0; i < 8; ++i) many += ", over-relaxation 1, heat-bath 1";
  expect_refused(xy_moves + many + "\n", {}, InputFault::too_large, key);
}

TEST_F(MovesOfConfigs, ThatTheModelCannotMakeAreRefused) {
  const auto refused = [this](const std::string& text, const std::vector<std::string>& overrides = {}) {
    expect_refused(text + "\n", overrides, InputFault::conflict, "protocol.moves");
  };
  refused(ising_moves + "over-relaxation 1, heat-bath 1");
  refused(heisenberg_moves + "wolff 1, heat-bath 1");
  refused(heisenberg_moves + "isoenergetic 1, heat-bath 1");
  refused(heisenberg_moves + "over-relaxation 1");
  refused(xy_moves + "multispin-metropolis 1");
  refused(xy_moves + "isoenergetic 1, heat-bath 1");
  refused(xy_moves + "over-relaxation 1");
  refused(ising_moves + "isoenergetic 1", {"model.couplings=bimodal"});
  refused(ising_moves + "heat-bath 1, isoenergetic 1", {"replicas.copies=1"});
  refused(ising_moves + "wolff 1, swendsen-wang 1");
  refused(ising_moves + "heat-bath 1, multispin-metropolis 1", {"model.couplings=bimodal"});
  refused(ising_moves + "wolff 1, multispin-metropolis 1", {"model.couplings=bimodal"});
  refused(ising_moves + "multispin-metropolis 1", {"model.couplings=gaussian"});
  refused(of_type + "phi4\nlambda = 1\n[protocol]\nmoves = wolff 1");
  EXPECT_NO_THROW(load(xy_moves + "wolff 1\n"));
  EXPECT_NO_THROW(load(ising_moves + "wolff 1\n"));
  const std::string clusters = ising_moves + "heat-bath 1, wolff 1\n";
  expect_refused(clusters, {"model.field=gaussian", "model.field_strength=1"}, InputFault::conflict, "model.field");
  expect_refused(clusters, {"model.site_dilution=0.1"}, InputFault::conflict, "model.site_dilution");
  expect_refused(xy_moves + "heat-bath 1, wolff 1\n", {"protocol.tile=2"}, InputFault::conflict, "protocol.tile");
  expect_refused(xy_moves + "heat-bath 1, wolff 1\n", {"model.anisotropy=1"}, InputFault::conflict, "model.anisotropy");
  expect_refused(xy_moves + "wolff 1\n", {"model.anisotropy=1"}, InputFault::conflict, "model.anisotropy");
}

/// Updates of single spins other than heat baths.
class SiteUpdatesOfConfigs : public RefusedConfigTest {};

TEST_F(SiteUpdatesOfConfigs, AreLocalSweepsOrMoves) {
  const Config xy = load(of_type + "xy\n[protocol]\nlocal = metropolis\nheatbath = 2\n");
  EXPECT_EQ(xy.protocol.local, SiteRule::metropolis);
  EXPECT_EQ(xy.protocol.adaptation, 50);
  EXPECT_THAT(canonical_text(xy), HasSubstr("\nprotocol.local = metropolis\nprotocol.adaptation = 50\n"));
  EXPECT_EQ(parse_config(canonical_text(xy)).protocol, xy.protocol);
  const Config list = load(xy_moves + "metropolis 2\n", {"round.measurements=20"});
  EXPECT_EQ(list.protocol.local, SiteRule::metropolis);
  EXPECT_EQ(list.protocol.adaptation, 20);
  const Config short_form = load(of_type + "xy\n", {"protocol.local=metropolis", "protocol.heatbath=2",
                                                    "protocol.adaptation=20", "round.measurements=20"});
  EXPECT_EQ(make_chain(list, 0).protocol, make_chain(short_form, 0).protocol);
  const Config ising = load(of_type + "ising\n", {"protocol.local=demon", "protocol.exchange=none"});
  EXPECT_EQ(ising.protocol.adaptation, 0);
  EXPECT_THAT(canonical_text(load(of_type + "xy\n", {"protocol.local=heat-bath"})), Not(HasSubstr("protocol.local")));
  EXPECT_THAT(canonical_text(load(of_type + "xy\n")), Not(HasSubstr("protocol.adaptation")));
}

TEST_F(SiteUpdatesOfConfigs, HaveCheckpointsOfTheirOwn) {
  const auto origin = [&](const std::vector<std::string>& keys) {
    const Config config = load(of_type + "xy\n", keys);
    return checkpoint_identity(config, make_chain(config, 0), 1, 1).origin;
  };
  const auto metropolis = origin({"protocol.local=metropolis"});
  EXPECT_NE(metropolis, origin({}));
  EXPECT_NE(metropolis, origin({"protocol.local=metropolis", "protocol.adaptation=10"}));
}

TEST_F(SiteUpdatesOfConfigs, ThatDoNotFitAreRefused) {
  const auto refused = [this](const std::string& type, const std::vector<std::string>& overrides, InputFault fault,
                              const std::string& subject) {
    expect_refused(of_type + type + "\n", overrides, fault, subject);
  };
  const auto conflict = InputFault::conflict;
  refused("phi4\nlambda = 1", {"protocol.local=metropolis"}, conflict, "protocol.local");
  refused("ising", {"protocol.local=metropolis", "protocol.multispin=metropolis", "model.couplings=bimodal"}, conflict,
          "protocol.local");
  refused("ising", {"protocol.local=metropolis", "protocol.adaptation=3"}, conflict, "protocol.adaptation");
  refused("xy", {"protocol.adaptation=3"}, conflict, "protocol.adaptation");
  refused("xy", {"protocol.local=metropolis", "protocol.adaptation=21", "round.measurements=20"}, conflict,
          "protocol.adaptation");
  refused("ising", {"protocol.local=metropolis-hastings"}, InputFault::unknown, "protocol.local");
  refused("xy", {"protocol.moves=metropolis 1, heat-bath 1"}, conflict, "protocol.moves");
  refused("ising", {"protocol.local=demon"}, conflict, "protocol.local");
  refused("heisenberg", {"protocol.local=demon"}, conflict, "protocol.local");
  const auto demon = [&](const std::string& type, const std::vector<std::string>& more) {
    std::vector<std::string> keys{"protocol.local=demon", "protocol.exchange=none"};
    keys.insert(keys.end(), more.begin(), more.end());
    refused(type, keys, conflict, "protocol.local");
  };
  demon("ising", {"protocol.kind=swendsen-wang", "protocol.heatbath=1"});
  demon("ising", {"protocol.isoenergetic=1", "replicas.copies=2"});
  demon("xy", {"protocol.tile=2"});
  demon("ising", {"campaign.start=annealed"});
}

}}  // namespace glassworks
