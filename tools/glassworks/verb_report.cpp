#include "tools/glassworks/verb_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/campaign/course_report.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/print_figure.hpp"
#include "base/paths.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/print_options.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

const std::vector<Option> shared_options = {
    {"blocks", "N", "jackknife blocks behind every error (default 200)"},
    {"temperatures", "N", "temperatures of the curves between the slots (default 400)"},
    {"bootstrap", "N", "errors by so many bootstrap sets instead of the jackknife"},
    {"reference", "FILE",
     "CSV with L,T,observable,mean,error: shown beside the campaign's values; with a course, t,value[,error] of xi_12, "
     "or "
     "the table of another course"},
    {"converged-only", "", "leaves out what has not converged, which biases the averages"}};

std::vector<Option> joined(std::vector<Option> options, const std::vector<Option>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

int number_from(const ParsedArguments& parsed, const char* name, int smallest, int largest, int otherwise) {
  const auto given = whole_number(parsed, name);
  if (!given) return otherwise;
  if (*given < smallest || *given > largest) {
    throw InputError(InputFault::out_of_range, fmt::format("--{}", name),
                     fmt::format("--{} cannot be {} (it is a number from {} to {}). Leave it out for {}.", name, *given,
                                 smallest, largest, otherwise));
  }
  return *given;
}

/// On a terminal: one line that is written again and again, and gone at the end.
void show_stage(const std::string& stage, int done, int total) {
  const std::string part = total > 0 ? fmt::format(": {} of {}", done, total) : "";
  rewrite_line(Channel::error, stage + part);
}

/// Stages on a terminal.
std::function<void(const std::string&, int, int)> stage_printer() {
  return [terminal = isatty(STDERR_FILENO) == 1, time = TimeEstimate()](const std::string& stage, int done,
                                                                        int total) mutable {
    time.show(stage, static_cast<std::size_t>(done), static_cast<std::size_t>(total));
    if (terminal) show_stage(stage, done, total);
  };
}

Document document_of_course(const ParsedArguments& parsed, const OpenCampaigns& campaigns) {
  refuse_equilibrium_options(parsed, {"blocks", "bootstrap", "temperatures", "converged-only"});
  CourseReportOptions options;
  if (parsed.has("reference")) options.reference = read_reference_series(parsed.options.at("reference"));
  options.progress = stage_printer();
  return course_report(campaign_names(campaigns.set()), campaigns.set(), options);
}

Document document_in_equilibrium(const ParsedArguments& parsed, const OpenCampaigns& campaigns) {
  ReportOptions options;
  Resampling& resampling = options.analysis.resampling;
  resampling.samples = number_from(parsed, "blocks", 2, 10000, resampling.samples);
  if (parsed.has("bootstrap")) {
    if (parsed.has("blocks")) {
      throw InputError(InputFault::conflict, "--bootstrap",
                       "--blocks and --bootstrap exclude each other (one is of the jackknife). Give one of them.");
    }
    resampling.kind = ResamplingKind::bootstrap;
    resampling.samples = number_from(parsed, "bootstrap", 10, 10000, resampling.samples);
  }
  options.analysis.grid = number_from(parsed, "temperatures", 0, 10000, options.analysis.grid);
  if (parsed.has("converged-only")) options.analysis.selection = Selection::converged_only;
  if (parsed.has("reference")) options.reference = read_reference(parsed.options.at("reference"));
  options.analysis.progress = stage_printer();
  return campaign_report(campaign_names(campaigns.set()), campaigns.set(), options);
}

Document report_of(const ParsedArguments& parsed, const OpenCampaigns& campaigns) {
  const Document document =
      has_course(campaigns.set()) ? document_of_course(parsed, campaigns) : document_in_equilibrium(parsed, campaigns);
  if (isatty(STDERR_FILENO) == 1) clear_line(Channel::error);
  return document;
}

}  // namespace

