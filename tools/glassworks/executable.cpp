#include "tools/glassworks/executable.hpp"

#include "glassworks/version.hpp"

namespace glassworks { inline namespace tools {

const char* executable_version() { return version::kVersion; }
const char* executable_commit() { return version::kCommit; }
const char* executable_compiler() { return version::kCompiler; }

}}  // namespace glassworks::tools
