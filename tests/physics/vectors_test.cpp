#include "tests/physics/corner_fixture.hpp"
#include "tests/physics/vector_oracles.hpp"

/// Small systems of vectors with couplings and fields of their own, against exact values, with every kind of update.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 200 in 1.3 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

class StatisticsOfVectors : public StatisticsOfCorners {
 protected:
  /// Energies and specific heats at all slots.
  template <class ExactAt>
  void expect_all(const Simulated& s, const ExactAt& exact_at, const std::string& what) {
    for (int slot = 0; slot < s.chain.slots(); ++slot) {
      expect_exact(s, slot, exact_at(static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)])), 2.0, what);
    }
  }
};

const std::vector<std::vector<std::string>> vector_updates = {
    {"protocol.kind=local"},
    {"protocol.kind=local", "protocol.overrelaxation=3"},
    {"protocol.kind=swendsen-wang"},
    {"protocol.kind=swendsen-wang", "protocol.overrelaxation=2"},
    {"protocol.kind=wolff", "protocol.cluster_sweeps=4"},
    {"protocol.kind=few-cluster", "protocol.seed_tile=2", "protocol.p_flip=0.7", "protocol.cluster_sweeps=3"}};

std::string update_name(const std::vector<std::string>& keys) { return fmt::format("{}", fmt::join(keys, " ")); }

/// Couplings along the only axis as a couplings file has them, rounded as the program reads them.
struct Couplings {
  std::string file;
  std::vector<double> J;
  explicit Couplings(const std::vector<double>& values) {
    for (std::size_t site = 0; site < values.size(); ++site) {
      file += fmt::format("{} 0 {}\n", site, values[site]);
      J.push_back(static_cast<double>(static_cast<float>(values[site])));
    }
  }
};

/// Frustrated and unfrustrated rings; one with a missing bond, which is an open chain.
TEST_F(StatisticsOfVectors, RingsOfXYSpinsWithAnyCouplings) {
  for (const Couplings& ring :
       {Couplings({0.7, -1.3, 1.0, 0.4}), Couplings({1.1, 0.6, 0.9, 1.4}),
        Couplings({1.2, -0.6, 0.9, 1.4, -0.8, 0.5, -1.0, 0.7}), Couplings({0.9, -1.5, 0.0, 0.8, 1.1, -0.4})}) {
    for (const auto& update : vector_updates) {
      std::vector<std::string> keys = {"model.type=on", "model.n=2", "model.dim=1",
                                       fmt::format("model.L={}", ring.J.size()), "ladder.temperatures=0.35, 0.7"};
      keys.insert(keys.end(), update.begin(), update.end());
      expect_all(
          simulate(load(keys, ring.file)), [&](double beta) { return xy_ring(ring.J, beta); },
          fmt::format("J = {}: {}", fmt::join(ring.J, " "), update_name(keys)));
    }
  }
  EXPECT_EQ(combinations_, 24);
  EXPECT_EQ(converged_, 24);
}

/// Every second bond of a chain: e = -(J/2) I_1(J/T)/I_0(J/T).
TEST_F(StatisticsOfVectors, DimersOfXYSpins) {
  for (const double J : {1.3, -0.8}) {
    const Couplings chain({J, 0.0, J, 0.0, J, 0.0, J, 0.0});
    for (std::size_t u = 0; u < 4; ++u) {
      std::vector<std::string> keys = {"model.type=on", "model.n=2", "model.dim=1", "model.L=8",
                                       "ladder.temperatures=0.3, 1.1"};
      keys.insert(keys.end(), vector_updates[u].begin(), vector_updates[u].end());
      const Simulated s = simulate(load(keys, chain.file));
      expect_all(
          s, [&](double beta) { return dimer(s.chain.model, 2, chain.J[0], beta); },
          fmt::format("dimers J = {}: {}", J, update_name(keys)));
    }
  }
  EXPECT_EQ(combinations_, 8);
  EXPECT_EQ(converged_, 8);
}

