#pragma once

#include <string>

namespace glassworks::inline engine {

/// A time in s for people: "12 s", "3 min 20 s", "5 h 10 min", "2 d 4 h".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace glassworks::inline engine
