#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kernels/ground/quench.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/rounds/local_names.hpp"
#include "tests/kernels/site_cases.hpp"

/// XY spins of q directions: the directions themselves, bits of all backends, the weights of a heat bath, energies of
/// states. Vectors of every instruction set on cubes: cluster_bits_test.cpp.
namespace glassworks { namespace {

using test::clock_model;

using std::numbers::pi;

TEST(ClockSpins, AreTheDirectionsOfARegularPolygon) {
  for (int q = 2; q <= 255; ++q) {
    for (int k = 0; k < q; ++k) {
      const auto sigma = static_cast<std::uint8_t>(k);
      const exact::Vector<2> s = Clock::spin(clock_model(q), sigma), back = Clock::spin(clock_model(q), (q - k) % q);
      EXPECT_NEAR(static_cast<double>(s.c[0]), std::cos(2.0 * pi * k / q), 1.6e-7) << k << "/" << q;
      EXPECT_NEAR(static_cast<double>(s.c[1]), std::sin(2.0 * pi * k / q), 1.6e-7) << k << "/" << q;
      EXPECT_NEAR(static_cast<double>(back.c[0]), static_cast<double>(s.c[0]), 1.6e-7);
      if (4 * k % q != 0) continue;
      const int quarter = 4 * k / q;
      EXPECT_EQ(s.c[0], quarter % 2 == 1 ? 0.0F : 1.0F - static_cast<float>(quarter)) << k << "/" << q;
      EXPECT_EQ(s.c[1], quarter % 2 == 0 ? 0.0F : 2.0F - static_cast<float>(quarter)) << k << "/" << q;
    }
    const exact::Vector<2> none = Clock::spin(clock_model(q), Clock::absent);
    EXPECT_EQ(none.c[0], 0.0F);
    EXPECT_EQ(none.c[1], 0.0F);
    EXPECT_EQ(Clock::product(clock_model(q), Clock::absent, 0), 0.0F);
    EXPECT_EQ(Clock::product(clock_model(q), 1, 1), 1.0F);
  }
}

test::TwoRounds rounds(BackendKind kind, const Chain& chain, const Disorder& disorder, InstructionSet isa) {
  const auto backend = make_backend({kind, isa, 1});
  return test::two_rounds(*backend, chain, disorder, initial_state(chain, 5));
}

TEST(ClockBits, SitesFieldsAndLattices) {
  const Lattice lattices[] = {{3, 4, 1U},
                              {2, 6},
                              {1, 20},
                              {3, 4, 0, LatticeKind::fcc},
                              {2, 7, 0b01, LatticeKind::hypercubic, {7, 6}},
                              {3, 6, 0, LatticeKind::hypercubic, {6, 4, 4}}};
  int turn = 0;
  for (const Lattice& lattice : lattices) {
    for (const double field : {0.0, 0.4}) {
      for (const bool diluted : {false, true}) {
        constexpr int sizes[] = {3, 5, 6, 8, 24, 255};
        Chain chain = test::short_chain(clock_model(sizes[turn++ % 6]), lattice);
        chain.model.diluted = diluted;
        chain.local = local_observables_of(chain.model) & ~field_response;
        chain.samples = 2;
        Disorder disorder = test::diluted(chain, field, 17, diluted ? 0.35 : 0.0);
        if (!diluted) disorder.absent.clear();
        if (!diluted && field == 0.0) disorder.fields.clear();
        const test::TwoRounds expected = rounds(BackendKind::reference, chain, disorder, InstructionSet::automatic);
        for (const InstructionSet isa : available_instruction_sets()) {
          if (diluted && isa != InstructionSet::portable) continue;  // plain code
          EXPECT_TRUE(rounds(BackendKind::cpu, chain, disorder, isa) == expected)
              << to_string(isa) << ", q " << chain.model.states << ", d " << lattice.dim << ", L " << lattice.L
              << ", field " << field << ", diluted " << diluted;
        }
      }
    }
  }
}

/// The states of 2^13 evenly spaced words have the frequencies of their weights exp(beta h.s).
TEST(ClockHeatBath, HasTheWeightsOfAllStates) {
  constexpr int words = 1 << 13;
  for (const int q : {2, 3, 6, 17}) {
    for (const double size : {0.0, 0.4, 3.0, 80.0}) {
      for (const double angle : {0.1, 2.3, 4.0}) {
        const double x = size * std::cos(angle), y = size * std::sin(angle), beta = 0.7;
        const SweepConstants constants{exact::LocalTemperature(0.7F), 0, clock_model(q), {}};
        std::vector<int> count(static_cast<std::size_t>(q), 0);
        for (int i = 0; i < words; ++i) {
          const std::uint32_t word = (static_cast<std::uint32_t>(i) << 19) + 0x40000U;
          ++count.at(Clock::local_update(0, {{static_cast<float>(x), static_cast<float>(y)}}, constants, word, 0));
        }
        double Z = 0.0;
        std::vector<double> weight;
        for (int k = 0; k < q; ++k) {
          weight.push_back(std::exp(beta * (x * std::cos(2.0 * pi * k / q) + y * std::sin(2.0 * pi * k / q) - size)));
          Z += weight.back();
        }
        for (int k = 0; k < q; ++k) {
          const auto at = static_cast<std::size_t>(k);
          EXPECT_NEAR(static_cast<double>(count[at]) / words, weight[at] / Z, 2.0 / words)
              << "q " << q << ", sigma " << k << ", |h| " << size << ", angle " << angle;
        }
      }
    }
  }
}

/// s of a state of the chain, in double; 0 at absent sites.
struct Spins {
  int q;
  const Disorder& disorder;
  [[nodiscard]] double angle(int sigma) const { return 2.0 * pi * sigma / q; }
  [[nodiscard]] double x(const std::uint8_t* s, std::int64_t i) const {
    return disorder.is_absent(i) ? 0.0 : std::cos(angle(s[i]));
  }
  [[nodiscard]] double y(const std::uint8_t* s, std::int64_t i) const {
    return disorder.is_absent(i) ? 0.0 : std::sin(angle(s[i]));
  }
  [[nodiscard]] double energy(const Lattice& lattice, const std::uint8_t* s) const {
    double E = 0.0;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      if (disorder.has_fields()) {
        const float* const H = &disorder.fields[static_cast<std::size_t>(2 * i)];
        E -= static_cast<double>(H[0]) * x(s, i) + static_cast<double>(H[1]) * y(s, i);
      }
      for (int bond = 0; bond < lattice.owned(); ++bond) {
        const std::int64_t j = lattice.neighbour(i, bond, +1);
        E -= static_cast<double>(disorder.couplings[static_cast<std::size_t>(i * lattice.owned() + bond)]) *
             (x(s, i) * x(s, j) + y(s, i) * y(s, j));
      }
    }
    return E;
  }
};

TEST(ClockEnergy, IsThatOfItsStates) {
  const Lattice lattice{2, 6};
  for (const bool diluted : {false, true}) {
    Chain chain = test::short_chain(clock_model(5), lattice);
    chain.beta = {0.8F};
    chain.copies = 1;
    chain.measurements = 1;
    chain.protocol.exchanges_per_measurement = 1;
    chain.model.diluted = diluted;
    Disorder disorder = test::diluted(chain, 0.4, 19, diluted ? 0.3 : 0.0);
    if (!diluted) disorder.absent.clear();
    ChainState state = initial_state(chain, 2);
    const RoundRecord record = test::run_one_round(*test::fast_backend(), chain, disorder, 2, state);
    const Spins spins{5, disorder};
    const std::uint8_t* const s = state.states.data();
    double m_x = 0.0, m_y = 0.0;
    for (std::int64_t i = 0; i < 36; ++i) {
      EXPECT_EQ(disorder.is_absent(i), s[i] == 255);
      m_x += spins.x(s, i) / 36.0;
      m_y += spins.y(s, i) / 36.0;
    }
    EXPECT_NEAR(record.mean[test::O::energy], spins.energy(lattice, s) / 36.0, 1e-6);
    EXPECT_NEAR(record.mean[test::O::magnetization_2], m_x * m_x + m_y * m_y, 1e-6);
  }
}

/// A descent ends where no change of one spin lowers the energy, and says that energy.
TEST(ClockDescent, EndsWhereNoSpinCanLowerTheEnergy) {
  const Lattice lattice{2, 6};
  Chain chain = test::short_chain(clock_model(7), lattice);
  chain.model.diluted = true;
  const Disorder disorder = test::diluted(chain, 0.5, 4, 0.2);
  ChainState state = initial_state(chain, 1);
  for (std::size_t i = 0; i < 36; ++i) {
    if (disorder.is_absent(static_cast<std::int64_t>(i))) state.states[i] = Clock::absent;
  }
  Quench quench(chain.model, lattice, disorder);
  const QuenchEnd end = quench.run({}, std::span(state.states).first(36));
  EXPECT_TRUE(end.settled);
  const Spins spins{7, disorder};
  std::vector<std::uint8_t> s;
  for (std::size_t i = 0; i < 36; ++i) {
    const double turns = std::atan2(quench.spins()[2 * i + 1], quench.spins()[2 * i]) / (2.0 * pi);
    s.push_back(static_cast<std::uint8_t>(std::lround(7.0 * (turns + 1.0)) % 7));
    EXPECT_EQ(disorder.is_absent(static_cast<std::int64_t>(i)), quench.spins()[2 * i] == 0.0);
  }
  EXPECT_NEAR(spins.energy(lattice, s.data()), end.energy, 1e-4);
  for (std::uint8_t& spin : s) {
    const std::uint8_t before = spin;
    for (spin = 0; spin < 7; ++spin) EXPECT_GE(spins.energy(lattice, s.data()), end.energy - 1e-4);
    spin = before;
  }
}

TEST(ClockChains, AreRefusedWithClusters) {
  test::expect_refused_with_clusters(clock_model(5));
  Chain chain = test::short_chain(clock_model(5), {2, 6});
  EXPECT_EQ(problem_of(chain), "");
  chain.model.states = 256;
  EXPECT_NE(problem_of(chain), "");
  chain.model.states = 255;
  EXPECT_EQ(problem_of(chain), "");
  chain.protocol.isoenergetic = 1;
  EXPECT_NE(problem_of(chain), "");
}

}}  // namespace glassworks
