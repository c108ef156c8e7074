#include <map>
#include <set>

#include "tests/physics/corner_fixture.hpp"
#include "tests/physics/enumerated_ising.hpp"

/// Corners of the configuration: every model and update with its keys at the ends of what is accepted, against exact
/// values. No realization that is called converged may have a wrong value.
///
/// Every comparison fails by chance with probability 6.3e-5 (4 sigma, Student's t for the number of realizations): one
/// of the 722 of the part that is run by default in about 5 %, with fixed seeds once and for all.
namespace glassworks::testing { namespace {

struct ModelCase {
  std::string name;
  std::vector<std::string> keys;
  int components;
};
const std::vector<ModelCase> models = {{"heisenberg", {}, 3},
                                       {"ising", {"model.type=ising"}, 1},
                                       {"potts 2", {"model.type=potts", "model.q=2"}, 1},
                                       {"potts 20", {"model.type=potts", "model.q=20"}, 1},
                                       {"on 2", {"model.type=on", "model.n=2"}, 2},
                                       {"on 3", {"model.type=on", "model.n=3"}, 3},
                                       {"on 4", {"model.type=on", "model.n=4"}, 4},
                                       {"phi4 inf", {"model.type=phi4", "model.lambda=inf"}, 4}};
const std::vector<std::vector<std::string>> updates = {
    {"protocol.kind=local"},
    {"protocol.kind=swendsen-wang"},
    {"protocol.kind=wolff", "protocol.cluster_sweeps=4"},
    {"protocol.kind=few-cluster", "protocol.seed_tile=2", "protocol.p_flip=0.7", "protocol.cluster_sweeps=2"}};

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}
std::string name_of(const std::vector<std::string>& keys) { return fmt::format("{}", fmt::join(keys, " ")); }

/// Every second bond of a chain of 16 sites.
std::string dimers(double J) {
  std::string text;
  for (int site = 0; site < 16; site += 2) text += fmt::format("{} 0 {}\n", site, J);
  return text;
}

TEST_F(StatisticsOfCorners, Dimers) {
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ModelCase& model = models[m];
    for (std::size_t u = 0; u < (model.name == "heisenberg" ? 1U : updates.size()); ++u) {
      if (model.name == "phi4 inf") continue;  // has no couplings
      std::size_t level = m + u;
      for (const double T : {0.001, 0.1, 10.0, 1000.0, 1e6, 1e9}) {
        if ((T == 0.1 || T == 10.0 || T == 1000.0) && !all_corners()) continue;
        for (const double ratio : {1e-3, 1.0, 1e2, 1e5}) {  // J/T
          const double J = ratio * T;
          if (J < 1e-6 || J > 1e6 || !is_chosen(level++)) continue;
          const bool negative = ratio == 1.0 && model.name.substr(0, 5) != "potts";
          const auto keys =
              joined({model.keys, updates[u], {"model.dim=1", "model.L=16", fmt::format("ladder.temperatures={}", T)}});
          const Simulated s = simulate(load(keys, dimers(negative ? -J : J)));
          const Exact exact =
              dimer(s.chain.model, model.components, static_cast<double>(static_cast<float>(negative ? -J : J)),
                    static_cast<double>(s.chain.beta[0]));
          expect_exact(s, 0, exact, 0.5 * J, fmt::format("dimers J = {}: {}", J, name_of(keys)));
        }
      }
    }
  }
  EXPECT_GE(combinations_, all_corners() ? 450 : 85);
  EXPECT_GE(converged_, combinations_ / 2);
}

TEST_F(StatisticsOfCorners, Rings) {
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ModelCase& model = models[m];
    for (std::size_t u = 0; u < (model.name == "heisenberg" ? 1U : updates.size()); ++u) {
      std::size_t level = m + u;
      for (const double T : {0.001, 0.02, 0.5, 3.0, 1000.0}) {
        ++level;
        for (const int L : {4, 8}) {
          if (!is_chosen(level + (L == 8 ? 1U : 0U))) continue;
          const auto keys = joined({model.keys,
                                    updates[u],
                                    {"model.couplings=ferromagnet", "model.dim=1", fmt::format("model.L={}", L),
                                     fmt::format("ladder.temperatures={}", T)}});
          const Simulated s = simulate(load(keys));
          expect_exact(s, 0, ring(s.chain.model, model.components, L, static_cast<double>(s.chain.beta[0])), 1.0,
                       "ring: " + name_of(keys));
        }
      }
    }
  }
  EXPECT_GE(combinations_, all_corners() ? 280 : 140);
  EXPECT_GE(converged_, combinations_ * 2 / 3);
}

