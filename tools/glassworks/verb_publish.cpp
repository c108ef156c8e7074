#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>

#include "analysis/campaign/campaign_report.hpp"
#include "analysis/campaign/course_report.hpp"
#include "analysis/campaign/verdict_words.hpp"
#include "analysis/export/export.hpp"
#include "analysis/report/label.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/export_manifest.hpp"
#include "tools/glassworks/export_samples.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/publication.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

void refuse_used_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error)) {
    throw InputError(InputFault::unusable_file, "--out",
                     fmt::format("--out cannot be '{}' (it is no folder). Name a new one.", folder.string()));
  }
  if (fs::is_empty(folder, error)) return;
  throw InputError(InputFault::unusable_file, "--out",
                   fmt::format("--out cannot be '{}' (there are files in it, and a publication is never mixed with "
                               "others or replaced). Name a new folder.",
                               folder.string()));
}

PublicationFacts given_facts(const ParsedArguments& parsed) {
  PublicationFacts facts;
  facts.licence = text_of(parsed, "licence").value_or(facts.licence);
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '+'; };
  if (facts.licence.empty() || !std::ranges::all_of(facts.licence, fits)) {
    throw InputError(
        InputFault::malformed, "--licence",
        fmt::format(
            "--licence = '{}' cannot be used (it is no SPDX identifier, such as CC-BY-4.0, CC0-1.0 or MIT). Give "
            "one.",
            facts.licence));
  }
  facts.title = text_of(parsed, "title").value_or("");
  if (const auto authors = parsed.lists.find("author"); authors != parsed.lists.end()) facts.authors = authors->second;
  return facts;
}

Document document_of(const OpenCampaigns& campaigns, bool terminal) {
  const auto progress = [terminal, time = TimeEstimate()](const std::string& stage, int done, int total) mutable {
    throw_if_interrupted();
    time.show(stage, static_cast<std::size_t>(done), static_cast<std::size_t>(total));
    if (terminal) rewrite_line(Channel::error, total > 0 ? fmt::format("{}: {} of {}", stage, done, total) : stage);
  };
  const std::string names = campaign_names(campaigns.set());
  const auto made = [&] {
    if (has_course(campaigns.set()))
      return course_report(names, campaigns.set(), {.reference = {}, .progress = progress});
    ReportOptions options;
    options.analysis.progress = progress;
    return campaign_report(names, campaigns.set(), options);
  };
  Document document = made();
  if (terminal) clear_line(Channel::error);
  return document;
}

void publish(const OpenCampaigns& campaigns, const PublicationFacts& facts, const fs::path& folder) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  ExportOptions options;
  options.covariance = CovarianceTable::with;
  options.digests = DigestTable::with;
  options.progress = [terminal, time = TimeEstimate()](int L, int done, int total) mutable {
    throw_if_interrupted();
    time.show(fmt::format("realizations of L = {}", L), static_cast<std::size_t>(done),
              static_cast<std::size_t>(total));
    if (!terminal) return;
    rewrite_line(Channel::error, fmt::format("L = {}: {} of {} realizations", L, done, total));
    if (done == total) show(Channel::error, "\n");
  };
  Staging staging(folder, Existing::refuse);
  publish_configurations(campaigns.set(), staging);
  const ExportSummary summary = export_campaign(campaigns.set(), options, staging);
  const Document document = document_of(campaigns, terminal);
  const std::string not_drawn = publish_report(document, staging);
  publish_texts(campaigns.set(), document, facts, staging);
  for (const Database* database : campaigns.set().members()) {
    if (facts.couplings) export_couplings(*database, {}, staging, options.progress);
  }
  const std::string manifest = manifest_text(summary, staging.files());
  staging.write(digest_list_file, digest_list(staging.files(), manifest));
  staging.write(Staging::manifest, manifest);
  throw_if_interrupted();
  staging.publish();
  std::uint64_t bytes = 0;
  for (const ExportedFile& file : staging.files()) bytes += file.size;
  show(verdict_text(document));
  if (!not_drawn.empty()) print("Note: figures/ holds scripts only: {}\n", not_drawn);
  if (facts.authors.empty()) print("Note: CITATION.cff names no author; give them by --author, or write them there.\n");
  print("Published in {}: {} files, {:.1f} MB, licence {}. `glassworks verify {} --recompute 4` checks it.\n",
        folder.string(), staging.files().size(), 1e-6 * static_cast<double>(bytes), facts.licence, folder.string());
}

}  // namespace

const VerbSyntax& publish_syntax() {
  static const VerbSyntax syntax{
      .verb = "publish",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "a folder to publish: results, raw bins, configuration, digests",
      .options = {{"out", "DIR", "the folder, new or empty", true},
                  {"licence", "SPDX", "licence of the data (default: CC-BY-4.0)"},
                  {"author", "NAME", "'Family, Given' or a name, for CITATION.cff", false, true},
                  {"title", "TEXT", "title of the data (default: model, sizes and names of the campaigns)"},
                  {"couplings", "", "also the couplings of every realization where the program draws them"}},
      .more =
          "The folder holds results, covariances, raw bins, the report with its figures and numbers, the "
          "configuration, "
          "digests of every file, README.md and CITATION.cff. `glassworks verify FOLDER --recompute N` checks it, also "
          "on a machine without the campaign."};
  return syntax;
}

int publish_campaigns(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(publish_syntax(), arguments);
  if (parsed.help) {
    show(publish_syntax().help());
    return 0;
  }
  const fs::path folder = parsed.options.at("out");
  PublicationFacts facts = given_facts(parsed);
  const OpenCampaigns campaigns(parsed.operands);
  refuse_used_folder(folder);
  const CouplingKind kind = campaigns.set().config().model.couplings;
  const bool drawn = kind == CouplingKind::gaussian || kind == CouplingKind::bimodal;
  facts.couplings = parsed.has("couplings") && drawn;
  note_stop_signals();
  try {
    publish(campaigns, facts, folder);
    return 0;
  } catch (const Interrupted&) {
    print(Channel::error, "Stopped: nothing was published. Run the same command again.\n");
    return status_signal;
  }
}

}}  // namespace glassworks::tools
