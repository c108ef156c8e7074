#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernels/cuda/cluster/vector_updates.hpp"
#include "kernels/reference/reference_cluster_replica.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks { namespace {

enum class Couplings { equal, random };

class ClusterVectors : public test::OnDevice {
 protected:
  /// Embedded Swendsen-Wang updates of two replicas against the reference, after each update every component.
  static void expect_same_spins(int dim, int L, int components, Couplings kind) {
    Chain chain;
    chain.model.kind = ModelKind::on;
    chain.model.components = components;
    chain.lattice = {dim, L};
    chain.copies = 2;
    chain.beta = {dim == 4 ? 0.608F : 0.7F};
    chain.protocol.kind = ProtocolKind::swendsen_wang;
    chain.protocol.cluster_sweeps = 1;
    chain.protocol.overrelaxation = chain.protocol.heatbath = 0;
    chain.key = {17, 4};
    constexpr std::uint32_t realization = 3;
    Disorder disorder;
    disorder.energy_scale = {20};
    for (std::int64_t b = 0; b < chain.lattice.bonds(); ++b) {
      const auto block = random_block(chain.key, Stream::couplings, 0, 0, 0, static_cast<std::uint32_t>(b));
      const float J = static_cast<float>(static_cast<int>(block.word[0] >> 16) - 32768) / 16384.0F;
      disorder.couplings.push_back(kind == Couplings::equal ? 1.0F : J);
    }
    ChainState state = initial_state(chain, realization);
    const ClusterSystem system(chain, disorder, realization);
    const auto numbers = static_cast<std::size_t>(chain.lattice.sites()) * static_cast<std::size_t>(components);
    for (int variant = 0;; ++variant) {
      const auto device =
          make_vector_updates(chain.lattice, components, static_cast<unsigned>(chain.replicas()), variant);
      if (device == nullptr) return;
      std::vector<VectorSystem> systems;
      std::vector<std::unique_ptr<ClusterReplica>> replicas;
      for (int r = 0; r < chain.replicas(); ++r) {
        systems.push_back({realization, static_cast<std::uint32_t>(r), chain.beta.front(), 0});
        replicas.push_back(make_reference_cluster_replica(system, r, state));
      }
      device->set_systems(systems);
      const std::vector<const std::vector<float>*> sets{&disorder.couplings};
      device->set_couplings(sets);
      device->set_spins(state.spins);
      std::vector<float> found(state.spins.size());
      for (std::uint64_t step = 0; step < 3; ++step) {
        device->enqueue(chain.key, step, nullptr, [](const char*) {});
        device->get_spins(found);
        for (std::size_t r = 0; r < replicas.size(); ++r) {
          test::make_step(system, *replicas[r], step, 0);
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < numbers; ++i) wrong += found[r * numbers + i] != replicas[r]->spins()[i] ? 1 : 0;
          ASSERT_EQ(wrong, 0U) << "d = " << dim << ", L = " << L << ", n = " << components << ", update " << step;
        }
      }
    }
  }
};

TEST_F(ClusterVectors, FourComponentsInFourDimensions) {
  for (const int L : {2, 4, 6, 10, 28}) {
    expect_same_spins(4, L, 4, Couplings::equal);
    if (HasFatalFailure()) return;
  }
  expect_same_spins(4, 12, 4, Couplings::random);
}

TEST_F(ClusterVectors, ThreeDimensions) {
  for (const int components : {2, 3, 4}) {
    for (const int L : {2, 6, 34}) {
      expect_same_spins(3, L, components, Couplings::equal);
      expect_same_spins(3, L, components, Couplings::random);
      if (HasFatalFailure()) return;
    }
  }
}

}}  // namespace glassworks
