#include "tools/glassworks/verb_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/campaign/course_report.hpp"
#include "analysis/campaign/verdict_words.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/print_figure.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
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
  refuse_equilibrium_options(parsed, {"blocks", "bootstrap", "temperatures", "converged-only", "T", "symmetrize"});
  CourseReportOptions options;
  if (parsed.has("reference")) options.reference = read_reference_series(parsed.options.at("reference"));
  options.progress = stage_printer();
  return course_report(campaign_names(campaigns.set()), campaigns.set(), options);
}

/// Of the distributions of overlaps.
DistributionOptions distributions_from(const ParsedArguments& parsed, const CampaignSet& campaigns) {
  DistributionOptions options;
  if (parsed.has("symmetrize")) options.symmetry = Symmetry::imposed;
  if (!parsed.has("T")) return options;
  read_value(ConfigEntry{"--T", parsed.options.at("T"), "command line"}, options.temperatures);
  for (const SizeRow& size : campaigns.sizes()) {
    if (size.temperatures.empty()) continue;
    const double low = size.temperatures.front(), high = size.temperatures.back(), margin = 1e-3 * high;
    for (const double T : options.temperatures) {
      if (T >= low - margin && T <= high + margin) continue;
      throw InputError(InputFault::out_of_range, "--T",
                       fmt::format("--T cannot be {:g} (temperatures of L = {} go from {:.6g} to {:.6g}). Choose among "
                                   "these.",
                                   T, size.L, low, high));
    }
  }
  return options;
}

Document document_in_equilibrium(const ParsedArguments& parsed, const OpenCampaigns& campaigns) {
  ReportOptions options;
  options.analysis.distributions = distributions_from(parsed, campaigns.set());
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

/// One file to be drawn.
struct Drawing {
  std::string name;    ///< of its files, without an end
  std::string script;  ///< draws on standard output
  std::string saved;   ///< draws into the file
};

void print_list(const std::vector<Figure>& figures) {
  std::size_t width = 0;
  for (const Figure& figure : figures) width = std::max(width, figure.id.size());
  for (const Figure& figure : figures) {
    print("{}  {}\n", fmt::format("{:{}}", figure.id, width), plain_label(figure.title));
  }
}

std::vector<Drawing> drawings_of(const std::vector<Figure>& figures, const Arrangement& arrangement,
                                 const PrintOptions& options) {
  const std::string suffix = '.' + suffix_of(options.format);
  if (arrangement.panels) {
    const auto script = [&](const std::string& output) {
      return gnuplot_panels(figures, *arrangement.panels, options, output);
    };
    return {{"panels", script({}), script("panels" + suffix)}};
  }
  std::vector<Drawing> drawings;
  for (const Figure& figure : figures) {
    const std::string stem = file_stem(figure.id);
    drawings.push_back({stem, gnuplot_script(figure, options), gnuplot_script(figure, options, stem + suffix)});
  }
  return drawings;
}

void draw(const ParsedArguments& parsed, const std::vector<Drawing>& drawings, const PrintOptions& options,
          const fs::path& directory) {
  std::vector<std::string> names;
  for (const Drawing& drawing : drawings) {
    names.push_back(drawing.name + '.' + suffix_of(options.format));
    names.push_back(drawing.name + ".gp");
  }
  require_writable_in(parsed, directory, names, "out");
  make_directory(directory);
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    write_output(parsed, directory / names[2 * i + 1], "out", drawings[i].saved);
  }
  try {
    for (std::size_t i = 0; i < drawings.size(); ++i) {
      const fs::path file = directory / names[2 * i];
      write_output(parsed, file, "out", draw_script(drawings[i].script, drawings[i].name));
      print("{}\n", file.string());
    }
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{} The scripts of all figures are in {}, for gnuplot elsewhere.",
                                         error.what(), directory.string()));
  }
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
          joined(
              joined(joined({{"figures", "A,B,...", "only these (default: all)"},
                             {"list", "", "names and titles of all figures, one a line, and nothing else"},
                             {"T", "T,T", "distributions of overlaps at these temperatures of the ladder, the nearest"},
                             {"symmetrize", "", "(P(q) + P(-q))/2 in place of P(q)"}},
                            arrangement_option_rows()),
                     print_option_rows()),
              {{"out", "DIR", "where they go (default: figures in the directory of one campaign)"}, force_option()}),
          shared_options),
      .more =
          "Beside each figure lies its script with the numbers inside: change NAME.gp and run `gnuplot NAME.gp` "
          "there."};
  return syntax;
}

std::vector<Figure> select_figures(const Document& document, const std::string& names) {
  std::vector<Figure> all;
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      if (const auto* figure = std::get_if<Figure>(&item)) all.push_back(*figure);
    }
  }
  if (names.empty()) return all;
  std::vector<Figure> selected;
  for (const std::string& name : split(names, ',')) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.id == name; });
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const Figure& figure : all) known.emplace_back(figure.id);
      throw InputError(InputFault::unknown, name,
                       fmt::format("there is no figure '{}' of this campaign. {}", name,
                                   suggestion(name, known, "`glassworks plot DIR --list` lists all.")));
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
  show(verdict_text(document));
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
  const Arrangement arrangement = arrangement_of(parsed);
  const bool list = parsed.has("list");
  const fs::path directory = list ? fs::path() : output_of(parsed, "out", "figures");
  const OpenCampaigns campaigns(parsed.operands);
  if (!list) require_writable_in(parsed, directory, {}, "out");
  const std::vector<Figure> figures =
      select_figures(report_of(parsed, campaigns), text_of(parsed, "figures").value_or(""));
  if (list) {
    print_list(figures);
    return 0;
  }
  draw(parsed, drawings_of(arranged(figures, arrangement), arrangement, options), options, directory);
  return 0;
}

}}  // namespace glassworks::tools