/// Every key of the protocol, the ladder, the rounds and the convergence at its ends.
TEST_F(StatisticsOfCorners, KeysOfTheProtocol) {
  const std::vector<std::vector<std::string>> both = {
      {"protocol.heatbath=50"},
      {"protocol.sweeps_per_exchange=1", "protocol.exchanges_per_measurement=1"},
      {"protocol.sweeps_per_exchange=20"},
      {"protocol.exchanges_per_measurement=60"},
      {"protocol.exchange=sequential", "ladder.temperatures=0.4, 0.5, 0.6, 0.8, 1"},
      {"protocol.exchange=even-odd", "ladder.temperatures=0.4, 0.5, 0.6, 0.8, 1"},
      {"ladder.temperatures=0.5, 0.500001"},
      {"ladder.temperatures=0.5, 1000"},
      {"round.measurements=1", "protocol.exchanges_per_measurement=20", "round.samples=1"},
      {"round.measurements=200", "round.samples=200"},
      {"round.samples=0"},
      {"campaign.seed=0"},
      {"campaign.seed=18446744073709551615"},
      {"convergence.min_rounds=1"},
      {"convergence.min_rounds=8", "convergence.max_rounds=8"},
      {"convergence.n_tau=0"},
      {"convergence.n_tau=100", "convergence.equilibration_tau=0"},
      {"convergence.min_round_trips=0"},
      {"replicas.copies=4"},
      {"backend.kind=reference"},
      {"backend.isa=portable"},
      {"backend.threads=3"},
      {"disorder.realizations=64"}};
  const std::set<std::string> heavy = {"protocol.heatbath=50", "protocol.sweeps_per_exchange=20",
                                       "protocol.exchanges_per_measurement=60", "round.measurements=200",
                                       "disorder.realizations=64"};
  const auto run = [&](const ModelCase& model, const std::vector<std::string>& keys, int L) {
    const auto all = joined({model.keys,
                             {"model.couplings=ferromagnet", "model.dim=1", fmt::format("model.L={}", L),
                              "replicas.copies=2", "ladder.temperatures=0.5"},
                             keys});
    const Simulated s = simulate(load(all));
    for (int slot = 0; slot < s.chain.slots(); ++slot) {
      expect_exact(
          s, slot,
          ring(s.chain.model, model.components, L, static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)])),
          1.0, "keys: " + name_of(all));
    }
  };
  const std::set<std::string> by_default = {"heisenberg", "ising"};  // an odd number of keys: each key with one of them
  std::size_t level = 0;
  for (const ModelCase& model : models) {
    if (!by_default.contains(model.name) && !all_corners()) continue;
    for (const auto& keys : both) {
      if (is_chosen(level++)) run(model, keys, heavy.contains(keys.front()) ? 4 : 8);
    }
    if (model.name == "heisenberg") {
      for (const char* key : {"protocol.overrelaxation=0", "protocol.overrelaxation=1", "protocol.overrelaxation=100",
                              "protocol.tile=2", "protocol.tile=4"}) {
        run(model, {key}, 8);
      }
      continue;
    }
    for (const char* key : {"protocol.kind=swendsen-wang", "protocol.kind=wolff", "protocol.exchange=none"})
      run(model, {key}, 8);
    run(model, {"replicas.copies=1"}, 8);
    run(model, {"protocol.kind=swendsen-wang", "protocol.cluster_sweeps=15"}, 8);
    run(model, {"protocol.kind=swendsen-wang", "protocol.heatbath=5"}, 8);
    for (const char* p : {"0.02", "0.98"}) {
      for (const char* tile : {"2", "8"}) {
        run(model,
            {"protocol.kind=few-cluster", std::string("protocol.seed_tile=") + tile,
             std::string("protocol.p_flip=") + p, "protocol.cluster_sweeps=10"},
            8);
      }
    }
    if (model.name == "ising") run(model, {"protocol.isoenergetic=3"}, 8);
  }
  EXPECT_GE(combinations_, all_corners() ? 260 : 39);
  EXPECT_GE(converged_, combinations_ * 3 / 4);
}

