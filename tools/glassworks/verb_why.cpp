#include <fmt/format.h>

#include "engine/config.hpp"
#include "scheduler/explanation.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks::inline tools {

const VerbSyntax& why_syntax() {
  static const VerbSyntax syntax{.verb = "why",
                                 .operand = "DIR",
                                 .meaning = "everything behind the state of a realization",
                                 .options = {{"realization", "N", "which one, counted from 0", true},
                                             {"L", "L", "of this size only, else of all"}}};
  return syntax;
}

int explain_realization(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(why_syntax(), arguments);
  if (parsed.help) {
    show(why_syntax().help());
    return 0;
  }
  const auto L = whole_number(parsed, "L");
  const int realization = whole_number(parsed, "realization").value();
  const Database database = open_campaign(parsed.operand);
  const Config config = parse_config(database.config_text());
  bool first = true;
  for (const SizeRow& size : database.sizes()) {
    if (L && size.L != *L) continue;
    const RealizationRow row = database.realization({size.L, static_cast<std::uint32_t>(realization)});
    std::vector<RoundRow> rounds = database.rounds(row.key, 0, RoundSamples::skip);
    rounds.resize(row.rounds);  // a run may have committed more since the row was read
    show((first ? "" : "\n") + explain(config, row, rounds, size));
    first = false;
  }
  if (first) {
    throw InputError(
        fmt::format("there is no size L = {} in {} (--L chooses among its sizes). `glassworks status {}` "
                    "lists them.",
                    *L, parsed.operand, parsed.operand));
  }
  return 0;
}

}  // namespace glassworks::inline tools
