#include <fmt/format.h>

#include "analysis/observables/observable.hpp"
#include "engine/config.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks::inline tools {

const VerbSyntax& describe_syntax() {
  static const VerbSyntax syntax{.verb = "describe",
                                 .operand = "keys|observables",
                                 .meaning = "the page of all configuration keys, or of all observables, as Markdown",
                                 .options = {}};
  return syntax;
}

int describe(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(describe_syntax(), arguments);
  if (parsed.help) {
    show(describe_syntax().help());
    return 0;
  }
  if (parsed.operand == "keys") {
    show(keys_page());
  } else if (parsed.operand == "observables") {
    show(observables_page());
  } else {
    throw InputError(
        fmt::format("there is no page '{}' (there are keys and observables). Use one of these.", parsed.operand));
  }
  return 0;
}

}  // namespace glassworks::inline tools
