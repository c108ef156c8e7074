#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "tests/kernels/support.hpp"

/// What the tests of the CUDA backend share.
namespace glassworks::test {

/// Every test of this folder: skipped where there is no device.
class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  }
};

template <class Parameter>
class OnDeviceWith : public OnDevice, public ::testing::WithParamInterface<Parameter> {};

[[nodiscard]] inline std::unique_ptr<Backend> cuda_backend(int device = 0, const CudaChoices& choices = {}) {
  BackendOptions options;
  options.kind = BackendKind::cuda;
  options.device = device;
  options.cuda = choices;
  return make_backend(options);
}

/// What CUDA is compared with: the best instruction set with all threads, or the plain definition.
enum class Oracle { cpu, reference };
[[nodiscard]] inline std::unique_ptr<Backend> oracle_backend(Oracle oracle) {
  return make_backend(
      {oracle == Oracle::cpu ? BackendKind::cpu : BackendKind::reference, InstructionSet::automatic, 0});
}

/// Realizations with states and records of their own; a copy runs from the same point.
class Batch {
 public:
  Batch(const Chain& chain, int count, double field) : records_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) {
      disorder_.push_back(gaussian_disorder(chain.lattice, static_cast<std::uint32_t>(211 + i), field));
      states_.push_back(initial_state(chain, number(i)));
    }
  }

  void run(Backend& backend, const Chain& chain) { run(backend, chain, 0, static_cast<int>(states_.size())); }

  /// One round of `count` realizations from `first` on.
  void run(Backend& backend, const Chain& chain, int first, int count) {
    std::vector<RoundTask> tasks;
    for (int i = first; i < first + count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      tasks.push_back({number(i), &disorder_[k], &states_[k], &records_[k]});
    }
    RoundControl control;
    ASSERT_EQ(backend.run_round(chain, tasks, control), RoundOutcome::finished);
    ASSERT_EQ(static_cast<double>(control.updates), chain.updates_per_round() * count);
  }

  [[nodiscard]] const ChainState& state(int i) const { return states_[static_cast<std::size_t>(i)]; }

  /// Fails with the first realization and the first spin that differ.
  void expect_same(const Batch& expected, const std::string& when) const {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const ChainState &found = states_[i], &wanted = expected.states_[i];
      ASSERT_EQ(found.steps, wanted.steps) << when << ", realization " << i;
      ASSERT_TRUE(same_bytes(found.spins, wanted.spins))
          << when << ", realization " << i << first_difference(i, expected);
      ASSERT_TRUE(same_bytes(found, wanted)) << when << ", realization " << i << ": slots, headings or round trips";
      ASSERT_TRUE(same_bytes(records_[i], expected.records_[i]))
          << when << ", realization " << i << ": record" << record_difference(i, expected);
    }
  }

 private:
  static std::uint32_t number(int i) { return static_cast<std::uint32_t>(5 + 3 * i); }

  [[nodiscard]] std::string first_difference(std::size_t i, const Batch& expected) const {
    const std::vector<float>&a = states_[i].spins, &b = expected.states_[i].spins;
    std::size_t first = a.size(), count = 0;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
      if (std::memcmp(&a[k], &b[k], sizeof a[k]) == 0) continue;
      first = std::min(first, k);
      ++count;
    }
    return ": " + std::to_string(count) + " of " + std::to_string(a.size()) + " components differ, the first is " +
           std::to_string(first);
  }

  [[nodiscard]] std::string record_difference(std::size_t i, const Batch& expected) const {
    const RoundRecord &a = records_[i], &b = expected.records_[i];
    std::size_t different = 0, first = a.mean.size();
    for (std::size_t k = 0; k < std::min(a.mean.size(), b.mean.size()); ++k) {
      if (std::memcmp(&a.mean[k], &b.mean[k], sizeof a.mean[k]) == 0) continue;
      first = std::min(first, k);
      ++different;
    }
    const auto word = [](bool same) { return same ? "same" : "DIFFERENT"; };
    return ": " + std::to_string(different) + " of " + std::to_string(a.mean.size()) + " means differ, the first is " +
           std::to_string(first) + "; exchanges " +
           word(a.exchange_attempts == b.exchange_attempts && a.exchange_accepted == b.exchange_accepted) + ", walk " +
           word(a.walk_up == b.walk_up && a.walk_down == b.walk_down && same_bytes(a.walk_mean, b.walk_mean)) +
           ", round trips " + word(a.round_trips == b.round_trips) + ", samples " +
           word(a.samples_per_slot == b.samples_per_slot && same_bytes(a.samples, b.samples));
  }

  std::vector<Disorder> disorder_;
  std::vector<ChainState> states_;
  std::vector<RoundRecord> records_;
};

/// A name that GoogleTest accepts: every other character becomes '_'.
[[nodiscard]] inline std::string test_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

}  // namespace glassworks::test
