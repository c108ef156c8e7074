#pragma once

#include <limits>

namespace glassworks::inline analysis {

/// Marks values that cannot be computed.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace glassworks::inline analysis
