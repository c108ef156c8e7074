#include <gmock/gmock.h>

#include "kernels/rounds/local_names.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks { namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ConfigOfXyGlasses : public RefusedConfigTest {
 protected:
  static constexpr const char* xy =
      "model.type = xy\nmodel.L = 6\ndisorder.realizations = 4\nladder.temperatures = 1, 2\n";

  Config load(const std::vector<std::string>& overrides) const { return RefusedConfigTest::load(xy, overrides); }
  void expect_refused(const std::vector<std::string>& overrides, InputFault fault, const std::string& subject) const {
    RefusedConfigTest::expect_refused(xy, overrides, fault, subject);
  }
};

/// New campaigns of XY glasses measure chiralities; those that began without go on without.
TEST_F(ConfigOfXyGlasses, MeasuresChiralities) {
  const auto selected = [&](const std::vector<std::string>& keys) {
    return local_names(settled(load(keys)).round.observables);
  };
  EXPECT_THAT(selected({}), ElementsAre("bond_nematic", "chiral_overlap"));
  EXPECT_THAT(selected({"model.couplings=bimodal", "model.dim=2"}), ElementsAre("chiral_overlap"));
  EXPECT_THAT(selected({"model.field=sphere", "model.field_strength=1"}), ElementsAre("chiral_overlap"));
  EXPECT_THAT(selected({"round.observables=bond_nematic"}), ElementsAre("bond_nematic")) << "what was chosen stays";
  EXPECT_THAT(selected({"model.couplings=bimodal", "model.dim=1"}), IsEmpty());
  EXPECT_THAT(selected({"model.couplings=bimodal", "model.lattice=fcc"}), IsEmpty());
  EXPECT_THAT(selected({"model.couplings=bimodal", "replicas.copies=1"}), IsEmpty());
  EXPECT_THAT(selected({"model.couplings=ferromagnet", "replicas.copies=2"}), IsEmpty());
  EXPECT_THAT(selected({"model.couplings=bimodal", "model.type=on", "model.n=3"}), IsEmpty());

  const Config given = load({}), now = settled(given);
  EXPECT_TRUE(now.measures(BinQuantity::chiral_zero));
  EXPECT_EQ(canonical_text(parse_config(canonical_text(now))), canonical_text(now));
  EXPECT_EQ(now.bins().size(), given.bins().size() + 5);
  for (const char* chosen : {"round.observables=", "round.observables=bond_nematic"}) {
    // What a version without chiral overlaps stored.
    Config before = now;
    before.round.observables = load({chosen}).round.observables;
    const Config stored = parse_config(canonical_text(before));
    EXPECT_THAT(campaign_changes(stored, given), IsEmpty());
    EXPECT_EQ(continued(stored, given).round.observables, before.round.observables);
    EXPECT_FALSE(continued(stored, given).measures(BinQuantity::chiral_zero));
    EXPECT_EQ(campaign_changes(stored, load({"round.observables=bond_nematic, chiral_overlap"})).size(), 1U);
  }

  const std::string chosen = "round.observables=chiral_overlap";
  expect_refused({chosen, "model.lattice=fcc"}, InputFault::conflict, "round.observables");
  expect_refused({chosen, "model.dim=1"}, InputFault::conflict, "round.observables");
  expect_refused({chosen, "replicas.copies=1"}, InputFault::conflict, "round.observables");
  expect_refused({chosen, "model.type=on", "model.n=3"}, InputFault::conflict, "round.observables");
}

}}  // namespace glassworks
