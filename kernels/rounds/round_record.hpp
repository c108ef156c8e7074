#pragma once

#include <cstddef>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/samples.hpp"

namespace glassworks { inline namespace rounds {

/// A record of the right shape for a chain of any model, all zero.
[[nodiscard]] RoundRecord empty_record(const Chain& chain);

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
