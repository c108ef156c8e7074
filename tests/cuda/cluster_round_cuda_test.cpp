#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks {
namespace {

class ClusterRound : public test::OnDevice {};

/// Models other than heisenberg have no CUDA rounds: the CUDA backend gives them to the processor and says so.
TEST_F(ClusterRound, IsSimulatedByTheProcessorWithTheSameBits) {
  const auto cuda = test::cuda_backend(), cpu = test::fast_backend();
  for (const SpinModel& model : {test::ising(), test::potts(3), test::on(3), test::phi4(0.5)}) {
    const Protocol protocol = test::protocol_of(ProtocolKind::swendsen_wang, 2, 1);
    const Chain chain = test::cluster_chain(model, {3, 6}, 2, {0.9F, 0.4F}, protocol, 3);
    const Disorder disorder = test::pure(chain.lattice);
    ChainState expected = initial_state(chain, 4), found = expected;
    const RoundRecord expected_record = test::run_one_round(*cpu, chain, disorder, 4, expected);
    const RoundRecord found_record = test::run_one_round(*cuda, chain, disorder, 4, found);
    EXPECT_TRUE(test::same_bytes(found, expected) && found.states == expected.states);
    EXPECT_TRUE(test::same_bytes(found_record, expected_record));
    EXPECT_THAT(cuda->kernel_description(chain), testing::HasSubstr("the processor"));
    EXPECT_EQ(cuda->preferred_batch(chain), 0);
  }
}

}  // namespace
}  // namespace glassworks
