#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "analysis/averages/averages_need.hpp"
#include "analysis/campaign/compared_campaigns.hpp"
#include "analysis/observables/observable.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

ComparisonOptions options_from(const ParsedArguments& parsed) {
  ComparisonOptions options;
  if (parsed.has("level")) {
    read_value(ConfigEntry{"--level", parsed.options.at("level"), "command line"}, options.level);
    if (!(options.level > 0.0 && options.level < 1.0)) {
      throw InputError(InputFault::out_of_range, "--level",
                       fmt::format("--level cannot be {:g} (it is a probability between 0 and 1). Use 0.01 for 1 %.",
                                   options.level));
    }
  }
  if (!parsed.has("observables")) return options;
  for (const std::string& name : split(parsed.options.at("observables"), ',')) {
    if (find_observable(name) == nullptr) {
      throw InputError(InputFault::unknown, name,
                       fmt::format("there is no observable '{}'. `glassworks describe observables` lists all.", name));
    }
    options.observables.insert(name);
  }
  return options;
}

CampaignEnsembles ensembles_of(const std::string& directory) {
  const Database database = open_campaign(directory);
  const CampaignSet campaign(database);
  refuse_course(campaign.config(), "compare", "it compares averages in equilibrium",
                "Use `glassworks report --reference` to draw a course beside another");
  require_memory_of_averages(campaign);
  return read_ensembles(campaign);
}

CampaignComparison comparison_of(const ParsedArguments& parsed) {
  const ComparisonOptions options = options_from(parsed);
  const std::string &first = parsed.operands[0], &second = parsed.operands[1];
  std::error_code error;
  if (fs::is_regular_file(second, error)) {
    const std::vector<ReferencePoints> reference = read_reference(second);
    return compare_with_reference(ensembles_of(first), reference, options);
  }
  const CampaignEnsembles one = ensembles_of(first);
  return compare_campaigns(one, ensembles_of(second), options);
}

}  // namespace

const VerbSyntax& compare_syntax() {
  static const VerbSyntax syntax{
      .verb = "compare",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "two campaigns, or a campaign and a CSV file of published values: differences with errors, chi^2",
      .options = {{"observables", "A,B,...", "only these (default: those of the report)"},
                  {"level", "P", "probability of a false alarm (default 0.01)"},
                  {"csv", "FILE", "also writes all differences there"},
                  {"json", "FILE", "also writes differences and tests there"},
                  force_option()},
      .more =
          "Give two of them; the second may be a CSV file with L,T,observable,mean,error. Status 0: compatible, 1: "
          "not, "
          "2: an error."};
  return syntax;
}

int compare_two(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(compare_syntax(), arguments);
  if (parsed.help) {
    show(compare_syntax().help());
    return 0;
  }
  if (parsed.operands.size() != 2) {
    throw InputError(
        InputFault::missing, "compare",
        fmt::format("`glassworks compare` needs two campaigns, or a campaign and a CSV file ({} given). Name "
                    "two.",
                    parsed.operands.size()));
  }
  for (const char* option : {"csv", "json"}) {
    if (parsed.has(option)) require_writable(parsed, parsed.options.at(option), option);
  }
  require_different(parsed, "csv", "json");
  CampaignComparison comparison;
  try {
    comparison = comparison_of(parsed);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {  // status 1 says that the campaigns differ
    throw InputError(InputFault::unusable_file, "compare", error.what());
  }
  show(comparison_text(comparison, parsed.has("observables")));
  if (parsed.has("csv")) write_output(parsed, parsed.options.at("csv"), "csv", comparison_csv(comparison));
  if (parsed.has("json")) write_output(parsed, parsed.options.at("json"), "json", comparison_json(comparison));
  return comparison.agrees() ? 0 : 1;
}

}}  // namespace glassworks::tools
