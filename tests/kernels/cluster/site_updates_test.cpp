#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/models/for_model.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"
#include "tests/kernels/site_cases.hpp"

/// Updates of single spins other than heat baths: exact averages of small systems, and the numbers that they keep
/// beside the spins.
///
/// Statistics*: every comparison fails by chance with probability 6e-5 (Student's t, test::limit), one of about 100 in
/// 0.6 %, with fixed seeds once and for all.
namespace glassworks { namespace {

using test::agrees;
using test::Means;
using test::O;

Protocol protocol_of(SiteRule rule, int adaptation = 0) {
  Protocol p = test::protocol_of(ProtocolKind::local, 0, 1);
  p.local = rule;
  p.adaptation = adaptation;
  p.sweeps_per_exchange = 2;
  if (traits_of(rule).has_reserve) p.exchange = ExchangeSchedule::none;
  return p;
}

Chain chain_with(SiteRule rule, const SpinModel& model, const Lattice& lattice, int measurements, int adaptation = 0) {
  return test::cluster_chain(model, lattice, 2, {1.1F, 0.7F, 0.4F}, protocol_of(rule, adaptation), measurements);
}

/// Means of H/N and (H/N)^2 by the sum over all states of discrete spins.
struct Enumerated {
  double energy = 0.0, squared = 0.0;

  Enumerated(const Chain& chain, const Disorder& disorder, double beta) {
    for_any_model(chain.model, [&](auto m) {
      using M = decltype(m);
      if constexpr (M::discrete) sum_over<M>(chain, disorder, beta);
    });
  }

 private:
  template <class M>
  void sum_over(const Chain& chain, const Disorder& disorder, double beta) {
    const Lattice& lattice = chain.lattice;
    const auto N = static_cast<std::size_t>(lattice.sites());
    const int q = M::states(chain.model);
    std::vector<std::uint8_t> s(N, 0);
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < N; ++i) {
      if (disorder.is_absent(static_cast<std::int64_t>(i))) {
        s[i] = M::absent;
      } else {
        there.push_back(i);
      }
    }
    double Z = 0.0;
    for (bool more = true; more;) {
      double E = 0.0;
      for (const std::size_t i : there) {
        const auto site = static_cast<std::int64_t>(i);
        E += M::site_energy(chain.model, s[i]);
        if constexpr (M::has_fields) {
          if (disorder.has_fields()) {
            exact::Vector<M::components> H;
            for (int k = 0; k < M::components; ++k) {
              H.c[k] = disorder.fields[i * M::components + static_cast<std::size_t>(k)];
            }
            E -= static_cast<double>(M::in_field(chain.model, H, s[i]));
          }
        }
        for (int bond = 0; bond < lattice.owned(); ++bond) {
          const auto j = static_cast<std::size_t>(lattice.neighbour(site, bond, +1));
          if (disorder.is_absent(static_cast<std::int64_t>(j))) continue;
          const float J =
              disorder.couplings[i * static_cast<std::size_t>(lattice.owned()) + static_cast<std::size_t>(bond)];
          E -= static_cast<double>(J * M::product(chain.model, s[i], s[j]));
        }
      }
      const double w = std::exp(-beta * E), e = E / static_cast<double>(N);
      Z += w;
      energy += w * e;
      squared += w * e * e;
      more = false;
      for (const std::size_t i : there) {
        s[i] = static_cast<std::uint8_t>((s[i] + 1) % q);
        if (s[i] != 0) {
          more = true;
          break;
        }
      }
    }
    energy /= Z;
    squared /= Z;
  }
};

TEST(StatisticsOfMetropolis, AllStatesOfDiscreteSpins) {
  for (const SpinModel& model : {test::ising(), test::potts(3), test::blume_capel(0.4), test::clock_model(5)}) {
    for (const bool in_fields : {false, true}) {
      const Lattice lattice = model.kind == ModelKind::ising ? Lattice{1, 8} : Lattice{2, 2};
      Chain chain = chain_with(SiteRule::metropolis, model, lattice, 100);
      Disorder disorder = test::gaussian_disorder(lattice, 4);
      if (in_fields) {
        if (!facts_of(model).has_fields) continue;
        disorder = test::with_fields(chain, 0.6, 11, 0.25);
      }
      const auto rounds = test::simulate(chain, disorder, 4);
      for (int slot = 0; slot < chain.slots(); ++slot) {
        const Enumerated exact(chain, disorder, static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]));
        EXPECT_TRUE(agrees(
            rounds, slot, [](const Means& x) { return x[O::energy]; }, exact.energy));
        EXPECT_TRUE(agrees(
            rounds, slot, [](const Means& x) { return x[O::energy_squared]; }, exact.squared));
      }
    }
  }
}

