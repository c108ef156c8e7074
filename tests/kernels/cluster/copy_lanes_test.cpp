#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/multispin/copy_words.hpp"
#include "kernels/models/copy_levels.hpp"
#include "kernels/rounds/kernel_families.hpp"
#include "tests/kernels/course_cases.hpp"
#include "tests/refusals.hpp"

/// Multi-spin coding whose lanes are copies: every backend has the bits of the plain definition.
namespace glassworks { namespace {

using test::bimodal;
using test::copy_chain;
using test::Ensemble;

class CopyLanes : public ::testing::TestWithParam<MultispinRule> {};

struct CopyLanesCase {
  Lattice lattice;
  int copies;
  std::vector<float> beta;
  int sweeps;
};

TEST_P(CopyLanes, EveryBackendHasTheBitsOfTheDefinition) {
  const float cold = 1.0F / 0.7F, warm = 1.0F / 1.1F;
  const std::vector<CopyLanesCase> cases{{{2, 2}, 3, {warm, 0.3F}, 3},
                                         {{2, 6}, 5, {5.0F, warm, 0.05F}, 3},
                                         {{2, 64}, 2, {warm, 0.6F}, 1},
                                         {{3, 2}, 130, {warm}, 3},
                                         {{3, 4}, 512, {cold, 0.0F}, 1},
                                         {{3, 6}, 128, {warm, cold, 0.5F}, 1},
                                         {{3, 10}, 32, {1.0F / 1.4F, 2.0F}, 1},
                                         {{3, 64}, 1, {warm}, 1},
                                         {{4, 4}, 300, {warm}, 1},
                                         {{4, 6}, 5, {cold, 0.4F}, 1}};
  const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
  for (const CopyLanesCase& c : cases) {
    Chain chain = copy_chain(c.lattice, GetParam(), c.copies, c.beta, 0);
    chain.protocol.exchanges_per_measurement = c.sweeps;
    chain.protocol.heatbath = c.lattice.L == 6 ? 2 : 1;
    const auto draw = [&](std::uint32_t n) { return bimodal(c.lattice, n, c.lattice.L == 6 ? 0.7F : 1.0F); };
    Ensemble plain(chain, {3, 4000000000U}, draw);
    plain.state[1].steps = (std::uint64_t{1} << 31) - 1;  // so that sweeps pass 2^32
    const Ensemble before = plain;
    plain.round(*reference, chain, plain.all());
    EXPECT_NE(plain.state[0].states, before.state[0].states);
    for (const InstructionSet isa : available_instruction_sets()) {
      for (const int threads : {1, 3}) {
        const auto backend = make_backend({BackendKind::cpu, isa, threads});
        ASSERT_THAT(backend->kernel_description(chain), ::testing::StartsWith("words of copies"));
        Ensemble found = before;
        found.round(*backend, chain, found.all());
        for (const std::size_t i : plain.all()) {
          const std::string what = "d " + std::to_string(c.lattice.dim) + " L " + std::to_string(c.lattice.L) + " " +
                                   std::to_string(c.copies) + " copies, " + to_string(isa);
          EXPECT_TRUE(found.state[i] == plain.state[i]) << "state: " << what;
          EXPECT_TRUE(test::same_bytes(found.record[i], plain.record[i])) << "record: " << what;
        }
      }
    }
  }
}

/// Held words follow a course: temperatures change from piece to piece, and few copies are measured.
TEST_P(CopyLanes, AreEqualAlongACourse) {
  const Lattice lattice{2, 8};
  for (const int copies : {2, 70}) {
    const Chain chain = copy_chain(lattice, GetParam(), copies, {1.0F, 0.5F}, 0);
    Course course = test::course_of({"", test::ising(), {}, true, false}, chain);
    if (copies > 4) course.measured = {};
    const std::vector<Disorder> disorder{bimodal(lattice, 3), bimodal(lattice, 4)};
    const auto plain = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
    const test::Walked whole = test::walk(*plain, chain, disorder, course);
    ASSERT_EQ(whole.measured.size(), copies > 4 ? 0U : 8U);
    for (const InstructionSet isa : available_instruction_sets()) {
      const auto fast = make_backend({BackendKind::cpu, isa, 3});
      test::expect_same_walk(test::walk(*fast, chain, disorder, course), whole, to_string(isa));
      test::expect_same_walk(test::walk(*fast, chain, disorder, course, {3, 7}), whole, to_string(isa));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, CopyLanes, ::testing::Values(MultispinRule::metropolis, MultispinRule::heat_bath),
                         [](const auto& test) {
                           return test.param == MultispinRule::metropolis ? "Metropolis" : "HeatBath";
                         });

TEST(CopyLanesAlone, AnAbandonedRoundLeavesEverythingAsItWas) {
  const Chain chain = copy_chain({3, 4}, MultispinRule::metropolis, 5, {0.9F}, 0);
  const Disorder disorder = bimodal(chain.lattice, 3);
  const ChainState start = initial_state(chain, 7);
  std::vector<HeldTask> tasks;
  for (int i = 0; i < 3; ++i) tasks.push_back({7, &disorder, start});
  const auto backend = make_backend({BackendKind::cpu, InstructionSet::automatic, 1});
  const auto held = backend->hold(chain, std::move(tasks));
  std::vector<RoundRecord> records(3);
  RoundControl control;
  held->set_conditions({chain.beta, 1.0F}, {1 << 30, 0});
  {
    const std::jthread stop([&] {  // in the midst of the first realization
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      control.stop = true;
    });
    EXPECT_EQ(held->run_round(records, control), RoundOutcome::abandoned);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(held->state(i), start);
  EXPECT_EQ(records[0], RoundRecord{});
  control.stop = false;
  held->set_conditions({chain.beta, 1.0F}, {2, 0});
  ASSERT_EQ(held->run_round(records, control), RoundOutcome::finished);
  EXPECT_EQ(held->state(0).steps, 2U);
  EXPECT_NE(held->state(0).states, start.states);
}

/// Sweeps of lattices that are larger than the cache take both colours of layers in turn.
TEST(CopyLanesAlone, LayersOfASweepAreEqualToHalfSweeps) {
  for (const Lattice& shape : {Lattice{2, 12}, Lattice{3, 2}, Lattice{3, 4}, Lattice{3, 10}, Lattice{4, 6}}) {
    const Chain chain = copy_chain(shape, MultispinRule::metropolis, 3, {0.9F}, 0);
    const CopyLattice lattice(shape);
    const Disorder disorder = bimodal(shape, 3);
    const CopyLevels levels = copy_levels(MultispinRule::metropolis, chain.beta[0], 1.0F, 2 * shape.dim);
    ChainState start = initial_state(chain, 5), by_halves = start;
    CopyWords plain(chain, disorder, 5, lattice, copy_table_for(InstructionSet::portable, 3));
    std::vector<std::uint32_t> scratch(static_cast<std::size_t>(plain.scratch_words()));
    plain.load(chain, start);
    for (std::uint64_t half = 10; half < 16; ++half) {
      plain.half_sweep(chain, levels, 0, half, 0, lattice.geometry().pairs(), scratch.data());
    }
    plain.store(chain, by_halves);
    EXPECT_NE(by_halves.states, start.states);
    for (const std::int64_t cache : {1 << 0, 1 << 30}) {
      CopyWords words(chain, disorder, 5, lattice, copy_table_for(InstructionSet::portable, 3));
      words.load(chain, start);
      for (std::uint64_t n = 5; n < 8; ++n) words.sweep(chain, levels, 0, n, scratch.data(), cache);
      ChainState by_layers = start;
      words.store(chain, by_layers);
      EXPECT_EQ(by_layers.states, by_halves.states) << "d " << shape.dim << " L " << shape.L << " cache " << cache;
    }
  }
}

TEST(CopyLanesAlone, EveryPlaceOfAQuadHasNumbersOfItsOwn) {
  std::vector<std::uint32_t> parts{0};
  for (std::uint32_t m = 0; m < CopyLevels::most_marks; ++m) {
    const CopyAddress at = CopyAddress::of_mark(m);
    if (m > 5 && at.word == 0 && at.shift == 23) parts.push_back(at.part);
    EXPECT_TRUE(at.word < 4 && at.shift <= 23 && (at.part > 0 || at.word >= 2));
  }
  for (std::uint32_t m = 0; m < CopyLevels::most_higher; ++m) parts.push_back(CopyAddress::higher_mark(m));
  for (std::uint32_t site = 0; site < 4; ++site) {
    parts.push_back(CopyAddress::spins(site));
    for (std::uint32_t digit = 0; digit < CopyAddress::digits; ++digit)
      parts.push_back(CopyAddress::digit(digit, site));
  }
  const std::size_t all = parts.size();
  std::ranges::sort(parts);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::unique(parts).begin() - parts.begin()), all);
  EXPECT_EQ(parts[0], 0U);
}

/// Both ways to draw levels have the probabilities of the rules, to 2^-32 of each threshold.
TEST(CopyLanesAlone, LevelsHaveTheProbabilitiesOfTheRules) {
  int with_marks = 0;
  for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
    for (const int z : {4, 6, 8}) {
      for (const double T : {0.05, 0.2, 0.7, 1.0, 1.1, 1.14, 1.42, 1.5, 4.0, 20.0, 1e9}) {
        const auto beta = static_cast<float>(1.0 / T);
        const CopyLevels levels = copy_levels(rule, beta, 1.0F, z);
        ASSERT_EQ(levels.levels, z / 2);
        with_marks += levels.marks ? 1 : 0;
        // A place stays empty with probability sum_n P(n) (1 - 1/512)^n; n: marks with at least this level.
        const auto empty = [](const std::uint32_t* more, int count, double fraction) {
          double sum = 0.0, before = 0.0;
          for (int m = 0; m <= count; ++m) {
            const double below = m < count ? (more[m] + 0.5) * 0x1p-32 : 1.0;
            sum += (below - before) * std::pow(1.0 - fraction / 512.0, m);
            before = below;
          }
          return sum;
        };
        for (int k = 1; k <= levels.levels; ++k) {
          const double e = std::exp(-4.0 * static_cast<double>(beta) * k);
          const double p = rule == MultispinRule::metropolis ? e : 2.0 * e / (1.0 + e);
          double found = (levels.probability[k - 1] + 0.5) * 0x1p-32;
          if (levels.marks) {
            const double fraction = k < 3 ? 1.0 : levels.higher[k - 1] * 0x1p-32;
            found = 1.0 - empty(levels.more_higher, levels.more_higher_count, fraction) *
                              (k == 1 ? empty(levels.more, levels.more_count, 1.0) : 1.0);
          }
          EXPECT_NEAR(found, p, 0x1p-32) << "z " << z << " T " << T << " k " << k;
        }
      }
    }
  }
  EXPECT_EQ(with_marks, 3 * (7 + 6));
}

TEST(CopyLanesAlone, Refusals) {
  const Chain good = copy_chain({3, 4}, MultispinRule::metropolis, 8, {0.9F}, 0);
  const auto refused = [&](const std::function<void(Chain&, Disorder&)>& change) {
    Chain chain = good;
    Disorder disorder = bimodal(chain.lattice, 3);
    change(chain, disorder);
    return outcome_of([&] {
      ChainState state = initial_state(good, 1);
      RoundRecord record;
      RoundControl control;
      const std::vector<RoundTask> batch{{1, &disorder, &state, &record}};
      static_cast<void>(test::fast_backend()->run_round(chain, batch, control));
    });
  };
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.protocol.multispin = MultispinRule::off; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.protocol.exchange = ExchangeSchedule::even_odd; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.copies = 513; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.beta.resize(513); }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.lattice = {4, 108}; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.lattice.open = 1; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) { c.measurements = 1; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder& d) { d = test::in_field(c.lattice, d, 0.1F); }), Fails());
  EXPECT_THAT(refused([](Chain&, Disorder& d) { d.couplings[5] = 0.0F; }), Fails());
  EXPECT_THAT(refused([](Chain& c, Disorder&) {
                c.protocol.kind = ProtocolKind::swendsen_wang;
                c.protocol.cluster_sweeps = 1;
              }),
              Fails());
  Chain measured = good;
  measured.copies = 4;
  measured.measurements = 1;
  EXPECT_THAT(outcome_of([&] { check_batch(BackendKind::cuda, measured, {}); }), Fails());
}

}}  // namespace glassworks
