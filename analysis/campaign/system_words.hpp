#pragma once

#include <string>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// Model, lattice, sizes, boundaries, couplings and field in words, in the markup of labels: "Heisenberg model in 3D, L
/// = 4, 6, 8, periodic; Gaussian couplings, no field".
[[nodiscard]] std::string system_words(const Config& config);

}}  // namespace glassworks::analysis