/// e = -(J/2) I_{n/2}(J/T)/I_{n/2-1}(J/T).
TEST_F(StatisticsOfVectors, DimersOfManyComponents) {
  for (const int n : {5, 8}) {
    const Couplings chain({1.3, 0.0, 1.3, 0.0, 1.3, 0.0, 1.3, 0.0});
    for (std::size_t u = 0; u < 3; ++u) {
      std::vector<std::string> keys = {"model.type=on", fmt::format("model.n={}", n), "model.dim=1", "model.L=8",
                                       "ladder.temperatures=0.3, 1.1"};
      keys.insert(keys.end(), vector_updates[u].begin(), vector_updates[u].end());
      const Simulated s = simulate(load(keys, chain.file));
      expect_all(
          s, [&](double beta) { return dimer(s.chain.model, n, chain.J[0], beta); },
          fmt::format("dimers of n = {}: {}", n, update_name(keys)));
    }
  }
  EXPECT_EQ(combinations_, 6);
  EXPECT_EQ(converged_, 6);
}

/// Rings and dimers by tiles of two and of four sites, of which the latter repeat their sweeps.
TEST_F(StatisticsOfVectors, Tiles) {
  std::vector<std::string> chain_keys = {"model.type=on", "model.dim=1", "protocol.kind=local",
                                         "protocol.overrelaxation=1"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> keys = chain_keys;
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  };
  for (const int tile : {2, 4}) {
    if (tile == 4) chain_keys.emplace_back("protocol.tile_repeats=3");  // L = 8: two tiles
    const Couplings ring({1.2, -0.6, 0.9, 1.4, -0.8, 0.5, -1.0, 0.7});
    expect_all(
        simulate(load(
            with({"model.n=2", "model.L=8", fmt::format("protocol.tile={}", tile), "ladder.temperatures=0.35, 0.7"}),
            ring.file)),
        [&](double beta) { return xy_ring(ring.J, beta); }, fmt::format("ring by tiles of {}", tile));
    for (const int n : {3, 4}) {
      const Couplings dimers({1.3, 0.0, 1.3, 0.0, 1.3, 0.0, 1.3, 0.0});
      const Simulated s = simulate(load(with({fmt::format("model.n={}", n), "model.L=8",
                                              fmt::format("protocol.tile={}", tile), "ladder.temperatures=0.3, 1.1"}),
                                        dimers.file));
      expect_all(
          s, [&](double beta) { return dimer(s.chain.model, n, dimers.J[0], beta); },
          fmt::format("dimers of n = {} by tiles of {}", n, tile));
    }
  }
  EXPECT_EQ(combinations_, 6);
  EXPECT_EQ(converged_, 6);
}

/// One field at every site, on single spins and on dimers.
TEST_F(StatisticsOfVectors, HomogeneousFields) {
  const double H[] = {0.5, -0.4, 0.6, 0.3};
  for (const int n : {2, 3, 4}) {
    std::string fields;
    double square = 0.0;
    for (int site = 0; site < 8; ++site) fields += fmt::format("{} {}\n", site, fmt::join(H, H + n, " "));
    for (int k = 0; k < n; ++k) square += std::pow(static_cast<double>(static_cast<float>(H[k])), 2);
    write("H.txt", fields);
    for (const double J : {0.0, 0.9}) {
      const Couplings chain({J, 0.0, J, 0.0, J, 0.0, J, 0.0});
      for (std::size_t u = 0; u < 2; ++u) {
        std::vector<std::string> keys = {"model.type=on",
                                         fmt::format("model.n={}", n),
                                         "model.dim=1",
                                         "model.L=8",
                                         "model.field=file",
                                         "model.field_file=" + (folder_ / "H.txt").string(),
                                         "ladder.temperatures=0.4, 1"};
        keys.insert(keys.end(), vector_updates[u].begin(), vector_updates[u].end());
        expect_all(
            simulate(load(keys, chain.file)),
            [&](double beta) { return dimer_in_field(n, chain.J[0], std::sqrt(square), beta); },
            fmt::format("J = {} in a field: {}", J, update_name(keys)));
      }
    }
  }
  EXPECT_EQ(combinations_, 12);
  EXPECT_EQ(converged_, 12);
}

}}  // namespace glassworks::testing
