#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace cuda {

/// Values of one sample of a batch, as many as there are [unit][quantity], unit = task * slots + slot.
[[nodiscard]] inline std::int64_t sample_values(const BinLayout& layout, const DeviceBatch& batch) {
  return std::int64_t{batch.tasks} * batch.slots * layout.sample_size();
}

/// Forms value i of sample `sample` from the sums before and after its measurement, as Measurement::add does.
GLASSWORKS_HD void form_sample_value(const BinLayout& layout, const DeviceBatch& batch, int sample, std::int64_t i) {
  const std::int64_t unit = i / layout.sample_size();
  const int quantity = static_cast<int>(i - unit * layout.sample_size()), pair = quantity - layout.averages();
  const std::int64_t bin = unit * batch.observables;
  batch.d_samples[(unit * batch.samples + sample) * layout.sample_size() + quantity] =
      pair < 0 ? layout.average(quantity, batch.d_mean_before + bin, batch.d_mean + bin)
               : static_cast<float>(batch.d_pair_overlap[unit * layout.sampled_pairs() + pair]);
}

}}  // namespace glassworks::cuda
