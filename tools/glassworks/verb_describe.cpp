#include <fmt/format.h>

#include <array>
#include <string_view>

#include "analysis/observables/observable.hpp"
#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "tools/glassworks/backend_page.hpp"
#include "tools/glassworks/completion.hpp"
#include "tools/glassworks/manual_page.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verb_table.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

std::string page_of(const ParsedArguments& parsed) {
  const std::string& page = parsed.operand;
  if (page == "completion") return completion_script(parsed.second);
  if (page == "man") return parsed.second.empty() ? manual_page() : manual_page(*verb_named(parsed.second).syntax);
  if (!parsed.second.empty()) {
    throw InputError(
        InputFault::unknown, parsed.second,
        fmt::format("`glassworks describe {}` cannot use '{}' (it is one page). Leave it out.", page, parsed.second));
  }
  if (page == "keys") return keys_page();
  if (page == "observables") return observables_page();
  if (page == "backends") return backends_page();
  constexpr std::array<std::string_view, 5> pages{"keys", "observables", "backends", "completion", "man"};
  throw InputError(InputFault::unknown, page,
                   fmt::format("there is no page {} (there are keys, observables, backends, completion and man). {}",
                               in_quotes(page), suggestion(page, pages, "Use one of these.")));
}

}  // namespace

const VerbSyntax& describe_syntax() {
  static const VerbSyntax syntax{.verb = "describe",
                                 .operand = "keys|observables|backends|completion|man",
                                 .second = "bash|zsh|fish|VERB",
                                 .meaning =
                                     "pages of the program: all configuration keys, all observables or what "
                                     "the backends run as Markdown, completion for a shell, the manual page of a verb",
                                 .options = {}};
  return syntax;
}

int describe(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(describe_syntax(), arguments);
  if (parsed.help) {
    show(describe_syntax().help());
    return 0;
  }
  show_document(page_of(parsed));
  return 0;
}

}}  // namespace glassworks::tools
