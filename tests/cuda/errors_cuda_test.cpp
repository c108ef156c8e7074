#include <thread>

#include "tests/cuda/cuda_case.hpp"

/// What cannot be done is refused with a sentence, and nothing is lost or changed by it.
namespace glassworks { namespace {

using test::Batch;
using test::Case;
using test::Oracle;

class CudaErrors : public test::OnDevice {};

/// "problem (why). suggestion." on one line.
void expect_sentence(const std::string& text) {
  EXPECT_NE(text.find('('), std::string::npos) << text;
  EXPECT_NE(text.find("). "), std::string::npos) << text;
  EXPECT_EQ(text.back(), '.') << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(CudaErrors, BatchThatDoesNotFitIsRefusedAndTheBackendGoesOn) {
  // One state shared by all tasks: the batch is refused before anything is written. Couplings and spins of L = 64 with
  // 64 replicas take about 200 MB; as many tasks as make twice the memory.
  const Case c{3, 64, 2, 32, 0.0, {1, 1, 1, 1, ExchangeSchedule::even_odd, 0}, 1, 1};
  const Chain chain = c.chain();
  const double bytes = 12.0 * static_cast<double>(chain.lattice.sites()) * chain.replicas();
  const auto tasks = static_cast<std::size_t>(2.0 * static_cast<double>(cuda_devices().front().memory_bytes) / bytes);
  const Disorder disorder = test::gaussian_disorder(chain.lattice, 3);
  const ChainState start = initial_state(chain, 0);
  ChainState state = start;
  RoundRecord record;
  const std::vector<RoundTask> batch(tasks, RoundTask{0, &disorder, &state, &record});
  const auto cuda = test::cuda_backend();
  RoundControl control;
  try {
    cuda->run_round(chain, batch, control);
    FAIL() << "twice the memory of the device was accepted";
  } catch (const std::exception& error) {
    expect_sentence(error.what());
  }
  EXPECT_TRUE(test::same_bytes(state, start));
  EXPECT_EQ(record, RoundRecord());

  const Case small;
  const Chain small_chain = small.chain();
  Batch expected(small_chain, small.tasks, 0.0);
  Batch found = expected;
  expected.run(*test::oracle_backend(Oracle::cpu), small_chain);
  found.run(*cuda, small_chain);
  if (!HasFatalFailure()) found.expect_same(expected, "after the refusal");
}

TEST_F(CudaErrors, DeviceThatIsNotThere) {
  for (const int device : {-1, static_cast<int>(cuda_devices().size())}) {
    try {
      (void)test::cuda_backend(device);
      FAIL() << "device " << device << " was accepted";
    } catch (const std::exception& error) {
      expect_sentence(error.what());
    }
  }
}

TEST_F(CudaErrors, RoundStoppedBeforeItBeginsChangesNothing) {
  for (const int L : {4, 8, 16, 24, 48}) {
    const Case c{3, L, 2, 3, 0.0, {1, 1, 1, 2, ExchangeSchedule::even_odd, 0}, 2, 1};
    const Chain chain = c.chain();
    const Disorder disorder = test::gaussian_disorder(chain.lattice, 3);
    const ChainState start = initial_state(chain, 0);
    ChainState state = start;
    RoundRecord record;
    const RoundTask task{0, &disorder, &state, &record};
    RoundControl control;
    control.stop = true;
    const auto cuda = test::cuda_backend();
    EXPECT_EQ(cuda->run_round(chain, {&task, 1}, control), RoundOutcome::abandoned);
    EXPECT_TRUE(test::same_bytes(state, start)) << L;
    EXPECT_EQ(record, RoundRecord()) << L;
  }
}

/// A round of minutes is given up within seconds; the next one gives the bits of an undisturbed one.
TEST_F(CudaErrors, RoundStoppedInTheMiddleChangesNothing) {
  for (const int L : {8, 24}) {
    Case c{3, L, 2, 8, 0.0, {10, 1, 1, 10, ExchangeSchedule::even_odd, 0}, 1000000, 1};
    const Chain endless = c.chain();
    c.measurements = 2;
    const Chain chain = c.chain();
    Batch expected(chain, 1, 0.0);
    Batch found = expected;
    const auto cuda = test::cuda_backend();

    const Disorder disorder = test::gaussian_disorder(chain.lattice, 3);
    const ChainState start = initial_state(chain, 0);
    ChainState state = start;
    RoundRecord record;
    const RoundTask task{0, &disorder, &state, &record};
    RoundControl control;
    RoundOutcome outcome = RoundOutcome::finished;
    std::thread runner([&] { outcome = cuda->run_round(endless, {&task, 1}, control); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    control.stop = true;
    const auto asked = std::chrono::steady_clock::now();
    runner.join();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked;
    EXPECT_EQ(outcome, RoundOutcome::abandoned) << L;
    EXPECT_LT(waited.count(), 10.0) << L;
    EXPECT_TRUE(test::same_bytes(state, start)) << L;
    EXPECT_EQ(record, RoundRecord()) << L;

    expected.run(*test::oracle_backend(Oracle::cpu), chain);
    found.run(*cuda, chain);
    if (HasFatalFailure()) return;
    found.expect_same(expected, fmt::format("after the stop, L = {}", L));
  }
}

}}  // namespace glassworks
