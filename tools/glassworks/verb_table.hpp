#pragma once

#include <string>
#include <vector>

#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// A verb of the command line.
struct Verb {
  const VerbSyntax* syntax;
  int (*call)(const Arguments&);  ///< returns the exit status
};

/// All verbs, in the order of the help. Usage, completion and manual pages follow from it.
[[nodiscard]] const std::vector<Verb>& all_verbs();

/// The verb of this name. Throws InputError, which names one that is near, if there is none.
[[nodiscard]] const Verb& verb_named(const std::string& name);

}}  // namespace glassworks::tools
