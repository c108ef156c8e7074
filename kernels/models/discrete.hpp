#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace models {

/// What models whose sites hold a number have in common.
struct Discrete {
  static constexpr int components = 1;
  static constexpr bool discrete = true, free_modulus = false;
  using Site = std::uint8_t;
};

}}  // namespace glassworks::models
