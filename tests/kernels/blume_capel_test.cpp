#include <gtest/gtest.h>

#include <cmath>

#include "kernels/ground/quench.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/rounds/local_names.hpp"
#include "tests/kernels/site_cases.hpp"

/// Spins -1, 0, 1: bits of all backends, the weights of a heat bath, energies of states. Vectors of every instruction
/// set on cubes: cluster_bits_test.cpp.
namespace glassworks { namespace {

using test::blume_capel;

test::TwoRounds rounds(BackendKind kind, const Chain& chain, const Disorder& disorder, InstructionSet isa,
                       int threads) {
  const auto backend = make_backend({kind, isa, threads});
  return test::two_rounds(*backend, chain, disorder, initial_state(chain, 5));
}

TEST(BlumeCapelBits, SitesFieldsAndLattices) {
  const Lattice lattices[] = {{3, 4, 1U},
                              {2, 6},
                              {1, 20},
                              {3, 4, 0, LatticeKind::fcc},
                              {2, 7, 0b01, LatticeKind::hypercubic, {7, 6}},
                              {3, 6, 0, LatticeKind::hypercubic, {6, 4, 4}}};
  for (const Lattice& lattice : lattices) {
    for (const double field : {0.0, 0.4}) {
      for (const bool diluted : {false, true}) {
        Chain chain = test::short_chain(blume_capel(field > 0.0 ? 0.7 : -0.3), lattice);
        chain.model.diluted = diluted;
        chain.local = local_observables_of(chain.model) & ~field_response;
        chain.samples = 2;
        Disorder disorder = test::diluted(chain, field, 17, diluted ? 0.35 : 0.0);
        if (!diluted) disorder.absent.clear();
        if (!diluted && field == 0.0) disorder.fields.clear();
        const test::TwoRounds expected = rounds(BackendKind::reference, chain, disorder, InstructionSet::automatic, 1);
        for (const InstructionSet isa : available_instruction_sets()) {
          if (diluted && isa != InstructionSet::portable) continue;  // plain code
          EXPECT_TRUE(rounds(BackendKind::cpu, chain, disorder, isa, 1) == expected)
              << to_string(isa) << ", d " << lattice.dim << ", L " << lattice.L << ", field " << field << ", diluted "
              << diluted;
        }
      }
    }
  }
}

/// The states of 2^16 evenly spaced words have the frequencies of their weights exp(beta (h s - Delta s^2)).
TEST(BlumeCapelHeatBath, HasTheWeightsOfThreeStates) {
  constexpr int words = 1 << 16;
  for (const double h : {-3.0, -0.2, 0.0, 0.5, 60.0}) {
    for (const double Delta : {-30.0, -0.4, 0.0, 0.6, 2.0, 80.0}) {
      for (const double beta : {0.3, 1.0, 4.0}) {
        int count[3] = {};
        for (int i = 0; i < words; ++i) {
          const std::uint32_t word = (static_cast<std::uint32_t>(i) << 16) + 0x8000U;
          const SpinModel model = blume_capel(Delta);
          const SweepConstants constants{exact::LocalTemperature(static_cast<float>(beta)), 0, model, {}};
          ++count[BlumeCapel::value(BlumeCapel::local_update(0, {{static_cast<float>(h)}}, constants, word, 0)) + 1];
        }
        double weight[3], Z = 0.0;
        const double top = std::max(0.0, std::abs(h) - Delta);
        for (int s = -1; s <= 1; ++s) Z += weight[s + 1] = std::exp(beta * (h * s - Delta * s * s - top));
        for (int s = -1; s <= 1; ++s) {
          EXPECT_NEAR(static_cast<double>(count[s + 1]) / words, weight[s + 1] / Z, 3e-5)
              << "s " << s << ", h " << h << ", Delta " << Delta << ", beta " << beta;
        }
      }
    }
  }
}

/// E of each copy is that of its states, with the crystal field and H.
TEST(BlumeCapelEnergy, IsThatOfItsStates) {
  const Lattice lattice{2, 6};
  for (const bool diluted : {false, true}) {
    Chain chain = test::short_chain(blume_capel(0.7), lattice);
    chain.beta = {0.8F};
    chain.copies = 1;
    chain.measurements = 1;
    chain.protocol.exchanges_per_measurement = 1;
    chain.model.diluted = diluted;
    chain.local = local_observables_of(chain.model) & ~field_response & ~axis_modes;
    Disorder disorder = test::diluted(chain, 0.4, 19, diluted ? 0.3 : 0.0);
    if (!diluted) disorder.absent.clear();
    ChainState state = initial_state(chain, 2);
    const RoundRecord record = test::run_one_round(*test::fast_backend(), chain, disorder, 2, state);
    double energy = 0.0, squares = 0.0, m = 0.0;
    const auto spin = [&](std::int64_t i) {
      const int s = state.states[static_cast<std::size_t>(i)];
      return s == 2 ? 0.0 : 2.0 * s - 1.0;
    };
    for (std::int64_t i = 0; i < 36; ++i) {
      EXPECT_TRUE(!disorder.is_absent(i) || spin(i) == 0.0);
      squares += spin(i) * spin(i) / 36.0;
      m += spin(i) / 36.0;
      energy += (0.7 * spin(i) - static_cast<double>(disorder.fields[static_cast<std::size_t>(i)])) * spin(i) / 36.0;
      for (int bond = 0; bond < 2; ++bond) {
        energy -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(2 * i + bond)]) * spin(i) *
                  spin(lattice.neighbour(i, bond, +1)) / 36.0;
      }
    }
    const BinLayout layout(chain);
    EXPECT_NEAR(record.mean[test::O::energy], energy, 1e-6);
    EXPECT_NEAR(record.mean[test::O::magnetization_2], m * m, 1e-12);
    EXPECT_NEAR(record.mean[static_cast<std::size_t>(layout[BinQuantity::local])], squares, 1e-12);
    EXPECT_GT(squares, 0.1);
  }
}

