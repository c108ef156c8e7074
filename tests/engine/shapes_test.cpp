#include <gmock/gmock.h>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "engine/checkpoint/checkpoint_values.hpp"
#include "tests/engine/config_fixture.hpp"

/// Lattices with a length of their own along each axis, and the response of four copies in a field.
namespace glassworks { namespace {

using testing::HasSubstr;
using testing::Not;

class ShapeConfigs : public RefusedConfigTest {};

const std::string prisms =
    "model.type = ising\nmodel.couplings = gaussian\nmodel.shape = 8x8x16, 4x6x12\ndisorder.realizations = 3\n"
    "ladder.temperatures = 1, 1.2\n";

TEST_F(ShapeConfigs, SizesOfPrismsAreKnownByTheirGreatestLength) {
  const Config config = load(prisms);
  EXPECT_EQ(config.model.L, (std::vector{16, 12}));
  EXPECT_EQ(config.model.dim, 3);
  EXPECT_EQ(config.lattice(12), (Lattice{.dim = 3, .L = 12, .lengths = {4, 6, 12}}));
  EXPECT_EQ(config.lattice(12).sites(), 4 * 6 * 12);
  EXPECT_EQ(config.backend.options.kind, BackendKind::automatic);
  EXPECT_THAT(canonical_text(config), HasSubstr("model.shape = 8x8x16, 4x6x12\n"));
  EXPECT_EQ(canonical_text(parse_config(canonical_text(config))), canonical_text(config));
  EXPECT_EQ(settled(config).round.observables, axis_modes);
  EXPECT_EQ(load(prisms, {"model.L=12"}).model.L, std::vector{12}) << "one of them";
  const Config cubes = load(prisms, {"model.shape=8x8x8, 12x12x12"});
  EXPECT_THAT(canonical_text(cubes), Not(HasSubstr("shape")));
  EXPECT_EQ(cubes.lattice(8), (Lattice{3, 8}));
  const Config film = load(prisms, {"model.shape=8x8x3", "model.boundary=periodic, periodic, open"});
  EXPECT_EQ(film.lattice(8).sites(), 192);
  EXPECT_EQ(film.lattice(8).bonds(), 2 * 192 + 128);
  // Other disorder than that of a cube or of another prism, and states that are not mistaken for theirs.
  const auto J = [&](const Config& c, int L) { return make_disorder(c, c.lattice(L), 0).couplings; };
  const Config other = load(prisms, {"model.shape=8x16x8"});
  EXPECT_NE(J(config, 16).front(), J(other, 16).front());
  EXPECT_NE(J(config, 16).front(), J(load(prisms, {"model.shape=16x16x16"}), 16).front());
  EXPECT_NE(checkpoint_identity(config, make_chain(config, 0), 0, 1),
            checkpoint_identity(other, make_chain(other, 0), 0, 1));
  EXPECT_EQ(state_bytes(checkpoint_identity(film, make_chain(film, 0), 0, 0)), 2U * 2U * (7 + 192));
  EXPECT_EQ(campaign_changes(config, other).size(), 2U);
}

/// Odd lengths are possible: along open axes as shapes, which the message suggests, along closed ones as graphs.
TEST_F(ShapeConfigs, OddLengths) {
  const std::string keys = "disorder.realizations = 3\nladder.temperatures = 1, 1.2\n";
  const auto with = [](std::vector<std::string> overrides, const char* last) {
    overrides.emplace_back(last);
    return overrides;
  };
  for (const char* model : {"ising", "heisenberg"}) {
    const std::string text = keys + "model.type = " + model + "\n";
    const std::vector<std::string> film{"model.dim=3", "model.boundary=periodic, open, open"};
    expect_refused(text, with(film, "model.L=2"), InputFault::out_of_range, "model.L");
  }
  const std::string vectors = keys + "model.type = heisenberg\n", states = keys + "model.type = ising\n";
  const std::vector<std::string> film{"model.dim=3", "model.boundary=periodic, open, open"};
  expect_refused(vectors, with(film, "model.L=7"), InputFault::out_of_range, "model.L");
  expect_refused(states, {"model.L=7", "model.boundary=antiperiodic"}, InputFault::conflict, "model.boundary");
  EXPECT_TRUE(load(states, with(film, "model.L=7")).lattice(7).is_graph());
  EXPECT_EQ(load(states, with(film, "model.L=7")).lattice(7).sites(), 343);
  const Lattice open = load(states, {"model.L=7", "model.boundary=open"}).lattice(7);
  EXPECT_FALSE(open.is_graph());
  EXPECT_EQ(open, load(states, {"model.shape=7x7x7", "model.boundary=open"}).lattice(7));
  const Config followed =
      load(keys, {"model.type=on", "model.n=3", "model.boundary=periodic, open, open", "model.shape=8x7x7"});
  EXPECT_EQ(followed.lattice(8).sites(), 8 * 7 * 7);
}

TEST_F(ShapeConfigs, ShapesThatCannotBe) {
  const auto refused = [&](const std::vector<std::string>& overrides, InputFault fault, const std::string& subject) {
    expect_refused(prisms, overrides, fault, subject);
  };
  EXPECT_EQ(load(prisms, {"model.shape=8x8x7"}).lattice(8).bonds(), 3 * 8 * 8 * 7);
  refused({"model.shape=8x2x8"}, InputFault::out_of_range, "model.shape");
  refused({"model.shape=8x1x8", "model.boundary=open"}, InputFault::out_of_range, "model.shape");
  refused({"model.shape=8x0x8", "model.boundary=open"}, InputFault::out_of_range, "model.shape");
  refused({"model.shape=8x-4x8"}, InputFault::out_of_range, "model.shape");
  refused({"model.shape=4x70000"}, InputFault::out_of_range, "model.shape");
  refused({"model.shape=60000x50000"}, InputFault::too_large, "model.shape");
  refused({"model.shape=8x8x16, 8x16"}, InputFault::conflict, "model.shape");
  refused({"model.shape=8x8x16, 4x4x16"}, InputFault::repeated, "model.shape");
  refused({"model.shape=8x8x16", "model.L=8"}, InputFault::conflict, "model.L");
  refused({"model.dim=2"}, InputFault::conflict, "model.shape");
  refused({"model.shape=8x8xz"}, InputFault::malformed, "model.shape");
  refused({"model.shape=8x8x"}, InputFault::missing, "model.shape");
  EXPECT_TRUE(load(prisms, {"model.shape=4x4x4x4x8"}).lattice(8).is_graph());
  refused({"model.shape=4x4x4x4x4x4x8"}, InputFault::out_of_range, "model.dim");
  refused({"model.type=heisenberg"}, InputFault::conflict, "model.shape");
  refused({"model.lattice=fcc"}, InputFault::conflict, "model.shape");
  EXPECT_NO_THROW(load(prisms, {"protocol.kind=wolff", "protocol.cluster_sweeps=1", "backend.kind=cuda"}));
  refused({"protocol.kind=few-cluster", "protocol.cluster_sweeps=1", "protocol.seed_tile=2"}, InputFault::conflict,
          "model.shape");
  refused({"protocol.multispin=metropolis", "model.couplings=bimodal"}, InputFault::conflict, "model.shape");
  refused({"model.type=on", "model.n=2", "protocol.tile=4"}, InputFault::conflict, "protocol.tile");
  refused({"round.observables=field_response", "replicas.copies=4"}, InputFault::conflict, "model.shape");
  refused({"model.shape=8x8x8", "round.observables=field_response"}, InputFault::conflict, "round.observables");
}

/// The terms of the susceptibility in a field, by themselves where there is one and four copies.
TEST_F(ShapeConfigs, FieldResponseOfFourCopiesInAField) {
  const auto selected = [&](const std::vector<std::string>& keys) {
    std::vector<std::string> all = {"model.shape=8x8x8", "model.couplings=bimodal"};
    all.insert(all.end(), keys.begin(), keys.end());
    return settled(load(prisms, all)).round.observables & field_response;
  };
  const std::string field = "model.field=constant", strength = "model.field_strength=0.1", four = "replicas.copies=4";
  EXPECT_EQ(selected({field, strength, four}), field_response);
  EXPECT_EQ(selected({field, strength}), 0U);
  EXPECT_EQ(selected({four}), 0U);
  EXPECT_EQ(selected({field, strength, four, "protocol.multispin=metropolis"}), 0U);
  EXPECT_EQ(selected({field, strength, four, "model.type=on", "model.n=4"}), field_response);
  EXPECT_EQ(selected({field, strength, four, "model.type=heisenberg"}), 0U) << "it has them by itself";
}

}}  // namespace glassworks
