#pragma once

namespace glassworks { inline namespace tools {

/// Names of this executable (glassworks/version.hpp). Out of line, so that each stands in the file as one string that
/// all who call read.
[[nodiscard]] const char* executable_version();
[[nodiscard]] const char* executable_commit();
[[nodiscard]] const char* executable_compiler();

}}  // namespace glassworks::tools