/// Mean of x = n.s of a unit vector of n components with weight exp(a x + b x^2), and of x^2.
struct OnSphere {
  double x = 0.0, square = 0.0;
  OnSphere(int n, double a, double b) {
    double Z = 0.0;
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) {  // x = cos t, weight sin^(n-2) t
      const double t = 3.14159265358979323846 * (i + 0.5) / steps, c = std::cos(t);
      const double w = std::pow(std::sin(t), n - 2) * std::exp(a * c + b * c * c);
      Z += w;
      x += w * c;
      square += w * c * c;
    }
    x /= Z;
    square /= Z;
  }
};

/// Every second bond of a chain is J, so that <s.s'> is the mean of x in a field J; and spins by themselves in a field
/// along an axis with an anisotropy.
TEST(StatisticsOfMetropolis, DimersAndSingleVectors) {
  const Lattice lattice{1, 16};
  for (const int n : {2, 3, 5}) {
    const Chain chain = chain_with(SiteRule::metropolis, test::on(n), lattice, 40, 40);
    std::vector<float> couplings(16, 0.0F);
    for (std::size_t i = 0; i < 16; i += 2) couplings[i] = 1.5F;
    const auto rounds = test::simulate(chain, test::with_scale(lattice, couplings), 4);
    Chain alone = chain;
    alone.model.anisotropic = true;
    Disorder disorder = test::with_scale(lattice, std::vector<float>(16, 0.0F));
    disorder.anisotropy = 0.9F;
    for (int i = 0; i < 16; ++i) {
      for (int k = 0; k < n; ++k) {
        disorder.axes.push_back(k == 0 ? 1.0F : 0.0F);
        disorder.fields.push_back(k == 0 ? 0.7F : 0.0F);
      }
    }
    disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields, 0.9);
    const auto single = test::simulate(alone, disorder, 4);
    for (int slot = 0; slot < chain.slots(); ++slot) {
      const double beta = static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]);
      const OnSphere pair(n, 1.5 * beta, 0.0), one(n, 0.7 * beta, 0.9 * beta);
      EXPECT_TRUE(agrees(
          rounds, slot, [](const Means& x) { return x[O::energy]; }, -0.75 * pair.x))
          << n;
      EXPECT_TRUE(agrees(
          single, slot, [](const Means& x) { return x[O::energy]; }, -0.7 * one.x - 0.9 * one.square))
          << n;
    }
  }
}

TEST(StatisticsOfMetropolis, EnergyOfHeatBaths) {
  const Lattice lattice{2, 4};
  const Disorder disorder = test::gaussian_disorder(lattice, 4);
  for (const int n : {4, 8}) {
    const auto found = test::simulate(chain_with(SiteRule::metropolis, test::on(n), lattice, 20, 20), disorder, 6);
    const auto expected = test::simulate(chain_with(SiteRule::heat_bath, test::on(n), lattice, 20), disorder, 6);
    for (int slot = 0; slot < 3; ++slot) {
      double mean = 0.0, squares = 0.0;
      for (const Means& round : expected.mean) {
        const double e = round[static_cast<std::size_t>(slot * expected.quantities) + O::energy];
        mean += e / test::rounds_per_check;
        squares += e * e / test::rounds_per_check;
      }
      const double error = std::sqrt((squares - mean * mean) / (test::rounds_per_check - 1));
      EXPECT_TRUE(agrees(
          found, slot, [](const Means& x) { return x[O::energy]; }, mean, error))
          << n;
    }
  }
}

