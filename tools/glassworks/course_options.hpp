#pragma once

#include <initializer_list>

#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Refuses options that a campaign with a course has no use for, because it does not go to equilibrium. Throws
/// InputError.
void refuse_equilibrium_options(const ParsedArguments& parsed, std::initializer_list<const char*> names);

}}  // namespace glassworks::tools
