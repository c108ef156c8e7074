#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <stdexcept>

#include "base/durable_file.hpp"
#include "tests/engine/checkpoint_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

TEST(Checkpoint, StatesWhichStateItHolds) {
  const CheckpointIdentity identity = small_identity();
  EXPECT_EQ(decode_checkpoint(encode_checkpoint(small_state(), identity)).identity, identity);
  EXPECT_FALSE(decode_checkpoint(encode_checkpoint(small_state())).identity.stated());
}

/// Reading a file when another state is expected.
TEST_F(CheckpointFile, OtherStateIsRecognized) {
  const fs::path file = directory_ / "a.ckpt";
  write_checkpoint(file, small_state(), small_identity());
  const auto reading = [&](const auto& change) {
    CheckpointIdentity expected = small_identity();
    change(expected);
    return [=] { return read_checkpoint(file, state_digest(small_state()), expected); };
  };
  using Identity = CheckpointIdentity;
  EXPECT_NO_THROW(reading([](Identity&) {})());
  EXPECT_THAT(reading([](Identity& e) { e.L = 8; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.realization = 3; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.rounds = 1; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.dim = 2; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.copies = 2; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.slots = 3; }), Refuses(FileFault::damaged));
  EXPECT_THAT(reading([](Identity& e) { e.origin[15] ^= std::byte{1}; }), Refuses(FileFault::damaged));
}

TEST_F(CheckpointFile, StateOfAnotherShapeIsRecognizedWhereNothingIsStated) {
  const fs::path file = directory_ / "a.ckpt";
  write_checkpoint(file, small_state());
  EXPECT_TRUE(same_bits(small_state(), read_checkpoint(file, "", small_identity())));
  CheckpointIdentity expected = small_identity();
  expected.L = 2;
  EXPECT_THAT([&] { return read_checkpoint(file, "", expected); }, Refuses(FileFault::damaged));
}

TEST(Checkpoint, IdentityDependsOnAllThatAStateDependsOn) {
  Config config;
  config.model.L = {4};
  const Chain chain = make_chain(config, 0, {0.5, 0.7});
  const CheckpointIdentity identity = checkpoint_identity(config, chain, 3, 9);
  EXPECT_EQ(describe(identity), "L = 4, realization 3 after 9 rounds");
  EXPECT_EQ(identity, checkpoint_identity(config, chain, 3, 9));
  std::set<Digest::Bytes> origins{identity.origin};
  const auto add = [&](const auto& change) {
    Config c = config;
    change(c);
    origins.insert(checkpoint_identity(c, make_chain(c, 0, {0.5, 0.7}), 3, 9).origin);
  };
  add([](Config& c) { c.campaign.seed = 2; });
  add([](Config& c) { c.round.measurements_per_round = {7}; });
  add([](Config& c) { c.protocol.overrelaxation = 3; });
  add([](Config& c) { c.protocol.heatbath = 3; });
  add([](Config& c) { c.protocol.sweeps_per_exchange = 3; });
  add([](Config& c) { c.protocol.exchanges_per_measurement = 3; });
  add([](Config& c) { c.protocol.exchange = ExchangeSchedule::sequential; });
  add([](Config& c) { c.protocol.tile = 2; });
  add([](Config& c) {
    c.protocol.tile = 2;
    c.protocol.tile_repeats = 2;
  });
  add([](Config& c) { c.model.couplings = CouplingKind::bimodal; });
  add([](Config& c) { c.model.bimodal_p = 0.25; });
  add([](Config& c) { c.model.couplings_mean = 0.25; });
  add([](Config& c) { c.model.bond_dilution = 0.25; });
  add([](Config& c) { c.model.site_dilution = 0.25; });
  add([](Config& c) { c.model.anisotropy = 0.25; });
  add([](Config& c) { c.model.couplings_digest = "1"; });
  add([](Config& c) { c.model.field = FieldKind::gaussian; });
  add([](Config& c) { c.model.field_strength = 0.5; });
  add([](Config& c) { c.model.field_digest = "1"; });
  add([](Config& c) { c.model.field = FieldKind::constant; });
  add([](Config& c) {
    c.model.field = FieldKind::constant;
    c.model.field_direction = {1.0, 0.0, 0.0};
  });
  origins.insert(checkpoint_identity(config, make_chain(config, 0, {0.5, 0.71}), 3, 9).origin);
  EXPECT_EQ(origins.size(), 23U);
  Config same = config;
  same.convergence.max_rounds *= 2;
  same.disorder.realizations = {8};
  same.backend.options.threads = 3;
  same.round.samples_per_round = 2;
  EXPECT_EQ(checkpoint_identity(same, make_chain(same, 0, {0.5, 0.7}), 3, 9), identity);
}

/// tests/engine/data/README.md says how the file was made.
TEST(Checkpoint, FirstFormatVersionStaysReadable) {
  const fs::path file = fs::path(GLASSWORKS_SOURCE_DIR) / "tests/engine/data/version-1.ckpt";
  const Checkpoint checkpoint = decode_checkpoint(read_file(file));
  EXPECT_EQ(state_digest(checkpoint.state), "37b1e174e225f1c4aa9e358b4143b09d");
  EXPECT_FALSE(checkpoint.identity.stated());
  EXPECT_EQ(checkpoint.state.steps, 40U);
  const CheckpointIdentity identity{
      .dim = 3, .L = 4, .copies = 2, .slots = 3, .realization = 0, .rounds = 8, .origin = {}};
  EXPECT_TRUE(same_bits(checkpoint.state, read_checkpoint(file, "37b1e174e225f1c4aa9e358b4143b09d", identity)));
  std::vector<std::byte> damaged = read_file(file);
  damaged[damaged.size() / 2] ^= std::byte{1};
  EXPECT_THAT([&] { return decode_checkpoint(damaged); }, Refuses(FileFault::damaged));
}

/// What recovery decides by: only a file that may be good is not replaced.
TEST_F(CheckpointFile, FaultsAreToldApart) {
  const fs::path file = directory_ / "a.ckpt";
  const auto fault = [](const fs::path& path) {
    try {
      static_cast<void>(read_checkpoint(path, std::string(32, '0')));
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(error.problem() + ". "));
      return error.fault();
    }
    throw std::logic_error("no error");
  };
  EXPECT_EQ(fault(file), FileFault::missing);
  EXPECT_EQ(fault(file / "b"), FileFault::missing);
  EXPECT_EQ(fault(directory_), FileFault::damaged);
  write_checkpoint(file, small_state());
  EXPECT_EQ(fault(file), FileFault::damaged);  // another state
  EXPECT_EQ(fault(file / "b"), FileFault::missing);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(8).put('\6');
  EXPECT_EQ(fault(file), FileFault::withheld);  // a newer format
  fs::resize_file(file, 20);
  EXPECT_EQ(fault(file), FileFault::damaged);
}

}}  // namespace glassworks
