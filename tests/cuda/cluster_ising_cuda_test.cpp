#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernels/cuda/cluster/ising_updates.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/reference/reference_cluster_replica.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks { namespace {

enum class Signs { positive, mixed };

class ClusterIsing : public test::OnDevice {
 protected:
  /// Swendsen-Wang updates of four replicas in two slots against the reference, after each update every spin.
  static void expect_same_spins(int dim, int L, Signs signs, int updates, int variant = 0) {
    Chain chain;
    chain.model.kind = ModelKind::ising;
    chain.lattice = {dim, L};
    chain.copies = 2;
    chain.beta = {dim == 2 ? 0.7F : 0.4F, dim == 2 ? 0.4407F : 0.2217F};
    chain.protocol.kind = ProtocolKind::swendsen_wang;
    chain.protocol.cluster_sweeps = 1;
    chain.protocol.heatbath = 0;
    chain.key = {17, 4};
    constexpr std::uint32_t realization = 3;
    const auto word = [&](std::uint32_t i) { return random_block(chain.key, Stream::couplings, 0, 0, 0, i).word[0]; };
    Disorder disorder;
    disorder.energy_scale = {20};
    for (std::int64_t b = 0; b < chain.lattice.bonds(); ++b) {
      const bool negative = signs == Signs::mixed && (word(static_cast<std::uint32_t>(b)) & 1U) != 0;
      disorder.couplings.push_back(negative ? -1.0F : 1.0F);
    }
    ChainState state = initial_state(chain, realization);
    const ClusterSystem system(chain, disorder, realization);

    const auto sites = static_cast<std::size_t>(chain.lattice.sites());
    const auto device = make_ising_updates(chain.lattice, static_cast<unsigned>(chain.replicas()), variant);
    std::vector<IsingSystem> systems;
    std::vector<std::unique_ptr<ClusterReplica>> replicas;
    for (int r = 0; r < chain.replicas(); ++r) {
      const float beta = chain.beta[state.slot[static_cast<std::size_t>(r)]];
      systems.push_back({realization, static_cast<std::uint32_t>(r), bond_threshold(2.0, beta, 1.0F), 0});
      replicas.push_back(make_reference_cluster_replica(system, r, state));
    }
    device->set_systems(systems);
    const std::vector<const std::vector<float>*> sets{&disorder.couplings};
    device->set_couplings(sets);
    device->set_states(state.states);
    std::vector<std::uint8_t> found(state.states.size());
    for (int update = 0; update < updates; ++update) {
      const auto step = static_cast<std::uint64_t>(update);
      device->enqueue(chain.key, step, nullptr, [](const char*) {});
      device->get_states(found);
      for (int r = 0; r < chain.replicas(); ++r) {
        ClusterReplica& replica = *replicas[static_cast<std::size_t>(r)];
        test::make_step(system, replica, step, state.slot[static_cast<std::size_t>(r)]);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < sites; ++i) {
          wrong += found[static_cast<std::size_t>(r) * sites + i] != replica.states()[i] ? 1 : 0;
        }
        ASSERT_EQ(wrong, 0U) << "d = " << dim << ", L = " << L << ", update " << update << ", replica " << r;
      }
    }
  }
};

TEST_F(ClusterIsing, SwendsenWangInTwoDimensions) {
  for (const int L : {2, 6, 34, 64, 130, 200, 256}) {
    expect_same_spins(2, L, Signs::positive, 4);
    expect_same_spins(2, L, Signs::mixed, 4);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ClusterIsing, SwendsenWangInThreeDimensions) {
  for (const int L : {2, 6, 18, 32, 42}) {
    expect_same_spins(3, L, Signs::positive, 4);
    expect_same_spins(3, L, Signs::mixed, 4);
    if (HasFatalFailure()) return;
  }
}

/// Shapes of tiles that are not the preferred ones.
TEST_F(ClusterIsing, EveryShapeOfTiles) {
  for (int variant = 1; variant < 4; ++variant) {
    for (const int dim : {2, 3}) {
      if (make_ising_updates({dim, 32}, 1, variant) == nullptr) continue;
      expect_same_spins(dim, dim == 2 ? 140 : 36, Signs::mixed, 3, variant);
      if (HasFatalFailure()) return;
    }
  }
}

}}  // namespace glassworks
