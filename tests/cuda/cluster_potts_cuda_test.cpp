#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/cuda/cluster/potts_updates.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks { namespace {

class ClusterPotts : public test::OnDevice {
 protected:
  static constexpr int updates = 4;

  /// A round of Swendsen-Wang updates at beta_c.
  static Chain chain_of(int L, int q) {
    const auto beta = static_cast<float>(std::log(1.0 + std::sqrt(static_cast<double>(q))));
    Chain chain = test::cluster_chain(test::potts(q), {2, L}, 1, {beta},
                                      test::protocol_of(ProtocolKind::swendsen_wang, updates), 1);
    chain.key = {20, 11};
    return chain;
  }
};

/// The states of the reference backend, whatever the labelling.
TEST_F(ClusterPotts, UpdatesOfEveryLabellingAreThoseOfTheReference) {
  for (const int L : {4, 6, 34, 64, 130}) {
    for (const int q : {2, 3, 4}) {
      const Chain chain = chain_of(L, q);
      const Disorder disorder = test::pure(chain.lattice);
      ChainState state = initial_state(chain, 0);
      const std::vector<std::uint8_t> begin = state.states;
      RoundRecord record;
      const RoundTask task{0, &disorder, &state, &record};
      RoundControl control;
      test::oracle_backend(test::Oracle::reference)->run_round(chain, {&task, 1}, control);
      ASSERT_NE(begin, state.states);

      PottsUpdates potts(L, q, chain.beta[0]);
      std::vector<std::uint8_t> found(begin.size());
      for (const LabellingMethod method : cuda_labelling_methods(potts.graph())) {
        const auto labelling = make_device_labelling(potts.graph(), method);
        potts.set_states(begin);
        for (std::uint64_t sweep = 0; sweep < updates; ++sweep) {
          potts.enqueue(*labelling, chain.key, sweep, nullptr, [](const char*) {});
        }
        potts.get_states(found);
        ASSERT_TRUE(found == state.states) << "L = " << L << ", q = " << q << ", " << to_string(method);
      }
    }
  }
}

}}  // namespace glassworks
