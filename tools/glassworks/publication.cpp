#include "tools/glassworks/publication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/document.hpp"
#include "analysis/report/figure_csv.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/print_figure.hpp"
#include "base/text_file.hpp"
#include "engine/config/config.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/starts/spins_file.hpp"
#include "engine/starts/stored_starts.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr const char *couplings_folder = "couplings", *fields_folder = "fields", *starts_folder = "starts",
                     *positions_folder = "positions";

constexpr std::uintmax_t most_pinned_bytes = std::uintmax_t{1} << 30;  // of coupling and field files

/// Copies a file whose digest the campaign knows: its text as the campaign has read it, without a mark of UTF-8.
void copy_pinned(const fs::path& file, const std::string& digest, const std::string& name, Staging& staging) {
  const std::string text = read_text_file(file, "file", most_pinned_bytes);
  if (const std::string found = text_digest(text); !digest.empty() && found != digest) {
    throw InputError(InputFault::changed, file.string(),
                     fmt::format("{} has changed since the campaign began (its digest is {}, not {}). Restore it.",
                                 file.string(), found, digest));
  }
  staging.write(name, text);
}

/// The configuration without what belongs to a machine, with its files where the publication has them.
std::string portable_text(Config config) {
  if (config.model.lattice == LatticeChoice::graph) {
    config.model.graph.file = fs::path("..") / couplings_folder / config.model.graph.file.filename();
    fs::path& positions = config.model.graph.positions;
    if (!positions.empty()) positions = fs::path("..") / positions_folder / positions.filename();
  } else if (config.model.couplings == CouplingKind::file) {
    config.model.couplings_file = fs::path("..") / couplings_folder / config.model.couplings_file.filename();
  } else if (config.model.couplings == CouplingKind::files) {
    config.model.couplings_file = fs::path("..") / couplings_folder;
  }
  if (config.model.field == FieldKind::file && !config.model.field_file.empty()) {
    config.model.field_file = fs::path("..") / fields_folder / config.model.field_file.filename();
  }
  if (config.campaign.start == Start::stored) config.campaign.start_from = fs::path("..") / starts_folder;
  std::string text;
  for (const std::string& line : split(canonical_text(config), '\n')) {
    const auto is_of = [&](const char* key) { return line.starts_with(key); };
    const bool of_machine =
        is_of("campaign.directory") || is_of("backend.") || is_of("workers.") || is_of("checkpoint.");
    const bool digest = is_of("model.couplings_digest") || is_of("model.graph_digest") || is_of("model.field_digest") ||
                        is_of("model.positions_digest") || is_of("model.planes") || is_of("campaign.start_digest");
    if (!line.empty() && !of_machine && !digest) text += line + '\n';
  }
  return text;
}

void publish_files(Config config, std::set<std::string>& written, Staging& staging) {
  const auto once = [&](const fs::path& file, const std::string& digest, const std::string& name) {
    if (written.insert(name).second) copy_pinned(file, digest, name, staging);
  };
  const ModelConfig& model = config.model;
  if (model.lattice == LatticeChoice::graph) {
    once(model.graph.file, model.graph.digest,
         fmt::format("{}/{}", couplings_folder, model.graph.file.filename().string()));
    if (const fs::path& positions = model.graph.positions; !positions.empty()) {
      once(positions, model.graph.positions_digest,
           fmt::format("{}/{}", positions_folder, positions.filename().string()));
    }
  } else if (model.couplings == CouplingKind::file) {
    once(model.couplings_file, model.couplings_digest,
         fmt::format("{}/{}", couplings_folder, model.couplings_file.filename().string()));
  }
  if (model.field == FieldKind::file && !model.field_file.empty()) {
    once(model.field_file, model.field_digest,
         fmt::format("{}/{}", fields_folder, model.field_file.filename().string()));
  }
  if (model.couplings != CouplingKind::files) return;
  open_coupling_samples(config);  // they are those of the campaign
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    for (const std::uint32_t r : realization_numbers(config, i)) {
      once(coupling_sample(config.model.couplings_file, L, r), config.model.samples->of(L, r),
           coupling_sample(couplings_folder, L, r).string());
    }
  }
}

/// What histories begin with, as files of spins, whatever the campaign has read.
void publish_starts(Config config, const Database& database, std::set<std::string>& written, Staging& staging) {
  if (config.campaign.start != Start::stored) return;
  open_stored_starts(config);
  const std::vector<SizeRow> sizes = database.sizes();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    const std::vector<double>& temperatures = std::ranges::find(sizes, L, &SizeRow::L)->temperatures;
    const Chain chain = make_chain(config, i, temperatures);
    for (const std::uint32_t r : realization_numbers(config, i)) {
      const std::string name = coupling_sample(starts_folder, L, r).string();
      if (!written.insert(name).second) continue;
      ChainState state = initial_state(chain, r);
      take_stored_start(config, chain, r, make_disorder(config, chain.lattice, r), state);
      staging.write(name, spins_text(chain, state, temperatures, r, 0));
    }
  }
}

}  // namespace

void publish_configurations(const CampaignSet& campaigns, Staging& staging) {
  std::set<std::string> names, written;
  for (const Database* database : campaigns.members()) {
    const Config config = parse_config(database->config_text());
    std::string name = campaign_name(*database);
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{}-{}", campaign_name(*database), n);
    staging.write(fmt::format("{}/{}.cfg", configuration_folder, name), portable_text(config));
    publish_files(config, written, staging);
    publish_starts(config, *database, written, staging);
  }
  std::string text = "L,slot,T\n";
  for (const SizeRow& size : campaigns.sizes()) {
    for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
      text += fmt::format("{},{},{}\n", size.L, slot, size.temperatures[slot]);
    }
  }
  staging.write(temperatures_file, text);
}

std::string publish_report(const Document& document, Staging& staging) {
  staging.write("report.html", html_page(document));
  std::string problem;
  for (const Section& section : document.sections) {
    for (const Item& item : section.items) {
      const auto* figure = std::get_if<Figure>(&item);
      const std::string id = file_stem(figure != nullptr ? figure->id : std::get<Table>(item).id);
      staging.write(fmt::format("numbers/{}.csv", id),
                    figure != nullptr ? figure_csv(*figure) : table_csv(std::get<Table>(item)));
      if (figure == nullptr || section.folded) continue;
      const std::string name = fmt::format("figures/{}.pdf", id);
      staging.write(fmt::format("figures/{}.gp", id), gnuplot_script(*figure, {}, id + ".pdf"));
      if (!problem.empty()) continue;
      try {
        staging.write(name, print_figure(*figure, {}));
      } catch (const InputError&) {
        throw;
      } catch (const std::runtime_error& error) {
        problem = error.what();
      }
    }
  }
  return problem;
}

std::string digest_list(const std::vector<ExportedFile>& files, std::string_view manifest) {
  std::string text;
  for (const ExportedFile& file : files) text += fmt::format("{}  {}\n", file.digest, file.name);
  text += fmt::format("{}  {}\n", text_digest(std::string(manifest)), Staging::manifest);
  return text + fmt::format("# XXH3-128 of the lines above: {}\n", text_digest(text));
}

bool is_publication(const fs::path& folder) {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder / digest_list_file, error));
}

}}  // namespace glassworks::tools