/// A descent ends where no change of one spin lowers the energy, and says that energy.
TEST(BlumeCapelDescent, EndsWhereNoSpinCanLowerTheEnergy) {
  const Lattice lattice{2, 6};
  Chain chain = test::short_chain(blume_capel(0.9), lattice);
  const Disorder disorder = test::gaussian_disorder(lattice, 4);
  const ChainState state = initial_state(chain, 1);
  Quench quench(chain.model, lattice, disorder);
  const QuenchEnd end = quench.run({}, std::span(state.states).first(36));
  EXPECT_TRUE(end.settled);
  std::vector<double> s = quench.spins();
  const auto energy = [&] {
    double E = 0.0;
    for (std::int64_t i = 0; i < 36; ++i) {
      const double here = s[static_cast<std::size_t>(i)];
      E += 0.9 * here * here;
      for (int bond = 0; bond < 2; ++bond) {
        E -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(2 * i + bond)]) * here *
             s[static_cast<std::size_t>(lattice.neighbour(i, bond, +1))];
      }
    }
    return E;
  };
  EXPECT_NEAR(energy(), end.energy, 1e-9);
  int zeros = 0;
  for (double& spin : s) {
    const double before = spin;
    zeros += before == 0.0 ? 1 : 0;
    for (const double other : {-1.0, 0.0, 1.0}) {
      spin = other;
      EXPECT_GE(energy(), end.energy - 1e-9);
    }
    spin = before;
  }
  EXPECT_GT(zeros, 0);
  EXPECT_LT(zeros, 36);
}

/// What SpinModel says of a model is what its type says.
TEST(ModelTraits, AgreeWithTheTypes) {
  for (const SpinModel& model : {SpinModel{}, test::ising(), test::potts(3), test::on(2), test::on(3), test::on(8),
                                 test::phi4(1.5), test::phi4(INFINITY), blume_capel(0.5), test::clock_model(5)}) {
    for_any_model(model, [&](auto m) {
      using M = decltype(m);
      EXPECT_EQ(M::discrete, model.is_discrete());
      EXPECT_EQ(M::components, components_of(model));
      EXPECT_EQ(M::order_parameter, order_parameter_of(model));
      EXPECT_EQ(M::free_modulus, has_free_modulus(model));
    });
  }
}

TEST(BlumeCapelChains, AreRefusedWithClusters) {
  test::expect_refused_with_clusters(blume_capel(0.5));
  Chain chain = test::short_chain(blume_capel(0.5), {2, 6});
  EXPECT_EQ(problem_of(chain), "");
  chain.protocol.isoenergetic = 1;
  EXPECT_NE(problem_of(chain), "");
  chain.protocol.isoenergetic = 0;
  chain.protocol.multispin = MultispinRule::metropolis;
  EXPECT_NE(problem_of(chain), "");
}

}}  // namespace glassworks
