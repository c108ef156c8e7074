#pragma once

#include <limits>

namespace glassworks { inline namespace analysis {

/// Marks values that cannot be computed.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}}  // namespace glassworks::analysis