/// Widths change in the first measurements alone, and give an acceptance of 1/2; the place of a round in time decides,
/// not how many rounds there are.
TEST(SiteUpdates, WidthsAdaptThenStay) {
  const Lattice lattice{3, 4};
  const Disorder disorder = test::gaussian_disorder(lattice, 4);
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  for (const SpinModel& model : {test::on(2), test::on(6), SpinModel{}}) {
    Chain chain = chain_with(SiteRule::metropolis, model, lattice, 30, 45);
    chain.beta = {12.0F, 8.0F, 6.0F};
    ChainState state = initial_state(chain, 5);
    EXPECT_EQ(state.beside, std::vector<std::int64_t>(3, first_width));
    std::vector<ChainState> after;
    RoundRecord record;
    for (int round = 0; round < 3; ++round) {
      record = test::run_one_round(*backend, chain, disorder, 5, state);
      after.push_back(state);
    }
    EXPECT_NE(after[0].beside, after[1].beside);
    EXPECT_EQ(after[1].beside, after[2].beside);
    const ChainObservables observables(chain);
    const auto& names = observables.names();
    const auto place = static_cast<std::size_t>(std::ranges::find(names, "local_acceptance") - names.begin());
    ASSERT_LT(place, names.size());
    for (std::size_t slot = 0; slot < 3; ++slot) {
      EXPECT_NEAR(record.mean[slot * names.size() + place], 0.5, 0.06) << slot;
    }
    // In one go.
    Chain whole = chain;
    whole.measurements = 90;
    ChainState once = initial_state(whole, 5);
    static_cast<void>(test::run_one_round(*backend, whole, disorder, 5, once));
    EXPECT_EQ(once, state);
    EXPECT_TRUE(std::ranges::all_of(after[0].beside, [](auto w) { return w != first_width; }));
  }
}

TEST(SiteUpdates, AcceptanceOfASpinThatNothingHolds) {
  const Lattice lattice{2, 4};
  const Disorder disorder = test::pure(lattice, 0.0F);
  const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  Chain chain = chain_with(SiteRule::metropolis, test::potts(3), lattice, 4);
  ChainState state = initial_state(chain, 0);
  const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
  const BinLayout layout(chain);
  EXPECT_EQ(record.mean[static_cast<std::size_t>(layout[BinQuantity::local_acceptance])], 1.0);
}

TEST(SiteUpdates, EqualBitsForAnyThreads) {
  const Lattice lattice{3, 4};
  for (std::size_t number = 1; number < SiteUpdates::size; ++number) {
    const auto rule = static_cast<SiteRule>(number);
    for (const SpinModel& model :
         {test::ising(), test::potts(3), test::blume_capel(0.4), test::clock_model(5), test::on(2), test::on(5)}) {
      Chain chain = chain_with(rule, model, lattice, 4, 6);
      chain.samples = 1;
      Disorder disorder = test::gaussian_disorder(lattice, 4);
      if (facts_of(model).has_fields) disorder = test::with_fields(chain, 0.6, 11, 0.25);
      const auto rounds = [&](BackendKind kind, int threads) {
        return test::two_rounds(*make_backend({kind, InstructionSet::automatic, threads}), chain, disorder,
                                initial_state(chain, 5));
      };
      const auto expected = rounds(BackendKind::reference, 1);
      EXPECT_EQ(rounds(BackendKind::cpu, 1), expected);
      EXPECT_EQ(rounds(BackendKind::cpu, 5), expected);
    }
  }
}

// Demons.

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
