#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

using UnusedKeys = ConfigTest;

TEST_F(UnusedKeys, OfAnotherLadderAreNotedAndIgnored) {
  const auto file = write("a.cfg", minimal_config);
  const Config list = load_config(file, {"ladder.kind=list", "ladder.temperatures=0.2, 0.3"});
  EXPECT_EQ(list.notes.size(), 3U);
  EXPECT_EQ(ladder_temperatures(list, 0), (std::vector<double>{0.2, 0.3}));
  EXPECT_TRUE(campaign_changes(parse_config(canonical_text(list)), list).empty());

  const Config range = load_config(file, {"ladder.kind=linear", "ladder.temperatures=0.2, 0.3"});
  EXPECT_EQ(range.notes, (std::vector<std::string>{"ladder.temperatures is not used (see ladder.kind)."}));
  EXPECT_EQ(ladder_temperatures(range, 0).size(), 5U);
}

TEST_F(UnusedKeys, OfAnotherFieldAreNotedAndIgnored) {
  const auto file = write("a.cfg", minimal_config + "[model]\nfield = gaussian\nfield_strength = 0.5\n");
  EXPECT_TRUE(load_config(file, {}).notes.empty());
  const Config none = load_config(file, {"model.field=none"});
  EXPECT_EQ(none.notes, (std::vector<std::string>{"model.field_strength is not used (see model.field)."}));
  EXPECT_EQ(none.model.field_strength, 0.0);
}

TEST_F(UnusedKeys, DevicesOfABackendWithoutThem) {
  const auto file = write("a.cfg", minimal_config + "[backend]\ndevices = 1\n");
  EXPECT_EQ(load_config(file, {}).backend.devices, std::vector{1});
  const Config cpu = load_config(file, {"backend.kind=cpu"});
  EXPECT_EQ(cpu.notes, (std::vector<std::string>{"backend.devices is not used (see backend.kind)."}));
  EXPECT_TRUE(cpu.backend.devices.empty());
}

TEST_F(UnusedKeys, MostBitsOfWords) {
  const auto file = write(
      "a.cfg", minimal_config + "[model]\ntype = ising\ncouplings = bimodal\n[protocol]\nmultispin = metropolis\n");
  const auto notes = [&](const std::vector<std::string>& overrides) { return load_config(file, overrides).notes; };
  EXPECT_TRUE(notes({"disorder.realizations=10"}).empty());
  EXPECT_TRUE(notes({"disorder.realizations=4", "protocol.multispin=off"}).empty());
  EXPECT_TRUE(notes({"disorder.realizations=4", "backend.kind=cuda"}).empty());
  EXPECT_THAT(notes({"model.L=4,6,8", "disorder.realizations=512,9,4"}),
              testing::ElementsAre(testing::HasSubstr("(L = 6 has 9)")));
}

}}  // namespace glassworks
