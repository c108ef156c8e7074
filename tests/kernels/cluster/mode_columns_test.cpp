#include <complex>
#include <numbers>

#include "kernels/core/addresses.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// |m(k)|^2 and |q(k)|^2 along each axis, the terms of the susceptibility in a field, and prisms.
namespace glassworks::mode_columns { namespace {

using std::numbers::pi;

/// Spin components of one replica, +-1 of discrete spins [site * n + component].
std::vector<double> spins_of(const Chain& chain, const ChainState& state, int copy) {
  const auto N = static_cast<std::size_t>(chain.lattice.sites());
  const auto n = static_cast<std::size_t>(components_of(chain.model));
  const auto r = static_cast<std::size_t>(copy);
  std::vector<double> spins(N * n);
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      spins[i * n + k] = chain.model.is_discrete() ? 2.0 * state.states[r * N + i] - 1.0
                                                   : static_cast<double>(state.spins[(r * n + k) * N + i]);
    }
  }
  return spins;
}

/// (1/N) sum_i f(i) exp(i k x_a), k = 2 pi multiple/L_a along an axis.
template <class F>
std::complex<double> mode(const Lattice& lattice, int axis, int multiple, const F& f) {
  std::complex<double> sum;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    const double x = lattice.coordinates(i)[static_cast<std::size_t>(axis)];
    sum += f(static_cast<std::size_t>(i)) * std::polar(1.0, 2.0 * pi * multiple * x / lattice.length(axis));
  }
  return sum / static_cast<double>(lattice.sites());
}

Chain chain_of(const SpinModel& model, const Lattice& lattice, int copies, LocalSelection selection) {
  Chain chain = test::cluster_chain(model, lattice, copies, {1.2F}, test::protocol_of(ProtocolKind::local, 0, 3), 1);
  chain.local = selection;
  return chain;
}

double value_of(const Chain& chain, const RoundRecord& record, const std::string& name) {
  const BinLayout layout(chain);
  for (int i = 0; i < layout.size(); ++i) {
    if (layout.name(i) == name) return record.mean[static_cast<std::size_t>(i)];
  }
  ADD_FAILURE() << name << " is not measured";
  return 0.0;
}

const Lattice lattices[] = {{2, 6}, {3, 4}, {3, 4, 0b010}, {3, 6, 0b101, LatticeKind::hypercubic, {5, 6, 3}}};
const SpinModel models[] = {test::ising(), test::on(2), test::on(3)};

TEST(AxisModes, AreThoseOfTheirDefinition) {
  for (const Lattice& lattice : lattices) {
    for (const SpinModel& model : models) {
      const Chain chain = chain_of(model, lattice, 2, axis_modes);
      const Disorder disorder = test::gaussian_disorder(lattice, 9);
      const auto n = static_cast<std::size_t>(components_of(model));
      for (const auto& backend : {make_backend({BackendKind::reference}), test::fast_backend()}) {
        ChainState state = initial_state(chain, 0);
        const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
        const std::vector<double> a = spins_of(chain, state, 0), b = spins_of(chain, state, 1);
        double longest = 0.0, axes = 0.0;
        for (int axis = 0; axis < lattice.dim; ++axis) {
          double q = 0.0, m = 0.0;
          for (std::size_t mu = 0; mu < n; ++mu) {
            for (std::size_t nu = 0; nu < n; ++nu) {
              q += std::norm(mode(lattice, axis, 1, [&](std::size_t i) { return a[i * n + mu] * b[i * n + nu]; }));
            }
            m += 0.5 * std::norm(mode(lattice, axis, 1, [&](std::size_t i) { return a[i * n + mu]; }));
            m += 0.5 * std::norm(mode(lattice, axis, 1, [&](std::size_t i) { return b[i * n + mu]; }));
          }
          const std::string letter(1, "xyz"[axis]);
          EXPECT_NEAR(value_of(chain, record, "overlap_kmin_" + letter), q, 1e-5 * q);
          EXPECT_NEAR(value_of(chain, record, "magnetization_kmin_" + letter), m, 1e-5 * m);
          if (lattice.length(axis) != lattice.L) continue;
          longest += q;
          axes += 1.0;
        }
        EXPECT_NEAR(value_of(chain, record, "overlap_kmin"), longest / axes, 1e-5 * longest);
      }
    }
  }
}

TEST(FieldTerms, AreThoseOfTheirDefinition) {
  for (const Lattice& lattice : {lattices[0], lattices[1]}) {
    for (const SpinModel& model : models) {
      const Chain chain = chain_of(model, lattice, 4, field_response);
      const Disorder disorder = test::gaussian_disorder(lattice, 9);
      const auto n = static_cast<std::size_t>(components_of(model));
      for (const auto& backend : {make_backend({BackendKind::reference}), test::fast_backend()}) {
        ChainState state = initial_state(chain, 0);
        const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
        std::vector<std::vector<double>> spins;
        for (int copy = 0; copy < 4; ++copy) spins.push_back(spins_of(chain, state, copy));
        for (int multiple = 0; multiple <= 2; ++multiple) {
          for (int axis = 0; axis < lattice.dim; ++axis) {
            const auto A = [&](std::size_t a, std::size_t b) {
              return mode(lattice, axis, multiple, [&](std::size_t i) {
                double sum = 0.0;
                for (std::size_t k = i * n; k < (i + 1) * n; ++k) sum += spins[a][k] * spins[b][k];
                return sum;
              });
            };
            double chi[3] = {}, count[3] = {};
            for (std::size_t a = 0; a < 4; ++a) {
              for (std::size_t b = 0; b < 4; ++b) {
                for (std::size_t c = 0; c < 4; ++c) {
                  for (std::size_t d = 0; d < 4; ++d) {
                    if (a == b || c == d) continue;
                    const bool same = (a == c && b == d) || (a == d && b == c);
                    const bool shared = a == c || a == d || b == c || b == d;
                    const int term = same ? 0 : shared ? 1 : 2;
                    chi[term] += (A(a, b) * std::conj(A(c, d))).real();
                    count[term] += 1.0;
                  }
                }
              }
            }
            std::string k = "(";
            for (int other = 0; other < lattice.dim; ++other) {
              k += (other > 0 ? "," : "") + std::to_string(other == axis ? multiple : 0);
            }
            for (int term = 0; term < 3; ++term) {
              EXPECT_NEAR(value_of(chain, record, "chi_" + std::to_string(term + 1) + k + ")"), chi[term] / count[term],
                          1e-6)
                  << k << ", " << lattice.dim << " dimensions, " << n << " components";
            }
          }
        }
      }
    }
  }
}

