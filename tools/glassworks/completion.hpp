#pragma once

#include <string>

namespace glassworks { inline namespace tools {

/// The script that completes command lines of glassworks in a shell: verbs, options, keys, their values, files and
/// directories, all from the tables of the help.
///
/// shell  bash, zsh or fish; throws InputError for another one
[[nodiscard]] std::string completion_script(const std::string& shell);

}}  // namespace glassworks::tools
