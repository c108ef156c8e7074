#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/cluster/site_update_chains.hpp"

/// Demons: the energy that they keep with the spins, and exact averages of a small ring.
///
/// Statistics*: every comparison fails by chance with probability 6e-5 (Student's t, test::limit), one of about 10 in
/// 0.06 %, with fixed seeds once and for all.
namespace glassworks { namespace {

using test::agrees;
using test::chain_with;
using test::Means;
using test::O;

std::int64_t energy_with_demons(const Chain& chain, const Disorder& disorder, const ChainState& state, int replica,
                                const RoundRecord& record) {
  const BesideLayout layout(chain);
  const auto first = state.beside.begin() + layout.reserves_of(replica);
  const BinLayout observables(chain);
  // One measurement, no exchange: the energy of a copy at its slot is that of the state.
  const int slot = replica % chain.slots(), copy = replica / chain.slots();
  const double e = record.mean[static_cast<std::size_t>(slot * observables.size() +
                                                        observables.at(BinQuantity::energy_of_copy, copy))];
  const double E = e * static_cast<double>(layout.sites) / disorder.energy_scale.unit();
  return static_cast<std::int64_t>(std::llround(E)) + std::accumulate(first, first + layout.sites, std::int64_t{0});
}

TEST(Demons, ConserveTheEnergyOfDiscreteSpinsToTheBit) {
  const Lattice lattice{3, 4};
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  for (const SpinModel& model : {test::ising(), test::potts(3), test::blume_capel(0.4), test::clock_model(5)}) {
    Chain chain = chain_with(SiteRule::demon, model, lattice, 1);
    Disorder disorder = test::gaussian_disorder(lattice, 4);
    if (facts_of(model).has_fields) disorder = test::with_fields(chain, 0.6, 11, 0.25);
    ChainState state = initial_state(chain, 5);
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> reserves;
    for (int round = 0; round < 5; ++round) {
      const RoundRecord record = test::run_one_round(*backend, chain, disorder, 5, state);
      for (int r = 0; r < chain.replicas(); ++r) {
        const std::int64_t all = energy_with_demons(chain, disorder, state, r, record);
        if (round == 0) {
          before.push_back(all);
        } else {
          EXPECT_EQ(all, before[static_cast<std::size_t>(r)]) << "round " << round << ", replica " << r;
        }
      }
      EXPECT_NE(state.beside, reserves);
      reserves = state.beside;
      EXPECT_TRUE(std::ranges::all_of(reserves, [](std::int64_t e) { return e >= 0; }));
    }
  }
}

/// Vectors: each move is rounded, and spins are brought back to length 1 after a step: below 1e-5 J per site here.
TEST(Demons, KeepTheEnergyOfVectors) {
  const Lattice lattice{3, 4};
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  const Chain chain = chain_with(SiteRule::demon, test::on(3), lattice, 1);
  const Disorder disorder = test::gaussian_disorder(lattice, 4);
  ChainState state = initial_state(chain, 5);
  std::int64_t first = 0;
  for (int round = 0; round < 200; ++round) {
    const RoundRecord record = test::run_one_round(*backend, chain, disorder, 5, state);
    const std::int64_t all = energy_with_demons(chain, disorder, state, 0, record);
    if (round == 0) first = all;
    EXPECT_NEAR(static_cast<double>(all - first) * disorder.energy_scale.unit() / 64.0, 0.0, 1e-5);
  }
}

TEST(Demons, QuantumOfEnergies) {
  const Lattice square{2, 4}, chain{1, 8};
  const auto quantum = [](const SpinModel& model, const Lattice& lattice, const Disorder& disorder) {
    return static_cast<double>(energy_quantum(chain_with(SiteRule::demon, model, lattice, 1), disorder)) *
           disorder.energy_scale.unit();
  };
  EXPECT_EQ(quantum(test::ising(), square, test::bimodal(square, 3)), 4.0);
  EXPECT_EQ(quantum(test::ising(), chain, test::bimodal(chain, 3, 0.5F)), 2.0);
  EXPECT_EQ(quantum(test::potts(3), square, test::pure(square)), 1.0);
  EXPECT_EQ(quantum(test::blume_capel(0.5), square, test::pure(square)), 0.5);
  Disorder one_less = test::pure(chain);
  one_less.couplings[3] = 0.0F;  // sites with one neighbour
  EXPECT_EQ(quantum(test::ising(), chain, one_less), 2.0);
}

/// A ring of 8 Ising spins with 8 demons: K quanta of 4 J that are not in spins can be shared out in
/// (K + 7 over 7) ways, so P(E) ~ g(E) (K(E) + 7 over 7) at the energy that the replica has for ever.
TEST(StatisticsOfDemons, EnergiesOfARing) {
  const Lattice ring{1, 8};
  const Disorder disorder = test::bimodal(ring, 3);
  const Chain chain = chain_with(SiteRule::demon, test::ising(), ring, 200);
  const auto rounds = test::simulate(chain, disorder, 4);
  Chain one = chain;
  one.measurements = 1;
  ChainState state = initial_state(one, 0);
  const RoundRecord record = test::run_one_round(*test::fast_backend(), one, disorder, 0, state);
  const double unit = disorder.energy_scale.unit();
  for (int slot = 0; slot < chain.slots(); ++slot) {
    double energy = 0.0, squared = 0.0, reserve = 0.0;  // over both copies
    for (int copy = 0; copy < 2; ++copy) {
      const double total =
          static_cast<double>(energy_with_demons(one, disorder, state, copy * 3 + slot, record)) * unit;
      double Z = 0.0, e = 0.0, e_2 = 0.0;
      for (int s = 0; s < 256; ++s) {
        double E = 0.0;
        for (int i = 0; i < 8; ++i) {
          const int x = (s >> i & 1) * 2 - 1, y = (s >> (i + 1) % 8 & 1) * 2 - 1;
          E -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(i)]) * x * y;
        }
        if (E > total) continue;
        const double K = std::round((total - E) / 4.0);
        double w = 1.0;
        for (int i = 1; i <= 7; ++i) w *= (K + i) / i;
        Z += w;
        e += w * E / 8.0;
        e_2 += w * E * E / 64.0;
      }
      energy += 0.5 * e / Z;
      squared += 0.5 * e_2 / Z;
      reserve += 0.5 * (total / 8.0 - e / Z);
    }
    const auto place = static_cast<std::size_t>(BinLayout(chain)[BinQuantity::reserve_energy]);
    EXPECT_TRUE(agrees(
        rounds, slot, [](const Means& x) { return x[O::energy]; }, energy));
    EXPECT_TRUE(agrees(
        rounds, slot, [](const Means& x) { return x[O::energy_squared]; }, squared));
    EXPECT_TRUE(agrees(
        rounds, slot, [&](const Means& x) { return x[place]; }, reserve));
  }
}

/// At the start demons are geometric: <E_d> = g/(exp(beta g) - 1) within 4 sigma of 3 x 2 x 64 of them.
TEST(StatisticsOfDemons, StartAtTheTemperatureOfTheirSlot) {
  const Lattice lattice{3, 4};
  const Disorder disorder = test::bimodal(lattice, 3);
  Chain chain = chain_with(SiteRule::demon, test::ising(), lattice, 1);
  chain.beta = {0.25F};
  chain.copies = 4;
  const ChainState state = initial_state(chain, 5);
  const auto beside = beside_at_start(chain, disorder, 5, state);
  const double n = static_cast<double>(beside.size()), unit = disorder.energy_scale.unit();
  double mean = 0.0;
  for (const std::int64_t e : beside) {
    EXPECT_EQ(std::fmod(static_cast<double>(e) * unit, 4.0), 0.0);
    mean += static_cast<double>(e) * unit / n;
  }
  const double p = std::exp(-1.0), expected = 4.0 * p / (1.0 - p);
  EXPECT_NEAR(mean, expected, 4.0 * 4.0 * std::sqrt(p / n) / (1.0 - p));
}

}}  // namespace glassworks
