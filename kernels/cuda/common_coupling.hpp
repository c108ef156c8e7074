#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cuda {

/// The first coupling of a batch; 0 where graphs have no bonds.
[[nodiscard]] inline float first_coupling(std::span<const RoundTask> tasks) {
  const std::vector<float>& J = tasks.front().disorder->couplings;
  return J.empty() ? 0.0F : J.front();
}
/// Whether all couplings of all tasks have one value.
[[nodiscard]] inline bool has_one_coupling(std::span<const RoundTask> tasks) {
  return std::ranges::all_of(tasks, [first = first_coupling(tasks)](const RoundTask& task) {
    return std::ranges::all_of(task.disorder->couplings, [first](float J) { return J == first; });
  });
}

}}  // namespace glassworks::cuda