/// The plain code for prisms makes the states and bins of the cube that it is told is a prism.
TEST(Prisms, WithEqualLengthsAreCubes) {
  for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang, ProtocolKind::wolff}) {
    for (const SpinModel& model : models) {
      for (const unsigned open : {0U, 0b100U}) {
        Chain cube = test::cluster_chain(model, {3, 4, open}, 2, test::geometric_betas(3, 0.5, 1.0),
                                         test::protocol_of(kind, 1, 1), 3);
        cube.local = axis_modes;
        Chain prism = cube;
        prism.lattice.lengths = {4, 4, 4};
        const Disorder disorder = test::gaussian_disorder(cube.lattice, 5);
        ChainState a = initial_state(cube, 0), b = initial_state(prism, 0);
        const RoundRecord of_cube = test::run_one_round(*test::fast_backend(), cube, disorder, 0, a);
        const RoundRecord of_prism = test::run_one_round(*test::fast_backend(), prism, disorder, 0, b);
        EXPECT_EQ(a, b);
        for (std::size_t i = 0; i < of_cube.mean.size(); ++i) {
          EXPECT_NEAR(of_prism.mean[i], of_cube.mean[i], 1e-14 * std::abs(of_cube.mean[i]));
        }
      }
    }
  }
}

/// Vectors of replicas, for shapes whose rows come in pairs, and the plain code: also where sweeps go slice by slice,
/// and with open ends and odd lengths that have the plain code alone.
TEST(Prisms, HaveTheSameBitsInEveryKernel) {
  const Lattice prisms[] = {
      {2, 6, 0, LatticeKind::hypercubic, {4, 6}},        {3, 8, 0, LatticeKind::hypercubic, {8, 4, 6}},
      {3, 8, 0b100, LatticeKind::hypercubic, {6, 8, 5}}, {3, 7, 0b010, LatticeKind::hypercubic, {6, 7, 4}},
      {3, 7, 0b001, LatticeKind::hypercubic, {7, 6, 4}}, {4, 6, 0b1001, LatticeKind::hypercubic, {6, 4, 4, 4}},
      {3, 48, 0, LatticeKind::hypercubic, {16, 16, 48}}};
  for (const Lattice& lattice : prisms) {
    for (const SpinModel& model : {test::ising(), test::on(2), test::on(3), test::on(4)}) {
      const bool large = lattice.sites() > 5000;
      if (large && model.components != 4) continue;
      Chain chain = test::cluster_chain(model, lattice, 2, test::geometric_betas(4, 0.5, 1.0),
                                        test::protocol_of(ProtocolKind::local, 0, 2), large ? 1 : 2);
      chain.local = axis_modes;
      if (!model.is_discrete()) chain.protocol.overrelaxation = 1;
      Disorder disorder = test::gaussian_disorder(lattice, 5);
      test::Source source(3);
      for (std::int64_t i = 0; !large && i < components_of(model) * lattice.sites(); ++i) {
        disorder.fields.push_back(static_cast<float>(0.3 * source.normal()));
      }
      disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
      ChainState expected = initial_state(chain, 0);
      const auto plain = make_backend({BackendKind::reference});
      const RoundRecord record = test::run_one_round(*plain, chain, disorder, 0, expected);
      for (const InstructionSet isa : available_instruction_sets()) {
        ChainState state = initial_state(chain, 0);
        const auto backend = make_backend({BackendKind::cpu, isa, 1});
        const RoundRecord found = test::run_one_round(*backend, chain, disorder, 0, state);
        EXPECT_EQ(state, expected) << to_string(isa) << ", " << lattice.length(0) << " x " << lattice.length(1);
        EXPECT_EQ(found.mean, record.mean);
      }
    }
  }
}

TEST(Prisms, HaveStreamsOfTheirOwn) {
  const auto key = [](std::array<int, 4> lengths) {
    return lattice_key(3, {3, 8, 0, LatticeKind::hypercubic, lengths});
  };
  EXPECT_EQ(lattice_key(3, {3, 8}), size_key(3, 3, 8));
  EXPECT_FALSE(key({8, 8, 4}) == key({8, 4, 8}));
  EXPECT_FALSE(key({8, 8, 4}) == size_key(3, 3, 8));
  EXPECT_FALSE(key({8, 8, 4}) == lattice_key(3, {3, 8, 0, LatticeKind::hypercubic, {8, 8, 4}}, 1));
}

}}  // namespace glassworks::mode_columns
