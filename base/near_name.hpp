#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// The candidate closest to a mistyped word; empty if none is close. A candidate is close if at most one letter, or at
/// most a third of the letters, differ (left out, added, changed or swapped with its neighbour; case is ignored), if it
/// begins with the whole word (three or more letters), or, among names with sections ("model.L"), if the section is
/// missing, doubled or wrong.
[[nodiscard]] std::string_view near_name(std::string_view word, std::span<const std::string_view> candidates);

/// "Did you mean PREFIXNAME?" with the near name, or `otherwise` if none is near.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                                     std::string_view otherwise, std::string_view prefix = "");

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string enumeration(std::span<const std::string> names);

}}  // namespace glassworks::base
