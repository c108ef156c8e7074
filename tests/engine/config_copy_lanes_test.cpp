#include <gmock/gmock.h>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// Configurations with protocol.lanes = copies.
namespace glassworks { namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string ising_glass =
    "[model]\ntype = ising\ndim = 3\nL = 8\ncouplings = bimodal\n[disorder]\nrealizations = 3\n"
    "[ladder]\ntemperatures = 0.7, 1.1\n[protocol]\nexchange = none\n";

class CopyLaneConfigs : public RefusedConfigTest {};

/// Copies in words share no random numbers with other realizations, and their chain is another one.
TEST_F(CopyLaneConfigs, ReachTheChain) {
  const std::vector<std::string> words{"protocol.multispin=heat-bath"};
  std::vector<std::string> copies = words;
  copies.insert(copies.end(), {"protocol.lanes=copies", "replicas.copies=130", "course.sweeps=10"});
  const Config config = load(ising_glass, copies), of_realizations = load(ising_glass, words);
  const Chain chain = make_chain(config, 0);
  EXPECT_TRUE(chain.has_copy_lanes());
  EXPECT_EQ(chain.copies, 130);
  EXPECT_EQ(config.realizations_per_group(), 1U);
  EXPECT_EQ(of_realizations.realizations_per_group(), 128U);
  EXPECT_EQ(parse_config(canonical_text(config)).protocol, config.protocol);
  EXPECT_THAT(config.notes, Each(Not(HasSubstr("protocol.multispin")))) << "few realizations fill the words";
  EXPECT_THAT(canonical_text(of_realizations), Not(HasSubstr("lanes"))) << "as it was";
  EXPECT_THAT(of_realizations.notes, Contains(HasSubstr("protocol.multispin")));
  Chain of_copies = make_chain(of_realizations, 0);
  const CheckpointIdentity before = checkpoint_identity(config, of_copies, 0, 1);
  of_copies.protocol.lanes = MultispinLanes::copies;
  EXPECT_NE(checkpoint_identity(config, of_copies, 0, 1), before);
}

TEST_F(CopyLaneConfigs, NonsenseIsRefusedInOneSentence) {
  const auto refused = [&](std::vector<std::string> others, InputFault fault, const std::string& subject) {
    others.insert(others.begin(), {"protocol.multispin=metropolis", "protocol.lanes=copies"});
    expect_refused(ising_glass, others, fault, subject);
  };
  refused({"protocol.multispin=off"}, InputFault::conflict, "protocol.lanes");
  refused({"protocol.exchange=even-odd"}, InputFault::conflict, "protocol.lanes");
  refused({"protocol.isoenergetic=1", "replicas.copies=2"}, InputFault::conflict, "protocol.lanes");
  refused({"model.field=constant", "model.field_strength=0.1"}, InputFault::conflict, "protocol.lanes");
  refused({"model.bond_dilution=0.1"}, InputFault::conflict, "protocol.lanes");
  refused({"model.boundary=open"}, InputFault::conflict, "protocol.lanes");
  refused({"replicas.copies=8"}, InputFault::out_of_range, "replicas.copies");
  refused({"replicas.copies=513", "course.sweeps=10"}, InputFault::out_of_range, "replicas.copies");
  refused({"course.sweeps=10", "replicas.copies=512", "ladder.temperatures=1,2,3,4,5,6,7,8,9"}, InputFault::too_large,
          "replicas.copies");
}

}}  // namespace glassworks