const VerbSyntax& report_syntax() {
  static const VerbSyntax syntax{
      .verb = "report",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "one HTML page with the verdict, interactive figures and tables",
      .options = joined({{"out", "FILE", "the page (default: report.html in the directory of one campaign)"},
                         {"brief", "", "two printed pages: verdict, main figures, critical parameters (brief.html)"},
                         {"csv", "DIR", "also writes the numbers of every figure and table there"},
                         force_option()},
                        shared_options)};
  return syntax;
}

const VerbSyntax& plot_syntax() {
  static const VerbSyntax syntax{
      .verb = "plot",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "figures for print, drawn by gnuplot",
      .options = joined(
          joined(joined({{"figures", "A,B,...", "only these (default: all)"}}, print_option_rows()),
                 {{"out", "DIR", "where they go (default: figures in the directory of one campaign)"}, force_option()}),
          shared_options),
      .more =
          "Beside each figure lies its script with the numbers inside: change NAME.gp and run `gnuplot NAME.gp` "
          "there."};
  return syntax;
}

std::vector<Figure> select_figures(const Document& document, const std::string& names) {
  std::vector<Figure> all;
  std::string known;
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) {
        all.push_back(*figure);
        known += (known.empty() ? "" : ", ") + figure->id;
      }
    }
  }
  if (names.empty()) return all;
  std::vector<Figure> selected;
  for (const std::string& name : split(names, ',')) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.id == name; });
    if (found == all.end()) {
      throw InputError(
          InputFault::unknown, name,
          fmt::format("there is no figure '{}'. This campaign has {}.", name, known.empty() ? "none" : known));
    }
    selected.push_back(*found);
  }
  return selected;
}

int write_report(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(report_syntax(), arguments);
  if (parsed.help) {
    show(report_syntax().help());
    return 0;
  }
  const bool brief = parsed.has("brief");
  const fs::path file = output_of(parsed, "out", brief ? "brief.html" : "report.html");
  const OpenCampaigns campaigns(parsed.operands);
  require_writable(parsed, file, "out");
  require_different(parsed, "out", "csv");
  const Document document = report_of(parsed, campaigns);
  if (parsed.has("csv")) require_writable_in(parsed, parsed.options.at("csv"), csv_names(document), "csv");
  write_output(parsed, file, "out", brief ? html_brief_page(document) : html_page(document));
  print("{}\n", plain_label(document.headline));
  for (const std::string& sentence : document.verdict) print("{}\n", plain_label(sentence));
  print("Report: {}\n", file.string());
  if (parsed.has("csv")) {
    const fs::path directory = parsed.options.at("csv");
    write_figures_csv(directory, document, existing_of(parsed));
    print("Numbers of its figures and tables: {}\n", directory.string());
  }
  return 0;
}

int plot_figures(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(plot_syntax(), arguments);
  if (parsed.help) {
    show(plot_syntax().help());
    return 0;
  }
  const PrintOptions options = print_options_of(parsed);
  const fs::path directory = output_of(parsed, "out", "figures");
  const OpenCampaigns campaigns(parsed.operands);
  require_writable_in(parsed, directory, {}, "out");
  const std::vector<Figure> figures =
      select_figures(report_of(parsed, campaigns), text_of(parsed, "figures").value_or(""));
  std::vector<std::string> names, scripts;
  for (const Figure& figure : figures) {
    const std::string stem = file_stem(figure.id);
    names.push_back(stem + '.' + suffix_of(options.format));
    names.push_back(stem + ".gp");
    scripts.push_back(gnuplot_script(figure, options, names[names.size() - 2]));
  }
  require_writable_in(parsed, directory, names, "out");
  make_directory(directory);
  for (std::size_t i = 0; i < figures.size(); ++i)
    write_output(parsed, directory / names[2 * i + 1], "out", scripts[i]);
  try {
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const fs::path file = directory / names[2 * i];
      write_output(parsed, file, "out", print_figure(figures[i], options));
      print("{}\n", file.string());
    }
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{} The scripts of all figures are in {}, for gnuplot elsewhere.",
                                         error.what(), directory.string()));
  }
  return 0;
}

}}  // namespace glassworks::tools
