#pragma once

namespace glassworks { inline namespace tools {

/// Names of this executable (glassworks/version.hpp). Out of line, so that each string occurs
/// once in the executable and all callers read that one.
[[nodiscard]] const char* executable_version();
[[nodiscard]] const char* executable_commit();
[[nodiscard]] const char* executable_compiler();

}}  // namespace glassworks::tools
