#include "kernels/models/multispin.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/enough.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// Multi-spin coding: the fast code has the bits of the plain one however realizations are packed, the chain has the
/// right averages, and realizations that share random words do not see it.
namespace glassworks { namespace {

using test::agrees;
using test::diluted;
using test::Ensemble;
using test::multispin_protocol;
using test::O;

struct BitsCase {
  Lattice lattice;
  int copies;
  ExchangeSchedule exchange;
  double absent;
  int isoenergetic = 0;
  float field = 0.0F;
};

class MultispinBits : public ::testing::TestWithParam<MultispinRule> {};

TEST_P(MultispinBits, AnyPackingEqualsThePlainCode) {
  // Neighbours in a word, in a group, in other groups, and alone in theirs.
  const std::vector<std::uint32_t> numbers{0, 1, 31, 32, 97, 127, 128, 200, 383, 384, 511, 700, 4000000000U};
  const std::vector<BitsCase> cases{BitsCase{{1, 10}, 1, ExchangeSchedule::even_odd, 0.0},
                                    BitsCase{{2, 4}, 2, ExchangeSchedule::sequential, 0.0},
                                    BitsCase{{2, 6}, 2, ExchangeSchedule::even_odd, 0.3},
                                    BitsCase{{2, 16}, 1, ExchangeSchedule::none, 0.0},
                                    BitsCase{{3, 4}, 4, ExchangeSchedule::even_odd, 0.0},
                                    BitsCase{{3, 6}, 2, ExchangeSchedule::sequential, 0.2},
                                    BitsCase{{3, 8}, 2, ExchangeSchedule::even_odd, 0.0},
                                    BitsCase{{4, 4}, 2, ExchangeSchedule::even_odd, 0.0},
                                    BitsCase{{4, 4}, 1, ExchangeSchedule::even_odd, 0.1},
                                    BitsCase{{1, 8}, 2, ExchangeSchedule::even_odd, 0.0, 1},
                                    BitsCase{{2, 2}, 2, ExchangeSchedule::even_odd, 0.9, 2},
                                    BitsCase{{2, 6}, 4, ExchangeSchedule::even_odd, 0.3, 1},
                                    BitsCase{{3, 6}, 2, ExchangeSchedule::sequential, 0.0, 1},
                                    BitsCase{{3, 4}, 4, ExchangeSchedule::even_odd, 0.0, 2},
                                    BitsCase{{4, 4}, 2, ExchangeSchedule::none, 0.2, 1},
                                    BitsCase{{1, 8}, 2, ExchangeSchedule::even_odd, 0.0, 0, 0.7F},
                                    BitsCase{{2, 6}, 2, ExchangeSchedule::even_odd, 0.3, 0, -1.3F},
                                    BitsCase{{3, 6}, 4, ExchangeSchedule::sequential, 0.0, 1, 0.3F},
                                    BitsCase{{3, 4}, 2, ExchangeSchedule::even_odd, 0.2, 0, 9.5F},
                                    BitsCase{{4, 4}, 2, ExchangeSchedule::even_odd, 0.0, 0, 0.05F},
                                    BitsCase{{1, 8, 1}, 2, ExchangeSchedule::even_odd, 0.0, 1},
                                    BitsCase{{2, 6, 2}, 2, ExchangeSchedule::even_odd, 0.0, 0, 0.4F},
                                    BitsCase{{3, 4, 5}, 2, ExchangeSchedule::sequential, 0.0, 1},
                                    BitsCase{{3, 4, 7}, 4, ExchangeSchedule::even_odd, 0.3, 0, -0.6F},
                                    BitsCase{{2, 2, 3}, 2, ExchangeSchedule::even_odd, 0.0}};
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t every = 6;  // all of them take longer than all other tests together
#else
  constexpr std::size_t every = 2;  // the other rule takes the cases between
#endif
  for (std::size_t at = GetParam() == MultispinRule::metropolis ? 0 : 1; at < cases.size(); at += every) {
    const BitsCase& c = cases[at];
    Protocol protocol = multispin_protocol(GetParam(), 2);
    protocol.sweeps_per_exchange = 2;
    protocol.exchanges_per_measurement = 2;
    protocol.exchange = c.exchange;
    protocol.isoenergetic = c.isoenergetic;
    if (c.isoenergetic == 2) protocol.isoenergetic_T_max = 1.5;  // three of the five slots
    const Chain chain =
        test::cluster_chain(test::ising(), c.lattice, c.copies, {1.3F, 0.9F, 0.7F, 0.5F, 0.2F}, protocol, 3);
    const auto draw = [&](std::uint32_t n) { return diluted(c.lattice, n, c.absent, c.field); };
    Ensemble plain(chain, numbers, draw);
    const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
    // The first five are two rounds ahead of the others.
    for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 0U, 1U, 2U, 3U, 4U}) plain.round(*reference, chain, {i});
    const Ensemble packed = plain;
    for (int round = 0; round < 2; ++round) {
      for (const std::size_t i : plain.all()) plain.round(*reference, chain, {i});
    }
    for (const InstructionSet isa : available_instruction_sets()) {
      for (const int threads : {1, 3}) {
        const auto backend = make_backend({BackendKind::cpu, isa, threads});
        Ensemble found = packed;
        found.round(*backend, chain, {12, 3, 8, 1, 5, 0, 7});  // then the others, and all together
        found.round(*backend, chain, {2, 4, 6, 9, 10, 11});
        found.round(*backend, chain, found.all());
        for (const std::size_t i : plain.all()) {
          const std::string what = "d " + std::to_string(c.lattice.dim) + " L " + std::to_string(c.lattice.L) +
                                   " moves " + std::to_string(c.isoenergetic) + " field " + std::to_string(c.field) +
                                   " open " + std::to_string(c.lattice.open) + " " + to_string(isa) + " realization " +
                                   std::to_string(numbers[i]);
          EXPECT_TRUE(test::same_bytes(found.state[i], plain.state[i]) &&
                      found.state[i].states == plain.state[i].states)
              << "state: " << what;
          EXPECT_TRUE(test::same_bytes(found.record[i], plain.record[i])) << "record: " << what;
        }
      }
    }
  }
}

