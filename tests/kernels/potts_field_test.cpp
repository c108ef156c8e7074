#include <gtest/gtest.h>

#include <cmath>

#include "kernels/ground/quench.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/rounds/local_names.hpp"
#include "tests/kernels/site_cases.hpp"

/// Potts spins in a field on state 0: bits of all backends, the weights of a heat bath, energies of states, descents.
/// Graphs: graph_bits_test.cpp.
namespace glassworks { namespace {

/// Gaussian couplings and fields.
Disorder in_field(const Chain& chain, std::uint32_t seed) {
  Disorder disorder = test::diluted(chain, 0.8, seed, 0.0);
  disorder.absent.clear();
  return disorder;
}

TEST(PottsField, BitsOfAllBackends) {
  const Lattice lattices[] = {{3, 4, 1U},
                              {2, 6},
                              {1, 20},
                              {4, 4},
                              {3, 4, 0, LatticeKind::fcc},
                              {2, 7, 0b01, LatticeKind::hypercubic, {7, 6}},
                              {3, 6, 0, LatticeKind::hypercubic, {6, 4, 4}}};
  const auto rounds = [](BackendKind kind, const Chain& chain, const Disorder& disorder, InstructionSet isa) {
    return test::two_rounds(*make_backend({kind, isa, 1}), chain, disorder, initial_state(chain, 5));
  };
  for (const Lattice& lattice : lattices) {
    for (const int q : {2, 3, 20}) {
      for (const SiteRule rule : {SiteRule::heat_bath, SiteRule::metropolis}) {
        Chain chain = test::short_chain(test::potts(q), lattice);
        chain.protocol.local = rule;
        chain.local = local_observables_of(chain.model);
        chain.samples = 2;
        const Disorder disorder = in_field(chain, 17);
        const test::TwoRounds expected = rounds(BackendKind::reference, chain, disorder, InstructionSet::automatic);
        for (const InstructionSet isa : available_instruction_sets()) {
          if (rule != SiteRule::heat_bath && isa != InstructionSet::portable) continue;  // plain code
          EXPECT_TRUE(rounds(BackendKind::cpu, chain, disorder, isa) == expected)
              << to_string(isa) << ", q " << q << ", d " << lattice.dim << ", L " << lattice.L << ", kind "
              << static_cast<int>(lattice.kind);
        }
      }
    }
  }
}

/// The states of 2^13 evenly spaced words have the frequencies of their weights exp(beta (n_k + H delta_k0)).
TEST(PottsField, HeatBathHasTheWeightsOfAllStates) {
  constexpr int words = 1 << 13, q = 4;
  const SweepConstants constants{exact::LocalTemperature(0.7F), 0, test::potts(q), {}};
  for (const float H : {-1.5F, 0.0F, 0.4F, 3.0F}) {
    Potts::Neighbours known{};
    Potts::start(known, {{H}});
    Potts::add_bond(constants.model, known, 1.0F, 0, false);
    Potts::add_bond(constants.model, known, -0.5F, 2, false);
    const double gain[q] = {static_cast<double>(H) + 1.0, 0.0, -0.5, 0.0};
    double Z = 0.0;
    for (const double x : gain) Z += std::exp(0.7 * x);
    int count[q] = {};
    for (int i = 0; i < words; ++i) {
      ++count[Potts::local_update(0, known, constants, (static_cast<std::uint32_t>(i) << 19) + 0x40000U, 0)];
    }
    for (int k = 0; k < q; ++k) {
      EXPECT_NEAR(static_cast<double>(count[k]) / words, std::exp(0.7 * gain[k]) / Z, 2.0 / words) << H << ", " << k;
      EXPECT_NEAR(static_cast<double>(Potts::gain(constants.model, known, static_cast<std::uint8_t>(k))), gain[k],
                  1e-6);
    }
  }
}

/// - sum J delta(sigma, sigma') - sum H delta(sigma, 0).
double energy_of(const Lattice& lattice, const Disorder& disorder, const std::uint8_t* sigma) {
  double E = 0.0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    if (sigma[i] == 0) E -= static_cast<double>(disorder.fields[static_cast<std::size_t>(i)]);
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const bool equal = sigma[i] == sigma[lattice.neighbour(i, bond, +1)];
      if (equal) E -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(i * lattice.owned() + bond)]);
    }
  }
  return E;
}

TEST(PottsField, EnergyIsThatOfTheStates) {
  const Lattice lattice{2, 6};
  Chain chain = test::short_chain(test::potts(3), lattice);
  chain.beta = {0.8F};
  chain.copies = 1;
  chain.measurements = 1;
  chain.protocol.exchanges_per_measurement = 1;
  const Disorder disorder = in_field(chain, 19);
  ChainState state = initial_state(chain, 2);
  const RoundRecord record = test::run_one_round(*test::fast_backend(), chain, disorder, 2, state);
  EXPECT_NEAR(record.mean[test::O::energy], energy_of(lattice, disorder, state.states.data()) / 36.0, 1e-6);
}

/// A descent ends where no change of one spin lowers the energy, and says that energy.
TEST(PottsField, DescentsEndWhereNoSpinCanLowerTheEnergy) {
  const Lattice lattice{2, 6};
  const Chain chain = test::short_chain(test::potts(4), lattice);
  const Disorder disorder = in_field(chain, 4);
  Quench quench(chain.model, lattice, disorder);
  const ChainState start = initial_state(chain, 1);
  const QuenchEnd end = quench.run({}, std::span(start.states).first(36));
  EXPECT_TRUE(end.settled);
  std::vector<std::uint8_t> sigma;
  for (const double s : quench.spins()) sigma.push_back(static_cast<std::uint8_t>(s));
  EXPECT_NEAR(end.energy, energy_of(lattice, disorder, sigma.data()), 1e-10);
  for (std::uint8_t& s : sigma) {
    const std::uint8_t before = s;
    for (s = 0; s < 4; ++s) EXPECT_GE(energy_of(lattice, disorder, sigma.data()), end.energy - 1e-10);
    s = before;
  }
}

}}  // namespace glassworks
