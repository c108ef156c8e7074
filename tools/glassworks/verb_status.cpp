#include <fmt/format.h>

#include "tools/glassworks/campaign_view.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/status_report.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {

const VerbSyntax& status_syntax() {
  static const VerbSyntax syntax{.verb = "status",
                                 .operand = "DIR",
                                 .meaning = "progress of a campaign, and its workers",
                                 .options = {{"json", "", "one JSON document"}}};
  return syntax;
}

int show_status(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(status_syntax(), arguments);
  if (parsed.help) {
    show(status_syntax().help());
    return 0;
  }
  const CampaignState state = CampaignView(parsed.operand).look();
  parsed.has("json") ? show_document(status_json(parsed.operand, state)) : show(status_text(state));
  return 0;
}

}}  // namespace glassworks::tools