TEST_P(MultispinBits, WhatTheLoopsDoNotKnowIsLeftToThePlainCode) {
  const Lattice lattice{2, 6};
  Chain chain = test::cluster_chain(test::ising(), lattice, 2, {0.9F, 0.5F}, multispin_protocol(GetParam()), 2);
  chain.local = axis_modes;
  Ensemble plain(chain, {0, 5, 300}, [&](std::uint32_t n) { return test::bimodal(lattice, n); }), fast = plain;
  plain.round(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, plain.all());
  fast.round(*test::fast_backend(), chain, fast.all());
  EXPECT_EQ(fast.state[2].states, plain.state[2].states);
  EXPECT_TRUE(test::same_bytes(fast.record[2], plain.record[2]));
}

INSTANTIATE_TEST_SUITE_P(Rules, MultispinBits, ::testing::Values(MultispinRule::metropolis, MultispinRule::heat_bath),
                         [](const auto& test) {
                           return test.param == MultispinRule::metropolis ? "Metropolis" : "HeatBath";
                         });

class StatisticsOfMultispin : public ::testing::TestWithParam<MultispinRule> {
 protected:
  /// Means of a round of each of 256 realizations with the same couplings: as independent as if they shared nothing.
  static test::Rounds simulate(const Chain& chain, const Disorder& disorder, int warm_up) {
    std::vector<std::uint32_t> numbers(256);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i);
    Ensemble ensemble(chain, numbers, [&](std::uint32_t) { return disorder; });
    const auto backend = test::fast_backend();
    for (int round = 0; round <= warm_up; ++round) ensemble.round(*backend, chain, ensemble.all());
    test::Rounds rounds{{}, BinLayout(chain).size()};
    for (const RoundRecord& record : ensemble.record) rounds.mean.push_back(record.mean);
    return rounds;
  }
  static void expect_independent(float H);
};

/// 4^3 by enumeration. False alarm: 6e-5 each, seeds are fixed.
TEST_P(StatisticsOfMultispin, ThreeDimensionalIsingByEnumeration) {
  struct {
    double beta, e, c, m2, ratio;
  } const exact[] = {{0.1, -0.316618840679, 0.0356373322, 0.034036723944, 2.8753197876},
                     {0.221654626, -1.293227940896, 0.9775346551, 0.331217164183, 1.5156296498}};
  const Lattice lattice{3, 4};
  for (const auto& x : exact) {
    const Chain chain = test::cluster_chain(test::ising(), lattice, 1, {static_cast<float>(x.beta)},
                                            multispin_protocol(GetParam(), 3), 200);
    const test::Rounds rounds = simulate(chain, test::pure(lattice), 1);
    EXPECT_TRUE(agrees(rounds, 0, O::energy, x.e)) << x.beta;
    EXPECT_TRUE(agrees(
        rounds, 0, [&](const test::Means& m) { return test::specific_heat(m, x.beta, 64.0); }, x.c))
        << x.beta;
    EXPECT_TRUE(agrees(rounds, 0, O::magnetization_2, x.m2)) << x.beta;
    EXPECT_TRUE(agrees(rounds, 0, test::fourth_moment_ratio, x.ratio)) << x.beta;
  }
}

