#pragma once

#include <string>

namespace glassworks { inline namespace tools {

/// Names of this executable (glassworks/version.hpp). Out of line, so that each string occurs
/// once in the executable and all callers read that one.
[[nodiscard]] const char* executable_version();
[[nodiscard]] const char* executable_commit();
[[nodiscard]] const char* executable_compiler();

/// What `glassworks version` prints: these names, then what is built in and whether gnuplot is found, one fact a line.
[[nodiscard]] std::string version_text();

}}  // namespace glassworks::tools
