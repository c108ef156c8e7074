#include <chrono>
#include <future>
#include <list>

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
    const DevicePlaces::Part first = places.take(0.3);
    EXPECT_DOUBLE_EQ(places.left(), 0.7);
    {
      const DevicePlaces::Part beside = places.take(0.2);
      EXPECT_DOUBLE_EQ(places.left(), 0.5);
    }
    second = std::async(std::launch::async, [&] {
      const DevicePlaces::Part part = places.take(0.25);
      return places.left();
    });
    EXPECT_EQ(second.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout) << "it waits for room";
    EXPECT_DOUBLE_EQ(places.left(), 0.7);
  }
  EXPECT_DOUBLE_EQ(second.get(), 0.75);
  EXPECT_EQ(places.left(), 1.0);
}

TEST(DevicePlaces, OfEachDevice) {
  const DevicePlaces::Part part = places_of_device(0).take(0.5);
  EXPECT_EQ(places_of_device(0).left(), 0.5);
  EXPECT_EQ(places_of_device(1).left(), 1.0);
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
    for (std::uint32_t n = 0; n < count; ++n) numbers[n] = n;
    const test::Ensemble start(chain, numbers, draw);
    workers_.push_back({chain, start, start});
  }
  /// times  what a batch needs to fill the device; 0: three realizations
  void add_vectors(int L, int slots, int times) {
    test::Case c;
    c.L = L;
    c.slots = slots;
    c.measurements = 6;
    const Chain chain = c.chain();
    const int count = times > 0 ? times * test::cuda_backend()->batch_width(chain) + 1 : 3;
    add(chain, static_cast<std::uint32_t>(count),
        [&](std::uint32_t n) { return test::gaussian_disorder(chain.lattice, n, 0.0); });
  }
  void add_words(int L, std::uint32_t count) {
    Protocol protocol = test::multispin_protocol(MultispinRule::metropolis, 2);
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
      for (const std::size_t i : w.found.all()) {
        ASSERT_TRUE(test::same_bytes(w.found.state[i], w.expected.state[i]))
            << "L = " << w.chain.lattice.L << ", " << i;
        ASSERT_TRUE(test::same_bytes(w.found.record[i], w.expected.record[i]))
            << "record, L = " << w.chain.lattice.L << ", " << i;
      }
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

TEST_F(CudaPlaces, WordsAtTheSameTime) {
  add_words(8, 300);
  add_words(12, 130);
  add_words(16, 64);
  expect_the_bits_of_the_processor();
}

}}  // namespace glassworks
