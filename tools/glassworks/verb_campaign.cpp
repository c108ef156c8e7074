#include <fmt/format.h>

#include "analysis/averages/analysis.hpp"
#include "analysis/averages/csv.hpp"
#include "analysis/averages/report_text.hpp"
#include "analysis/averages/result_selection.hpp"
#include "analysis/histories/history_verdict.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/series/campaign_series.hpp"
#include "analysis/series/series_tables.hpp"
#include "engine/config/config.hpp"
#include "scheduler/campaign/status_words.hpp"
#include "tools/glassworks/analyze_course.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/ground_table.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;

const VerbSyntax& analyze_syntax() {
  static const VerbSyntax syntax{
      .verb = "analyze",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "disorder averages with errors, and a verdict",
      .options = {
          {"csv", "FILE", "also writes every observable with its error there"},
          {"covariance", "FILE", "with a course: also writes the covariances between times there"},
          {"realizations", "FILE", "with a course: also writes the value of each realization there"},
          {"L", "A,B,...", "only these sizes (default: all)"},
          {"observables", "A,B,...", "only these, in the tables and files (default: all); with a course in the files"},
          {"superpose", "", "three courses ZFC TRM FC: whether M_ZFC + M_TRM = M_FC, the check of linear response"},
          {"converged-only", "", "leaves out what has not converged, which biases the averages"},
          force_option()}};
  return syntax;
}

const VerbSyntax& inspect_syntax() {
  static const VerbSyntax syntax{.verb = "inspect",
                                 .operand = "DIR",
                                 .meaning = "realizations, their decisions and digests",
                                 .options = {{"L", "L", "of this size only"},
                                             {"realization", "N", "the one with this number only"},
                                             {"digest", "", "L, realization, rounds, digests of bins and state"},
                                             {"csv", "FILE", "also writes a table of them there"},
                                             force_option()}};
  return syntax;
}

namespace {

constexpr const char* csv_head =
    "L,realization,status,rounds,round_trips,tau,expected_rounds,failures,bins_digest,state_digest,reason\n";

constexpr int table_columns_wide = 100;
constexpr const char* table_line = "{:>5}  {:>11}  {:<13}  {:>8}  {:>8}  {:>12}  {:>9}  {:>8}\n";

/// A row of the table, "-" for numbers that are not known. Reasons follow where something went wrong, or are wanted.
void print_row(const Config& config, const RealizationRow& row, bool with_reason) {
  const auto known = [](double x, const std::string& text) { return x > 0.0 ? text : std::string("-"); };
  const Judgement& judged = row.judgement;
  show(fmt::format(table_line, row.key.L, row.key.realization, status_word(config, row.status), row.rounds,
                   known(judged.expected_rounds, std::to_string(judged.expected_rounds)), row.round_trips,
                   known(judged.tau, fmt::format("{:.3g}", judged.tau)), row.failures));
  const bool wrong = row.status == RealizationStatus::failed || row.status == RealizationStatus::quarantined;
  if (row.reason.empty() || !(wrong || with_reason)) return;
  for (const std::string& line : wrap("    " + row.reason, table_columns_wide)) print("{}\n", line);
}

std::string csv_line(const Database& database, const RealizationRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", row.key.L, row.key.realization, to_string(row.status),
                     row.rounds, row.round_trips, row.judgement.tau, row.judgement.expected_rounds, row.failures,
                     database.bins_digest(row.key), row.state_digest, csv_field(row.reason));
}

}  // namespace

int analyze_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(analyze_syntax(), arguments);
  if (parsed.help) {
    show(analyze_syntax().help());
    return 0;
  }
  if (parsed.has("superpose")) return superpose_courses(parsed);
  const OpenCampaigns campaigns(parsed.operands);
  if (has_course(campaigns.set())) return analyze_course_of(parsed, campaigns.set());
  refuse_course_options(parsed, {"covariance", "realizations"});
  if (parsed.has("csv")) require_writable(parsed, parsed.options.at("csv"), "csv");
  AnalysisOptions options;
  if (parsed.has("converged-only")) options.selection = Selection::converged_only;
  const CampaignEnsembles read = read_ensembles(campaigns.set(), options);
  AnalysisResult result = analyze(read);
  judge_by_histories(result, compare_parts(campaigns.set(), read));
  const auto names = text_of(parsed, "observables");
  select_results(result, chosen_sizes(parsed), names ? parse_selection(*names).names : std::vector<std::string>());
  show(report_text(result));
  GroundTable ground;
  for (const Database* member : campaigns.set().members()) {
    ground.merge(read_ground_table(member->file().parent_path()));
  }
  if (!ground.empty()) {
    const Config config = parse_config(campaigns.set().members().front()->config_text());
    show('\n' + ground_text(ground, is_one_system(config)));
  }
  if (parsed.has("csv")) {
    const fs::path file = parsed.options.at("csv");
    write_output(parsed, file, "csv", csv_text(result));
    print("\nEvery observable with its error: {}\n", file.string());
  }
  return 0;
}

int inspect_campaign(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(inspect_syntax(), arguments);
  if (parsed.help) {
    show(inspect_syntax().help());
    return 0;
  }
  const auto L = whole_number(parsed, "L"), realization = whole_number(parsed, "realization");
  const Database database = open_campaign(parsed.operand);
  const Config config = parse_config(database.config_text());
  if (parsed.has("csv")) require_writable(parsed, parsed.options.at("csv"), "csv");
  int shown = 0;
  std::string csv = csv_head;
  for (const RealizationRow& row : database.realizations(L)) {
    if (realization && row.key.realization != static_cast<std::uint32_t>(*realization)) continue;
    ++shown;
    if (parsed.has("csv")) csv += csv_line(database, row);
    if (parsed.has("digest")) {
      print("{} {} {} {} {}\n", row.key.L, row.key.realization, row.rounds, database.bins_digest(row.key),
            row.state_digest.empty() ? "-" : row.state_digest);
    } else {
      if (shown == 1) {
        show(fmt::format(table_line, "L", "realization", "state", "rounds", "expected", "round trips", "tau",
                         "failures"));
      }
      print_row(config, row, realization.has_value());
    }
  }
  if (shown == 0) {
    throw InputError(InputFault::missing, "--L, --realization",
                     fmt::format("no realization in {} fits --L and --realization. `glassworks inspect {}` lists all.",
                                 parsed.operand, parsed.operand));
  }
  if (parsed.has("csv")) write_output(parsed, parsed.options.at("csv"), "csv", csv);
  return 0;
}

}}  // namespace glassworks::tools
