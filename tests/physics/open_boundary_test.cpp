#include "tests/physics/corner_fixture.hpp"
#include "tests/physics/enumerated_ising.hpp"

/// Lattices with open ends against exact values, for every model and kind of update.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 218 in 1.4 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

class StatisticsOfOpenBoundaries : public StatisticsOfCorners {};

struct OpenCase {
  std::vector<std::string> keys;
  int components;
  bool has_clusters;
};
const std::vector<OpenCase> open_cases = {{{}, 3, false},
                                          {{"model.type=ising"}, 1, true},
                                          {{"model.type=potts", "model.q=3"}, 1, true},
                                          {{"model.type=on", "model.n=2"}, 2, true},
                                          {{"model.type=on", "model.n=3"}, 3, true},
                                          {{"model.type=on", "model.n=4"}, 4, true},
                                          {{"model.type=phi4", "model.lambda=inf"}, 4, true}};
const std::vector<std::vector<std::string>> open_updates = {
    {"protocol.kind=local", "protocol.heatbath=4"},
    {"protocol.kind=swendsen-wang"},
    {"protocol.kind=wolff", "protocol.cluster_sweeps=4"},
    {"protocol.kind=few-cluster", "protocol.seed_tile=2", "protocol.p_flip=0.7", "protocol.cluster_sweeps=2"}};

/// Energy and specific heat of an open chain of N spins, J = 1: N - 1 bonds that do not know of one another.
Exact open_chain(const SpinModel& model, int components, int N, double beta) {
  const Exact half_of_a_dimer = dimer(model, components, 1.0, beta);
  const double dimers = 2.0 * (N - 1) / N;
  return {dimers * half_of_a_dimer.energy, dimers * half_of_a_dimer.heat};
}

/// J = 1 on the bonds of a square lattice of edge 4 that do not leave it along the open axes.
std::vector<float> square_bonds(bool x_open, bool y_open) {
  std::vector<float> couplings;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      couplings.push_back(x_open && x == 3 ? 0.0F : 1.0F);
      couplings.push_back(y_open && y == 3 ? 0.0F : 1.0F);
    }
  }
  return couplings;
}

TEST_F(StatisticsOfOpenBoundaries, Chains) {
  for (const OpenCase& model : open_cases) {
    for (std::size_t u = 0; u < (model.has_clusters ? open_updates.size() : 1); ++u) {
      for (const double T : {0.3, 1.5}) {
        std::vector<std::string> keys = {
            "model.couplings=ferromagnet", "model.dim=1",       "model.L=8",
            "model.boundary=open",         "replicas.copies=2", fmt::format("ladder.temperatures={}", T)};
        keys.insert(keys.end(), model.keys.begin(), model.keys.end());
        if (model.has_clusters) keys.insert(keys.end(), open_updates[u].begin(), open_updates[u].end());
        const bool nematic = model.components > 1 && model.has_clusters;
        if (nematic) keys.emplace_back("round.observables=bond_nematic");
        const Simulated s = simulate(load(keys));
        const double beta = static_cast<double>(s.chain.beta[0]);
        const std::string what = fmt::format("{}", fmt::join(keys, " "));
        expect_exact(s, 0, open_chain(s.chain.model, model.components, 8, beta), 1.0, what);
        if (s.chain.model.kind == ModelKind::potts) continue;
        // Two copies know nothing of one another, so the link overlap of a bond is the square of its order.
        const double A = dimer_order(model.components, beta);
        const std::size_t link = place_of(s.chain, "link_overlap");
        expect_zero(
            s, 0, [&](const std::vector<double>& x, std::uint32_t) { return x[link] - A * A; }, 1e-7,
            what + ": link overlap");
        if (!s.config.measures(BinQuantity::q_s) && !nematic) continue;
        const std::size_t q_s = place_of(s.chain, nematic ? "bond_nematic" : "q_s");
        const double order = 1.0 - (model.components - 1) * A / beta;
        expect_zero(
            s, 0, [&](const std::vector<double>& x, std::uint32_t) { return x[q_s] - order; }, 1e-7,
            what + ": (s.s)^2");
      }
    }
  }
  EXPECT_EQ(combinations_, 50);
  EXPECT_GE(converged_, 45);
}

TEST_F(StatisticsOfOpenBoundaries, SquaresOfIsingSpins) {
  for (const auto& update : open_updates) {
    for (const char* boundary : {"open", "open, periodic", "periodic, open"}) {
      const bool x_open = boundary[0] == 'o', y_open = std::string(boundary) != "open, periodic";
      std::vector<std::string> keys = {"model.type=ising",
                                       "model.couplings=ferromagnet",
                                       "model.dim=2",
                                       "model.L=4",
                                       "replicas.copies=2",
                                       "ladder.temperatures=2, 3",
                                       fmt::format("model.boundary={}", boundary)};
      keys.insert(keys.end(), update.begin(), update.end());
      const Simulated s = simulate(load(keys));
      for (int slot = 0; slot < 2; ++slot) {
        const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
        const EnumeratedIsing exact({2, 4}, square_bonds(x_open, y_open), beta);
        const std::string what = fmt::format("{}", fmt::join(keys, " "));
        expect_exact(s, slot, {exact.energy(), exact.heat()}, 1.0, what);
        expect_zero(
            s, slot,
            [&](const std::vector<double>& x, std::uint32_t) { return x[O::magnetization_2] - exact.square(1); }, 1e-7,
            what + ": magnetization");
      }
    }
  }
  EXPECT_EQ(combinations_, 12);
  EXPECT_EQ(converged_, 12);
}

/// Gaussian couplings and fields on an open lattice: the identity holds with the bonds that are there.
TEST_F(StatisticsOfOpenBoundaries, IdentityOfGaussianCouplings) {
  const Simulated s = simulate(load({"model.dim=2", "model.L=4", "model.boundary=open, periodic",
                                     all_corners() ? "disorder.realizations=200" : "disorder.realizations=80",
                                     "ladder.temperatures=1.2, 1.6", "round.measurements=40"}));
  const std::size_t bond = place_of(s.chain, "bond_energy"), q_s = place_of(s.chain, "q_s"),
                    q_l = place_of(s.chain, "link_overlap");
  const double half_z = 28.0 / 16.0;  // 12 bonds along x, 16 along y
  for (int slot = 0; slot < 2; ++slot) {
    const double beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
    expect_zero(
        s, slot,
        [&](const std::vector<double>& x, std::uint32_t) { return x[bond] + half_z * beta * (x[q_s] - x[q_l]); }, 1e-7,
        "identity");
  }
  EXPECT_EQ(comparisons_, 2);
}

}}  // namespace glassworks::testing