/// A tree: the other bonds are absent, and e = -(1/N) sum over its bonds of tanh(beta). False alarm: 6e-5 each.
TEST_P(StatisticsOfMultispin, DilutedTree) {
  const Lattice lattice{3, 4};
  Disorder disorder = test::with_scale(lattice, std::vector<float>(static_cast<std::size_t>(lattice.bonds()), 0.0F));
  int bonds = 0;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {  // rows, joined along y at x = 0, planes along z at x = y = 0
    const auto c = lattice.coordinates(i);
    const auto add = [&](std::size_t axis) {
      if (c[axis] + 1 == lattice.L) return;
      disorder.couplings[static_cast<std::size_t>(3 * i) + axis] = i % 3 == 0 ? -1.0F : 1.0F;
      ++bonds;
    };
    add(0);
    if (c[0] == 0) add(1);
    if (c[0] == 0 && c[1] == 0) add(2);
  }
  ASSERT_EQ(bonds, 63);
  disorder = test::with_scale(lattice, disorder.couplings);
  const Chain chain =
      test::cluster_chain(test::ising(), lattice, 2, {1.2F, 0.8F, 0.4F}, multispin_protocol(GetParam(), 4), 200);
  const test::Rounds rounds = simulate(chain, disorder, 1);
  for (int slot = 0; slot < 3; ++slot) {
    const double beta = chain.beta[static_cast<std::size_t>(slot)];
    EXPECT_TRUE(agrees(rounds, slot, O::energy, -63.0 / 64.0 * std::tanh(beta))) << slot;
  }
}

/// Spins without bonds, but for one pair of them, and its neighbours: m = tanh(beta H). False alarm: 6e-5 each.
TEST_P(StatisticsOfMultispin, SpinsInAField) {
  const Lattice lattice{3, 4};
  Disorder disorder = test::with_scale(lattice, std::vector<float>(static_cast<std::size_t>(lattice.bonds()), 0.0F));
  disorder.couplings[0] = 1.0F;
  const float H = 0.6F;
  disorder = test::in_field(lattice, disorder, H);
  const Chain chain =
      test::cluster_chain(test::ising(), lattice, 2, {1.2F, 0.8F, 0.4F}, multispin_protocol(GetParam(), 4), 200);
  const test::Rounds rounds = simulate(chain, disorder, 1);
  for (int slot = 0; slot < 3; ++slot) {
    const double beta = static_cast<double>(chain.beta[static_cast<std::size_t>(slot)]), h = static_cast<double>(H);
    const double m = std::tanh(beta * h), pair = std::exp(beta) * 2.0 * std::cosh(2.0 * beta * h),
                 other = std::exp(-beta) * 2.0, Z = pair + other;
    const double of_pair = std::exp(beta) * 4.0 * std::sinh(2.0 * beta * h) / Z, bond = (pair - other) / Z;
    EXPECT_TRUE(agrees(rounds, slot, O::energy, -(h * (62.0 * m + of_pair) + bond) / 64.0)) << slot;
    const double total = 62.0 * m + of_pair, fluctuation = 62.0 * (1.0 - m * m) + 4.0 * pair / Z - of_pair * of_pair;
    EXPECT_TRUE(agrees(rounds, slot, O::magnetization_2, (total * total + fluctuation) / (64.0 * 64.0))) << slot;
  }
}

/// 4 x 4 +-J and ferromagnetic samples in a field by enumeration. False alarm: 6e-5 each, seeds are fixed.
TEST_P(StatisticsOfMultispin, TwoDimensionalSamplesInAFieldByEnumeration) {
  const Lattice lattice{2, 4};
  const std::array<float, 2> betas{0.8F, 0.4F};
  for (const Disorder& sample : {test::pure(lattice), test::bimodal(lattice, 17), test::diluted(lattice, 5, 0.2)}) {
    const Disorder disorder = test::in_field(lattice, sample, 0.35F);
    std::array<double, 2> Z{}, energy{}, square{};
    for (unsigned spins = 0; spins < 1U << 16U; ++spins) {
      const auto s = [&](std::int64_t i) { return (spins >> static_cast<unsigned>(i) & 1U) != 0 ? 1.0 : -1.0; };
      double E = 0.0, M = 0.0;
      for (std::int64_t i = 0; i < lattice.sites(); ++i) {
        M += s(i);
        for (int axis = 0; axis < 2; ++axis) {
          const float J = disorder.couplings[static_cast<std::size_t>(2 * i + axis)];
          E -= static_cast<double>(J) * s(i) * s(lattice.neighbour(lattice.coordinates(i), axis, +1));
        }
      }
      E -= static_cast<double>(0.35F) * M;
      for (std::size_t b = 0; b < betas.size(); ++b) {
        const double weight = std::exp(-static_cast<double>(betas[b]) * E);
        Z[b] += weight;
        energy[b] += weight * E / 16.0;
        square[b] += weight * M * M / 256.0;
      }
    }
    const Chain chain =
        test::cluster_chain(test::ising(), lattice, 1, {betas[0], betas[1]}, multispin_protocol(GetParam(), 3), 200);
    const test::Rounds rounds = simulate(chain, disorder, 1);
    for (int slot = 0; slot < 2; ++slot) {
      const auto b = static_cast<std::size_t>(slot);
      EXPECT_TRUE(agrees(rounds, slot, O::energy, energy[b] / Z[b])) << slot;
      EXPECT_TRUE(agrees(rounds, slot, O::magnetization_2, square[b] / Z[b])) << slot;
    }
  }
}

