#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "analysis/export/export.hpp"
#include "analysis/series/campaign_series.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/export_manifest.hpp"
#include "tools/glassworks/export_samples.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/time_estimate.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// One line that is rewritten; for terminals.
void show_export_progress(int L, int done, int total) {
  rewrite_line(Channel::error, fmt::format("L = {}: {} of {} realizations", L, done, total));
  if (done == total) show(Channel::error, "\n");
}

ExportOptions export_options(const ParsedArguments& parsed) {
  ExportOptions options;
  const bool hdf5 = parsed.has("hdf5"), tables = parsed.has("csv");
  if (hdf5 != tables) options.kinds = hdf5 ? FileKinds::hdf5 : FileKinds::tables;
  const bool samples = parsed.has("couplings") || parsed.has("spins") || parsed.has("series");
  if (!hdf5 && !tables && samples) options.kinds = FileKinds::none;
  if (parsed.has("realization") && options.kinds != FileKinds::none) {
    throw InputError(InputFault::conflict, "--realization",
                     "--realization is for --series, --couplings and --spins alone (HDF5 and the tables hold all "
                     "realizations). Leave it out, or give only these.");
  }
  const bool table_options = parsed.has("bins") || parsed.has("covariance");
  if (table_options && options.kinds != FileKinds::tables && options.kinds != FileKinds::all) {
    throw InputError(InputFault::conflict, "--bins, --covariance",
                     "--bins and --covariance are tables, which are not written here. Add --csv.");
  }
  if (parsed.has("bins") && parsed.has("no-bins")) {
    throw InputError(InputFault::conflict, "--bins", "--bins and --no-bins exclude each other. Give one of them.");
  }
  if (parsed.has("no-bins")) options.raw_hdf5 = RawBins::without;
  if (parsed.has("bins")) options.raw_table = RawBins::with;
  if (parsed.has("covariance")) options.covariance = CovarianceTable::with;
  options.L = whole_number(parsed, "L");
  const bool terminal = isatty(STDERR_FILENO) == 1;
  options.progress = [terminal, time = TimeEstimate()](int L, int done, int total) mutable {
    throw_if_interrupted();
    time.show(fmt::format("realizations of L = {}", L), static_cast<std::size_t>(done),
              static_cast<std::size_t>(total));
    if (terminal) show_export_progress(L, done, total);
  };
  return options;
}

void print_summary(const ExportSummary& summary, const char* word, const Staging& staging,
                   const std::string& directory) {
  std::uint64_t bytes = 0;
  for (const ExportedFile& file : staging.files()) bytes += file.size;
  for (const SizeSummary& size : summary.sizes) {
    std::uint64_t rounds = 0;
    for (const ExportedRealization& r : size.realizations) rounds += r.row.rounds;
    print("L = {}: {} of {} realizations have data, {} of these {}; {} rounds.\n", size.L, size.counts.used,
          size.counts.total, size.counts.used - size.counts.unconverged_used, word, rounds);
  }
  print("Exported to {}: {} files, {:.1f} MB; {} lists them.\n", directory, staging.files().size(),
        1e-6 * static_cast<double>(bytes), Staging::manifest);
}

/// Throws InputError where a number was given that no realization has.
void require_realization(const CampaignSet& campaigns, const RealizationChoice& choice) {
  if (!choice.realization) return;
  for (const RealizationRow& row : campaigns.realizations(choice.L)) {
    if (choice.takes(row.key)) return;
  }
  throw InputError(
      InputFault::out_of_range, "--realization",
      fmt::format("--realization cannot be {} (no realization{} has this number). `glassworks inspect DIR` "
                  "lists them.",
                  *choice.realization, choice.L ? fmt::format(" of L = {}", *choice.L) : ""));
}

}  // namespace

const VerbSyntax& export_syntax() {
  static const VerbSyntax syntax{
      .verb = "export",
      .operand = "DIR",
      .count = OperandCount::one_or_more,
      .meaning = "files for other programs: HDF5, ALPS, CSV",
      .options = {{"out", "DIR", "directory for the files (default: export in the directory of one campaign)"},
                  {"hdf5", "",
                   "only campaign.h5 and the ALPS files (without this, --csv, --series, --couplings and --spins: these "
                   "and the tables)"},
                  {"csv", "", "only the tables"},
                  {"series", "", "a table of the raw bins of each realization: all observables against round or time"},
                  {"couplings", "", "the couplings of every realization, as model.couplings = files reads them"},
                  {"spins", "", "the spins of every realization at its last checkpoint"},
                  {"no-bins", "", "campaign.h5 without the raw bins of the realizations"},
                  {"bins", "", "also the raw bins as a table, bins.csv"},
                  {"covariance", "", "also the covariances between temperatures, or times, as a table, covariance.csv"},
                  {"L", "L", "only this size"},
                  {"realization", "N", "only this one, of --series, --couplings and --spins"},
                  {"force", "", "replaces files of an earlier export"}}};
  return syntax;
}

int export_files(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(export_syntax(), arguments);
  if (parsed.help) {
    show(export_syntax().help());
    return 0;
  }
  const ExportOptions options = export_options(parsed);
  const RealizationChoice choice{options.L, whole_number(parsed, "realization")};
  const OpenCampaigns campaigns(parsed.operands);
  require_realization(campaigns.set(), choice);
  const std::string directory = output_of(parsed, "out", "export").string();
  note_stop_signals();
  try {
    Staging staging(directory, parsed.has("force") ? Existing::replace : Existing::refuse);
    const ExportSummary summary = export_campaign(campaigns.set(), options, staging);
    if (parsed.has("series")) export_series(campaigns.set(), summary, choice, staging, options.progress);
    for (const Database* database : campaigns.set().members()) {
      if (parsed.has("couplings")) export_couplings(*database, choice, staging, options.progress);
      if (parsed.has("spins")) export_spins(*database, choice, staging, options.progress);
    }
    const std::vector<ExportedFile> files = staging.files();
    staging.write(Staging::manifest, manifest_text(summary, files));
    staging.publish();
    print_summary(summary, has_course(campaigns.set()) ? "complete" : "converged", staging, directory);
    return 0;
  } catch (const Interrupted&) {
    print(Channel::error, "Stopped: nothing was exported. Run the same command again.\n");
    return status_signal;
  }
}

}}  // namespace glassworks::tools