/// 4 x 4 Ising lattices with any couplings, by enumeration: energies, magnetizations, overlaps.
TEST_F(StatisticsOfCorners, EnumeratedIsing) {
  const Lattice lattice{2, 4};
  std::map<std::string, std::vector<EnumeratedIsing>> known;
  std::size_t level = 0;
  for (const char* couplings : {"ferromagnet", "bimodal", "gaussian"}) {
    for (const auto& update : updates) {
      ++level;
      for (const char* ladder :
           {"0.001", "0.3", "1.5", "1000", "0.3, 0.5, 0.8, 1.2, 1.8, 2.7", "0.001, 0.002, 0.003"}) {
        if (!is_chosen(level++)) continue;
        const auto keys =
            joined({{"model.type=ising", "model.dim=2", "model.L=4", std::string("model.couplings=") + couplings,
                     "replicas.copies=2", std::string("ladder.temperatures=") + ladder},
                    update});
        const Simulated s = simulate(load(keys));
        const BinLayout layout(s.chain);
        const auto q2 = static_cast<std::size_t>(layout[BinQuantity::overlap_2]);
        for (int slot = 0; slot < s.chain.slots(); ++slot) {
          const auto beta = static_cast<double>(s.chain.beta[static_cast<std::size_t>(slot)]);
          std::vector<EnumeratedIsing>& exact = known[fmt::format("{} {}", couplings, beta)];
          for (std::size_t r = exact.size(); r < s.disorder.size(); ++r) {
            const bool same = couplings == std::string("ferromagnet") && r > 0;
            exact.push_back(same ? exact.front() : EnumeratedIsing(lattice, s.disorder[r].couplings, beta));
          }
          // An excitation that no or one measurement has met leaves no error: 4/N of the energy in one of 1e4.
          constexpr double rare = 4e-5;
          const auto check = [&](std::size_t place, const auto& value, const char* what) {
            expect_zero(
                s, slot, [&](const std::vector<double>& x, std::uint32_t r) { return x[place] - value(exact[r]); },
                rare, fmt::format("enumeration: {}: {}", what, name_of(keys)));
          };
          check(
              O::energy, [](const EnumeratedIsing& e) { return e.energy(); }, "energy");
          check(
              O::magnetization_2, [](const EnumeratedIsing& e) { return e.square(1); }, "m^2");
          check(
              q2, [](const EnumeratedIsing& e) { return e.square(2); }, "q^2");
        }
      }
    }
  }
  EXPECT_GE(combinations_, all_corners() ? 72 : 36);
  EXPECT_GE(converged_, combinations_ / 3);
}

/// phi4 at finite lambda: 2 (1 - 2 lambda) <phi^2> + 4 lambda <phi^4> + 2 beta <e> = 4 by integration by parts, for
/// every lambda, kappa, L and d, and the free field.
TEST_F(StatisticsOfCorners, Phi4) {
  std::size_t level = 0;
  for (const auto& update : updates) {
    for (const int dim : {1, 2, 3, 4}) {
      ++level;
      for (const char* lambda : {"0", "0.0001", "0.01", "1", "100", "1000000"}) {
        for (const double T : {0.1, 0.5, 1.0, 1.0002 * dim, 1000.0}) {
          const bool quick = dim == 1 || (dim == 2 && (T == 0.1 || T == 1000.0)) || (dim == 3 && T == 0.5);
          if (!is_chosen(level++) || (!quick && !all_corners())) continue;
          const auto keys =
              joined({{"model.type=phi4", std::string("model.lambda=") + lambda, fmt::format("model.dim={}", dim),
                       "model.L=4", fmt::format("ladder.temperatures={}", T), "disorder.realizations=12"},
                      update});
          Config config;
          try {
            config = load(keys);
          } catch (const InputError&) {
            continue;  // unstable, or beyond single precision
          }
          const Simulated s = simulate(config);
          const double l = config.model.spins.lambda, beta = static_cast<double>(s.chain.beta[0]);
          const std::string what = "phi4: " + name_of(keys);
          const double scale = s.converged.empty() ? 1.0 : 1.0 + beta * std::abs(s.converged[0][0][O::energy]);
          expect_zero(
              s, 0,
              [&](const std::vector<double>& x, std::uint32_t) {
                return 2.0 * (1.0 - 2.0 * l) * x[O::modulus_2] + 4.0 * l * x[O::modulus_4] + 2.0 * beta * x[O::energy] -
                       4.0;
              },
              1e-6 * scale, what + ": integration by parts");
          if (l == 0.0) {
            const double square = free_field_square(s.chain.lattice, beta);
            expect_zero(
                s, 0, [&](const std::vector<double>& x, std::uint32_t) { return x[O::modulus_2] / square - 1.0; }, 1e-3,
                what + ": phi^2");
          }
          for (const Averages& a : s.converged) EXPECT_GT(a[0][O::moved_sites + 1], 0.7) << "acceptance, " << what;
        }
      }
    }
  }
  EXPECT_GE(combinations_, all_corners() ? 390 : 80);
  EXPECT_GE(converged_, combinations_ * 3 / 4);
}

