#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/campaign/course_explanation.hpp"
#include "scheduler/campaign/explanation.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// The open realization that is expected to need the most rounds; where none is open, the finished one with the most
/// rounds. Then the one with the longest tau. With a course: the one that is least far.
RealizationRow hardest(const std::string& directory, const Config& config, const Database& database,
                       std::optional<int> L) {
  const auto hardness = [&](const RealizationRow& row) {
    const double rounds = config.course.exists() ? -static_cast<double>(row.rounds)
                                                 : std::max<double>(row.judgement.expected_rounds, row.rounds);
    return std::make_tuple(!is_finished(row.status), rounds, row.judgement.tau);
  };
  const std::vector<RealizationRow> rows = database.realizations(L);
  if (rows.empty()) {
    throw InputError(
        InputFault::missing, directory,
        fmt::format("there is no realization in {}{} (none was begun). `glassworks status {}` lists the sizes.",
                    directory, L ? fmt::format(" of L = {}", *L) : "", directory));
  }
  return *std::ranges::max_element(rows, {}, hardness);
}

}  // namespace

const VerbSyntax& why_syntax() {
  static const VerbSyntax syntax{.verb = "why",
                                 .operand = "DIR",
                                 .meaning = "everything behind the state of a realization",
                                 .options = {{"realization", "N", "number of the realization (default: the hardest)"},
                                             {"L", "L", "of this size only, else of all"}}};
  return syntax;
}

int explain_realization(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(why_syntax(), arguments);
  if (parsed.help) {
    show(why_syntax().help());
    return 0;
  }
  auto L = whole_number(parsed, "L");
  auto realization = whole_number(parsed, "realization");
  const Database database = open_campaign(parsed.operand);
  const Config config = parse_config(database.config_text());
  const std::vector<SizeRow> sizes = database.sizes();
  if (L && std::ranges::find(sizes, *L, &SizeRow::L) == sizes.end()) {
    throw InputError(InputFault::unknown, "--L",
                     fmt::format("there is no size L = {} in {} (--L chooses among its sizes). `glassworks status {}` "
                                 "lists them.",
                                 *L, parsed.operand, parsed.operand));
  }
  if (!realization) {
    const RealizationRow row = hardest(parsed.operand, config, database, L);
    print("{} realization{} (--realization N shows another one):\n\n",
          config.course.exists() ? "The slowest" : "The hardest", L ? " of this size" : "");
    realization = static_cast<int>(row.key.realization);
    L = row.key.L;
  }
  bool first = true;
  for (const SizeRow& size : sizes) {
    if (L && size.L != *L) continue;
    const RealizationRow row = database.realization({size.L, static_cast<std::uint32_t>(*realization)});
    std::vector<RoundRow> rounds = database.rounds(row.key, 0, RoundSamples::skip);
    rounds.resize(row.rounds);  // a run may have committed more since the row was read
    show((first ? "" : "\n") +
         (config.course.exists() ? explain_course(config, row, rounds, size) : explain(config, row, rounds, size)));
    first = false;
  }
  return 0;
}

}}  // namespace glassworks::tools
