#pragma once

#include <string>

namespace glassworks { inline namespace base {

/// A time in s for people: "12 s", "3 min 20 s", "5 h 10 min", "2 d 4 h".
[[nodiscard]] std::string duration_text(double seconds);

/// Prefix of a remaining time: "about" for an estimate, "at least" for a lower bound.
[[nodiscard]] constexpr const char* estimate_word(bool is_least) { return is_least ? "at least" : "about"; }

}}  // namespace glassworks::base