/// One spin in a field: e = -H (coth(beta H) - 1/(beta H)).
TEST_F(StatisticsOfCorners, SpinsInAField) {
  for (const double T : {0.001, 1.0, 1000.0}) {
    for (const double ratio : {1e-3, 1.0, 1e4}) {
      for (const char* copies : {"2", "4"}) {
        const double H = ratio * T;
        const auto keys =
            std::vector<std::string>{"model.dim=1",
                                     "model.L=16",
                                     "model.field=sphere",
                                     fmt::format("model.field_strength={}", H),
                                     fmt::format("ladder.temperatures={}", T),
                                     std::string("replicas.copies=") + copies,
                                     all_corners() ? "protocol.overrelaxation=10" : "protocol.overrelaxation=3"};
        if (H < 1e-6 || H > 1e6) continue;
        const Simulated s = simulate(load(keys, "0 0 1e-6\n"));
        const double x = static_cast<double>(s.chain.beta[0]) * H, A = dimer_order(3, x);
        const double heat = x > 1e3 ? 1.0 : x * x * (x < 1e-2 ? 1.0 / 3.0 : 1.0 - A * A - 2.0 * A / x);
        expect_exact(s, 0, {-H * A, heat}, H + 1e-6, "field: " + name_of(keys));
      }
    }
  }
  EXPECT_GE(combinations_, 16);
}

/// T = 1000: e = -beta d [J^2]/m + O(beta^3), C = beta^2 d [J^2]/m, every dimension and kind of couplings.
TEST_F(StatisticsOfCorners, HighTemperature) {
  const std::set<std::string> by_default = {"heisenberg", "ising"};
  const int lengths[] = {0, test::enough(64, 256), test::enough(8, 16), test::enough(4, 6), 4};
  std::size_t level = 0;
  for (const ModelCase& model : models) {
    if (!by_default.contains(model.name) && !all_corners()) continue;
    ++level;
    for (const int dim : {1, 2, 3, 4}) {
      for (const char* couplings : {"ferromagnet", "bimodal", "gaussian"}) {
        if (!is_chosen(level++)) continue;
        const bool only_pure = model.name.substr(0, 5) == "potts" || model.name == "phi4 inf";
        if (only_pure && couplings != std::string("ferromagnet")) continue;
        auto keys = joined({model.keys,
                            {std::string("model.couplings=") + couplings, fmt::format("model.dim={}", dim),
                             fmt::format("model.L={}", lengths[dim]), "ladder.temperatures=1000"}});
        if (dim == 4 && !all_corners()) keys.emplace_back("round.measurements=6");  // which take most of the time
        const Simulated s = simulate(load(keys));
        const double beta = static_cast<double>(s.chain.beta[0]), N = static_cast<double>(s.chain.lattice.sites());
        const bool potts = s.chain.model.kind == ModelKind::potts;
        const double q = s.chain.model.states;
        const auto squares = [&](std::uint32_t r) {  // sum of J^2 over the bonds, per site
          double sum = 0.0;
          for (const float J : s.disorder[r].couplings) sum += static_cast<double>(J) * static_cast<double>(J);
          return sum / N;
        };
        expect_zero(
            s, 0,
            [&](const std::vector<double>& x, std::uint32_t r) {
              const double mean = potts ? -dim / q : 0.0,
                           slope = potts ? (1.0 / q - 1.0 / (q * q)) * dim : squares(r) / model.components;
              return x[O::energy] - mean + beta * slope;
            },
            3e-6, "high temperature: " + name_of(keys));
      }
    }
  }
  EXPECT_GE(combinations_, all_corners() ? 72 : 12);
  EXPECT_GE(converged_, combinations_ * 3 / 4);
}

}}  // namespace glassworks::testing
