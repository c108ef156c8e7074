#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// Whether measurement m = 0 .. M-1 of a round is one of its n samples: (m+1) n / M > m n / M in integers, n <= M. They
/// are evenly spaced, and the last measurement is one of them if there are any.
[[nodiscard]] constexpr bool is_sampled(int m, int measurements, int samples) {
  return std::int64_t{m + 1} * samples / measurements > std::int64_t{m} * samples / measurements;
}

/// Samples among the measurements before m.
[[nodiscard]] constexpr int samples_before(int m, int measurements, int samples) {
  return static_cast<int>(std::int64_t{m} * samples / measurements);
}

/// A record of the right shape for a chain of any model, all zero.
[[nodiscard]] RoundRecord empty_record(const Chain& chain);
/// The same with so many observables of a slot and without samples.
[[nodiscard]] RoundRecord empty_record(const Chain& chain, int observables);

/// Where the samples of measurement m of a round belong in its record.
class SamplePlaces {
 public:
  /// quantities  of a sample
  SamplePlaces(const Chain& chain, int m, int quantities, RoundRecord& record);
  /// The quantities of one slot; null if the measurement is not sampled.
  [[nodiscard]] float* of_slot(int slot) const { return first_ == nullptr ? nullptr : first_ + slot * stride_; }

 private:
  float* first_ = nullptr;  ///< of slot 0
  std::ptrdiff_t stride_;
};

/// Adds the temperature walk as it stands at a measurement.
void record_walk(const Chain& chain, const ChainState& state, RoundRecord& record);

/// Turns the sums over measurements into means.
void finish_record(const Chain& chain, RoundRecord& record);

}}  // namespace glassworks::rounds
