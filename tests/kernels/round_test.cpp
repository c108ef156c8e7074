#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "tests/kernels/support.hpp"

namespace glassworks { namespace {

std::vector<BackendOptions> all_backends() {
  std::vector<BackendOptions> options{{BackendKind::reference, InstructionSet::automatic, 1}};
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const int threads : {1, 2}) options.push_back({BackendKind::cpu, isa, threads});
  }
  return options;
}

class AbandonedRound : public ::testing::Test {
 protected:
  const Chain chain = test::make_chain({2, 4}, 2, test::geometric_betas(12, 0.3, 1.0),
                                       {1, 1, 1, 1, ExchangeSchedule::even_odd, 0}, 1000000);
  const Disorder disorder = test::gaussian_disorder(chain.lattice, 113);

  /// Runs three realizations with `control`; the states must not be touched.
  void expect_untouched(const BackendOptions& options, RoundControl& control) {
    std::vector<ChainState> state;
    std::vector<RoundRecord> record(3);
    for (std::uint32_t i = 0; i < 3; ++i) state.push_back(initial_state(chain, i));
    for (RoundRecord& r : record) r.measurements = -7;
    const std::vector<ChainState> state_before = state;
    const std::vector<RoundRecord> record_before = record;
    std::vector<RoundTask> tasks;
    for (std::uint32_t i = 0; i < 3; ++i) tasks.push_back({i, &disorder, &state[i], &record[i]});
    const auto backend = make_backend(options);
    EXPECT_EQ(backend->run_round(chain, tasks, control), RoundOutcome::abandoned) << backend->description();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(test::same_bytes(state[i], state_before[i])) << backend->description();
      EXPECT_TRUE(test::same_bytes(record[i], record_before[i])) << backend->description();
    }
  }
};

TEST_F(AbandonedRound, BeforeItStarts) {
  for (const BackendOptions& options : all_backends()) {
    RoundControl control;
    control.stop = true;
    expect_untouched(options, control);
    EXPECT_EQ(control.updates, 0U);
  }
}

/// The round is far too long to finish: it is stopped once it has made some progress.
TEST_F(AbandonedRound, WhileItRuns) {
  for (const BackendOptions& options : all_backends()) {
    RoundControl control;
    std::jthread stopper([&control] {
      while (control.updates < 100000) std::this_thread::yield();
      control.stop = true;
    });
    expect_untouched(options, control);
    EXPECT_GE(control.updates, 100000U);
  }
}

/// 8 measurements = 4 + 4: the state knows nothing of rounds, and the bins add up.
TEST(Rounds, SplittingARoundGivesTheSameState) {
  for (const BackendOptions& options : all_backends()) {
    const auto backend = make_backend(options);
    for (const int heatbath : {0, 1}) {
      Chain whole = test::make_chain({3, 4}, 2, test::geometric_betas(5, 0.3, 1.0),
                                     {2, heatbath, 1, 3, ExchangeSchedule::even_odd, 0}, 8);
      if (heatbath == 1) whole.protocol.tile = whole.protocol.tile_repeats = 2;
      Chain half = whole;
      half.measurements = 4;
      const Disorder disorder = test::gaussian_disorder(whole.lattice, 127);
      ChainState a = initial_state(whole, 9), b = a;
      const RoundRecord all = test::run_one_round(*backend, whole, disorder, 9, a);
      const RoundRecord first = test::run_one_round(*backend, half, disorder, 9, b);
      const RoundRecord second = test::run_one_round(*backend, half, disorder, 9, b);
      EXPECT_TRUE(test::same_bytes(a, b)) << backend->description();
      EXPECT_EQ(a.steps, 24U);
      EXPECT_EQ(all.measurements, 8);
      for (std::size_t i = 0; i < all.mean.size(); ++i) {
        EXPECT_NEAR(all.mean[i], 0.5 * (first.mean[i] + second.mean[i]), 1e-14);
      }
      for (std::size_t p = 0; p < all.exchange_attempts.size(); ++p) {
        EXPECT_EQ(all.exchange_attempts[p], first.exchange_attempts[p] + second.exchange_attempts[p]);
        EXPECT_EQ(all.exchange_accepted[p], first.exchange_accepted[p] + second.exchange_accepted[p]);
      }
    }
  }
}

TEST(InitialState, UniformSpinsAndOneReplicaPerSlot) {
  const Chain chain = test::make_chain({3, 4}, 4, test::geometric_betas(3, 0.5, 1.0), {}, 1);
  const ChainState state = initial_state(chain, 2);
  EXPECT_EQ(state.slot, (std::vector<std::uint16_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(state.heading, (std::vector<std::int8_t>{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(state.steps, 0U);
  for (int r = 0; r < 12; ++r) {
    for (std::int64_t i = 0; i < 64; ++i) EXPECT_NEAR(test::length(test::spin_at(chain, state, r, i)), 1.0, 2e-7);
  }
  EXPECT_FALSE(test::same_bytes(state, initial_state(chain, 3)));
}

TEST(MakeBackend, SaysWhatItIsAndRefusesWhatIsNotThere) {
  EXPECT_EQ(make_backend({BackendKind::cpu, InstructionSet::portable, 2})->description(), "cpu (portable, 2 threads)");
  EXPECT_EQ(make_backend({BackendKind::reference, InstructionSet::automatic, 0})->description(),
            "reference (scalar, 1 thread)");
  if (!cuda_unavailable_reason().empty()) {
    EXPECT_THROW((void)make_backend({BackendKind::cuda, InstructionSet::automatic, 0}), std::runtime_error);
  }
}

}}  // namespace glassworks
