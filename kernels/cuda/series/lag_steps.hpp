#pragma once

#include <cstddef>
#include <span>

#include "kernels/series/lag_directions.hpp"

namespace glassworks { inline namespace cuda {

/// Lags first .. first + lags - 1 of some directions.
struct LagDirections {
  static constexpr std::size_t most = 16;  ///< four axes and twelve diagonals
  int count, first, lags;
  signed char step[most][Lattice::max_dim];

  LagDirections(std::span<const Displacement> steps, int first_, int lags_)
      : count(static_cast<int>(steps.size())), first(first_), lags(lags_), step{} {
    for (std::size_t direction = 0; direction < steps.size(); ++direction) {
      for (int axis = 0; axis < Lattice::max_dim; ++axis) {
        step[direction][axis] = static_cast<signed char>(steps[direction][static_cast<std::size_t>(axis)]);
      }
    }
  }
};

}}  // namespace glassworks::cuda
