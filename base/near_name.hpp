#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// The candidate that a person may have meant by a word; empty if none is near. Near is what differs by one letter or
/// by at most a third of them (left out, added, changed or swapped with its neighbour; capitals count as small
/// letters), what begins with three or more letters that are the whole word, and, among names with sections
/// ("model.L"), what has a missing, doubled or wrong section.
[[nodiscard]] std::string_view near_name(std::string_view word, std::span<const std::string_view> candidates);

/// "Did you mean PREFIXNAME?" with the near name, or `otherwise` if none is near.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                                     std::string_view otherwise, std::string_view prefix = "");

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string enumeration(std::span<const std::string> names);

}}  // namespace glassworks::base
