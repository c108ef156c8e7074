#pragma once

#include "engine/config/config.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// The configuration of a run, with the keys of the command line: that of a file or, where the operand is the directory
/// of a campaign, the one that the campaign stores. Throws InputError.
[[nodiscard]] Config given_config(const ParsedArguments& parsed);

}}  // namespace glassworks::tools
