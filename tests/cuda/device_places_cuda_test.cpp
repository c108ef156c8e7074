#include <chrono>
#include <future>
#include <list>
#include <numeric>

#include "kernels/cuda/device_places.hpp"
#include "tests/cuda/cuda_case.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// Rounds of several backends on one device at the same time.
namespace glassworks { namespace {

TEST(DevicePlaces, SmallRoundsHaveHalfOfTheDeviceTogether) {
  DevicePlaces places;
  EXPECT_EQ(places.left(), 1.0);
  std::future<double> second;
  {
    const DevicePlaces::Part first = places.take_part(0.3);
    EXPECT_DOUBLE_EQ(places.left(), 0.7);
    {
      const DevicePlaces::Part beside = places.take_part(0.2);
      EXPECT_DOUBLE_EQ(places.left(), 0.5);
    }
    second = std::async(std::launch::async, [&] {
      const DevicePlaces::Part part = places.take_part(0.25);
      return places.left();
    });
    EXPECT_EQ(second.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout) << "it waits for room";
    EXPECT_DOUBLE_EQ(places.left(), 0.7);
  }
  EXPECT_DOUBLE_EQ(second.get(), 0.75);
  EXPECT_EQ(places.left(), 1.0);
}

TEST(DevicePlaces, OfEachDevice) {
  const DevicePlaces::Part part = places_of_device(0).take_part(0.5);
  EXPECT_EQ(places_of_device(0).left(), 0.5);
  EXPECT_EQ(places_of_device(1).left(), 1.0);
}

/// A thread that asks for a turn and keeps it until `leave`.
class Asker {
 public:
  Asker(DevicePlaces& places, DevicePlaces::Beside beside)
      : turn_(std::async(std::launch::async, [this, &places, beside] {
          const DevicePlaces::Turn turn = places.take_turn(beside);
          has_it_.set_value();
          left_.get_future().wait();
        })) {}
  [[nodiscard]] bool waits() { return given_.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout; }
  void gets_it() { given_.wait(); }
  void leave() {
    left_.set_value();
    turn_.wait();
  }

 private:
  std::promise<void> has_it_, left_;
  std::future<void> given_ = has_it_.get_future();
  std::future<void> turn_;
};

TEST(DevicePlaces, TurnsBesideOthersOrAloneInTheOrderInWhichTheyWereAskedFor) {
  DevicePlaces places;
  using Beside = DevicePlaces::Beside;
  Asker first(places, Beside::others);
  first.gets_it();
  Asker second(places, Beside::others);
  second.gets_it();
  Asker alone(places, Beside::none);
  EXPECT_TRUE(alone.waits()) << "until both have left";
  Asker last(places, Beside::others);
  EXPECT_TRUE(last.waits()) << "it asked after the one that waits";
  const DevicePlaces::Part part = places.take_part(0.1);  // small rounds do not wait for turns
  first.leave();
  EXPECT_TRUE(alone.waits());
  second.leave();
  alone.gets_it();
  EXPECT_TRUE(last.waits());
  alone.leave();
  last.gets_it();
  Asker again(places, Beside::none);
  EXPECT_TRUE(again.waits());
  last.leave();
  again.gets_it();
  again.leave();
}

class CudaPlaces : public test::OnDevice {
 protected:
  static constexpr int rounds = 8;
  struct Worker {
    Chain chain;
    test::Ensemble expected, found;
  };
  std::list<Worker> workers_;

  void add(const Chain& chain, std::uint32_t count, const std::function<Disorder(std::uint32_t)>& draw) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const test::Ensemble start(chain, numbers, draw);
    workers_.push_back({chain, start, start});
  }
  /// times  what a batch needs to fill the device; 0: three realizations
  void add_vectors(int L, int slots, int times, unsigned open = 0) {
    test::Case c;
    c.L = L;
    c.open = open;
    c.slots = slots;
    c.measurements = 6;
    const Chain chain = c.chain();
    const int count = times > 0 ? times * test::cuda_backend()->batch_width(chain) + 1 : 3;
    add(chain, static_cast<std::uint32_t>(count),
        [&](std::uint32_t n) { return test::gaussian_disorder(chain.lattice, n, 0.0); });
  }
  void add_words(int L, std::uint32_t count, int isoenergetic = 0) {
    Protocol protocol = test::multispin_protocol(MultispinRule::metropolis, 2);
    protocol.isoenergetic = isoenergetic;
    protocol.exchange = ExchangeSchedule::even_odd;
    const Chain chain = test::cluster_chain(test::ising(), {3, L}, 2, {1.3F, 1.0F, 0.7F}, protocol, 6);
    add(chain, count, [&](std::uint32_t n) { return test::diluted(chain.lattice, n, 0.0); });
  }
  /// Each in a backend of its own.
  void expect_the_bits_of_the_processor() {
    const auto processor = test::oracle_backend(test::Oracle::cpu);
    std::vector<std::future<void>> running;
    for (Worker& w : workers_) {
      for (int round = 0; round < rounds; ++round) w.expected.round(*processor, w.chain, w.expected.all());
    }
    for (Worker& w : workers_) {
      running.push_back(std::async(std::launch::async, [&w] {
        const auto device = test::cuda_backend();
        for (int round = 0; round < rounds; ++round) w.found.round(*device, w.chain, w.found.all());
      }));
    }
    for (std::future<void>& one : running) one.get();
    for (const Worker& w : workers_) {
      test::expect_same(w.found, w.expected, fmt::format("L = {}, ", w.chain.lattice.L));
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(CudaPlaces, SmallAndLargeRoundsAtTheSameTime) {
  add_vectors(4, 6, 0);
  add_vectors(6, 6, 0);
  add_vectors(12, 3, 2);
  add_vectors(16, 3, 2);
  expect_the_bits_of_the_processor();
}

TEST_F(CudaPlaces, LargeRoundsAtTheSameTime) {
  add_vectors(8, 4, 1);
  add_vectors(12, 3, 1);
  add_vectors(12, 4, 1);
  add_vectors(24, 2, 1);
  expect_the_bits_of_the_processor();
}

/// Measurements of all sizes with open ends, and of those without a kernel of their own, are one kernel, which needs
/// different amounts of shared memory.
TEST_F(CudaPlaces, OneKernelForSizesThatNeedDifferentMemory) {
  for (const int L : {6, 8, 12, 16}) add_vectors(L, 3, 0, 7);
  for (const int L : {14, 18}) add_vectors(L, 3, 0);
  expect_the_bits_of_the_processor();
}

TEST_F(CudaPlaces, MovesOfWordsOfSizesThatShareAKernel) {
  for (const int L : {4, 6, 10, 14}) add_words(L, 130, 1);
  expect_the_bits_of_the_processor();
}

TEST_F(CudaPlaces, WordsAtTheSameTime) {
  add_words(8, 300);
  add_words(12, 130);
  add_words(16, 64);
  expect_the_bits_of_the_processor();
}

}}  // namespace glassworks