/// Quantities of 128 realizations at one moment: the variance of their sum over the sum of their variances, 1 if they
/// are independent.
class VarianceRatio {
 public:
  explicit VarianceRatio(std::size_t realizations) : sum_(realizations), squares_(realizations) {}
  template <class Value>
  void add(const Value& of_realization) {
    double all = 0.0;
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      const double x = of_realization(i);
      sum_[i] += x;
      squares_[i] += x * x;
      all += x;
    }
    total_ += all;
    total_squares_ += all * all;
    ++moments_;
  }
  [[nodiscard]] double value() const {
    const auto variance = [this](double sum, double squares) {
      return squares / moments_ - sum / moments_ * (sum / moments_);
    };
    double variances = 0.0;
    for (std::size_t i = 0; i < sum_.size(); ++i) variances += variance(sum_[i], squares_[i]);
    return variance(total_, total_squares_) / variances;
  }

 private:
  std::vector<double> sum_, squares_;
  double total_ = 0.0, total_squares_ = 0.0;
  int moments_ = 0;
};

/// Energy, q^2 and accepted exchanges at T = 1.1 and the energy at T = 1.4. Realizations that saw the same numbers
/// would have a ratio of 25 for the energy. 2000 moments: error below 0.05, limit 0.2. By default 600: 0.09 and 0.36.
TEST_P(StatisticsOfMultispin, RealizationsThatShareWordsAreIndependent) {
  for (const float H : {0.0F, 0.3F}) expect_independent(H);
}

void StatisticsOfMultispin::expect_independent(float H) {
  const Lattice lattice{3, 4};
  const Chain chain =
      test::cluster_chain(test::ising(), lattice, 2, {static_cast<float>(1.0 / 1.1), static_cast<float>(1.0 / 1.4)},
                          multispin_protocol(GetParam(), 20), 1);
  std::vector<std::uint32_t> numbers(128);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i);
  Ensemble ensemble(chain, numbers, [&](std::uint32_t n) { return test::diluted(lattice, n, 0.0, H); });
  const auto backend = test::fast_backend();
  const BinLayout observables(chain);
  const auto q2 = static_cast<std::size_t>(observables[BinQuantity::overlap_2]),
             quantities = static_cast<std::size_t>(observables.size());
  VarianceRatio cold(numbers.size()), warm(numbers.size()), overlap(numbers.size()), accepted(numbers.size());
  const int moments = test::enough(600, 2000);
  const double limit = test::enough(0.36, 0.2);
  for (int t = -20; t < moments; ++t) {
    ensemble.round(*backend, chain, ensemble.all());
    if (t < 0) continue;
    const auto& record = ensemble.record;
    cold.add([&](std::size_t i) { return record[i].mean[O::energy]; });
    warm.add([&](std::size_t i) { return record[i].mean[quantities + O::energy]; });
    overlap.add([&](std::size_t i) { return record[i].mean[q2]; });
    if (record[0].exchange_attempts[0] > 0) {
      accepted.add([&](std::size_t i) { return static_cast<double>(record[i].exchange_accepted[0]); });
    }
  }
  SCOPED_TRACE(H);
  EXPECT_NEAR(cold.value(), 1.0, limit);
  EXPECT_NEAR(warm.value(), 1.0, limit);
  EXPECT_NEAR(overlap.value(), 1.0, limit);
  EXPECT_NEAR(accepted.value(), 1.0, 1.5 * limit);  // half as many moments
}

INSTANTIATE_TEST_SUITE_P(Rules, StatisticsOfMultispin,
                         ::testing::Values(MultispinRule::metropolis, MultispinRule::heat_bath), [](const auto& test) {
                           return test.param == MultispinRule::metropolis ? "Metropolis" : "HeatBath";
                         });

}}  // namespace glassworks
