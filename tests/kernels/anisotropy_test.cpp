#include "kernels/models/anisotropy.hpp"

#include <gtest/gtest.h>

#include "kernels/ground/quench.hpp"
#include "tests/kernels/site_cases.hpp"

/// Random uniaxial anisotropy: bits of all backends and threads, and descents of the energy.
namespace glassworks { namespace {

using test::axis_cases;
using test::AxisCase;
using test::Source;
using test::with_axes;

test::TwoRounds two_rounds_with_axes(Backend& backend, const Chain& chain, const Disorder& disorder) {
  return test::two_rounds(backend, chain, disorder, initial_state(chain, 5));
}

TEST(Anisotropy, SameBitsOfAllBackendsAndThreads) {
  for (const AxisCase& c : axis_cases()) {
    const Disorder disorder = with_axes(c.chain, c.field, c.D, 17);
    const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
    const test::TwoRounds expected = two_rounds_with_axes(*reference, c.chain, disorder);
    for (const int threads : {1, 2, 5}) {
      const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, threads});
      EXPECT_TRUE(two_rounds_with_axes(*backend, c.chain, disorder) == expected) << threads;
    }
    Disorder other = disorder;
    other.anisotropy *= 1.01F;
    EXPECT_FALSE(two_rounds_with_axes(*reference, c.chain, other) == expected);
  }
}

/// D = 0 accepts every move: the states of the vector kernels, which know no anisotropy.
TEST(Anisotropy, OfStrengthZeroChangesNoBit) {
  for (const AxisCase& c : axis_cases()) {
    const Disorder disorder = with_axes(c.chain, c.field, 0.0F, 17);
    Disorder without = disorder;
    without.axes.clear();
    Chain plain = c.chain;
    plain.model.anisotropic = false;
    EXPECT_TRUE(two_rounds_with_axes(*test::fast_backend(), c.chain, disorder) ==
                two_rounds_with_axes(*test::fast_backend(), plain, without));
  }
}

/// The probability min(1, exp(x)) to 4 sigma of 10^5 words (6.3e-5 each).
TEST(Anisotropy, MovesAreAcceptedLikeMetropolis) {
  Source source(4);
  constexpr int words = 100000;
  for (const double x : {1.0, 0.0, -0.3, -2.0, -5.0}) {
    int accepted = 0;
    for (int i = 0; i < words; ++i) {
      accepted += exact::anisotropy_accepts(0.5F, 1.0F, static_cast<float>(1.0 + 2.0 * x), source.word()) ? 1 : 0;
    }
    const double p = std::min(1.0, std::exp(x));
    EXPECT_NEAR(accepted, words * p, 4.0 * std::sqrt(words * p * (1.0 - p)) + 1e-9) << x;
  }
  EXPECT_FALSE(exact::anisotropy_accepts(1.0F, 1e6F, 0.0F, 1000000));
}

/// Descents end where no small rotation of a spin lowers the energy -sum J s.s' - sum H.s - D sum (n.s)^2.
TEST(Anisotropy, DescentsEndInAMinimum) {
  for (const AxisCase& c : axis_cases()) {
    const Chain& chain = c.chain;
    const auto n = static_cast<std::size_t>(components_of(chain.model));
    const auto sites = static_cast<std::size_t>(chain.lattice.sites());
    const Disorder disorder = with_axes(chain, c.field, c.D, 23);
    ChainState state = initial_state(chain, 1);
    static_cast<void>(test::run_one_round(*test::fast_backend(), chain, disorder, 1, state));
    Quench quench(chain.model, chain.lattice, disorder);
    const QuenchEnd end = quench.run(std::span(state.spins).first(sites * n), {});
    ASSERT_TRUE(end.settled);
    const auto energy = [&](const std::vector<double>& s) {
      double sum = 0.0;
      const auto product = [&](std::size_t i, const auto& v, std::size_t j) {
        double dot = 0.0;
        for (std::size_t k = 0; k < n; ++k) dot += s[i * n + k] * static_cast<double>(v[j * n + k]);
        return dot;
      };
      for (std::size_t i = 0; i < sites; ++i) {
        for (int bond = 0; bond < chain.lattice.owned(); ++bond) {
          const auto j = static_cast<std::size_t>(chain.lattice.neighbour(static_cast<std::int64_t>(i), bond, +1));
          const std::size_t place =
              i * static_cast<std::size_t>(chain.lattice.owned()) + static_cast<std::size_t>(bond);
          sum -= static_cast<double>(disorder.couplings[place]) * product(i, s, j);
        }
        if (disorder.has_fields()) sum -= product(i, disorder.fields, i);
        const double along = product(i, disorder.axes, i);
        sum -= static_cast<double>(c.D) * along * along;
      }
      return sum;
    };
    std::vector<double> s = quench.spins();
    EXPECT_NEAR(energy(s), end.energy, 1e-10 * sites);
    for (std::size_t i = 0; i < sites; i += 3) {
      for (const double angle : {1e-3, -1e-3}) {
        const double a = s[i * n], b = s[i * n + 1];
        s[i * n] = std::cos(angle) * a - std::sin(angle) * b;
        s[i * n + 1] = std::sin(angle) * a + std::cos(angle) * b;
        EXPECT_GT(energy(s), end.energy - 1e-10) << i;
        s[i * n] = a;
        s[i * n + 1] = b;
      }
    }
  }
}

}}  // namespace glassworks
