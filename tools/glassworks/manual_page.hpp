#pragma once

#include <string>

#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// The manual page of a verb, glassworks-VERB(1), for man: all that its help says, and the keys where it takes them.
[[nodiscard]] std::string manual_page(const VerbSyntax& syntax);

/// The page of the program, glassworks(1): every verb in a line.
[[nodiscard]] std::string manual_page();

}}  // namespace glassworks::tools
