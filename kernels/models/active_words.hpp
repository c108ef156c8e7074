#pragma once

#include <cstdint>

namespace glassworks { inline namespace models {

/// How many words activate a bond by is_active(exponent, word): those below this number. Throws std::invalid_argument
/// where that is all of them, exponent < -17.
[[nodiscard]] std::uint32_t active_words(float exponent);

}}  // namespace glassworks::models
