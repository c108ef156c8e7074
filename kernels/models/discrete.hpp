#pragma once

#include "kernels/models/model_type.hpp"

namespace glassworks { inline namespace models {

/// What models whose sites hold a number have in common.
struct Discrete : ModelDefaults<std::uint8_t> {
  static constexpr int components = 1;
  static constexpr bool discrete = true;
  static constexpr Site absent = 2;  ///< of models that may lack sites, unless they say otherwise
};

}}  // namespace glassworks::models
