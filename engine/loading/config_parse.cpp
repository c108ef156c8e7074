#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>

#include "base/paths.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "engine/config/config_sources.hpp"
#include "engine/config/config_table.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/disorder/missing_bonds.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "engine/disorder/precision.hpp"
#include "engine/loading/config_validate.hpp"
#include "engine/starts/stored_starts.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr std::uintmax_t max_config_bytes = 1U << 20;

using Entries = std::map<std::string, ConfigEntry>;

/// Keys that have no default, or none with the kinds that were chosen.
void require_keys(const Config& config, const Entries& entries, const std::string& source) {
  std::vector<std::string> missing;
  for (const KeyBinding& binding : key_bindings()) {
    const std::string& key = binding.key.name;
    if (binding.required != nullptr && binding.required(config) && !entries.contains(key)) missing.push_back(key);
  }
  const ModelConfig& model = config.model;
  const bool has_graph_file = model.lattice == LatticeChoice::graph;
  if (has_graph_file && model.graph.file.empty()) missing.emplace_back("model.graph");
  const bool reads_file = model.couplings == CouplingKind::file || model.couplings == CouplingKind::files;
  if (reads_file && model.couplings_file.empty() && !has_graph_file) missing.emplace_back("model.couplings_file");
  if (model.field == FieldKind::file && model.field_file.empty() && !has_graph_file)
    missing.emplace_back("model.field_file");
  if (config.has_field_strength() && !entries.contains("model.field_strength"))
    missing.emplace_back("model.field_strength");
  if (config.campaign.start == Start::stored && config.campaign.start_from.empty())
    missing.emplace_back("campaign.start_from");
  if (missing.empty()) return;
  if (config.course.exists() && missing == std::vector<std::string>{"ladder.T_min", "ladder.T_max"}) {
    throw InputError(
        InputFault::missing, "ladder.temperatures",
        fmt::format("The course has no temperature (ladder.temperatures is missing, and the first segment is "
                    "at T). Add ladder.temperatures = 0.7 to {}, or write course.segments = at 0.7.",
                    source));
  }
  throw InputError(
      InputFault::missing, fmt::format("{}", fmt::join(missing, ", ")),
      missing.size() == 1
          ? fmt::format("{} is missing (it has no default). Add it to {}.", missing[0], source)
          : fmt::format("{} are missing (they have no default). Add them to {}.", enumeration(missing), source));
}

/// model.type = xy stands for on with n = 2.
void use_model_name(Entries& entries) {
  const auto type = entries.find("model.type");
  if (type == entries.end() || type->second.value != "xy") return;
  const auto [n, inserted] = entries.emplace("model.n", ConfigEntry{"model.n", "2", type->second.where});
  if (!inserted && n->second.value != "2") {
    throw InputError(
        InputFault::conflict, "model.n",
        fmt::format("model.n = {} does not fit model.type = xy ({}: spins of the XY model have two components). Leave "
                    "model.n out, or use model.type = on.",
                    n->second.value, n->second.where));
  }
  type->second.value = "on";
}

Config to_config(Entries entries, const std::string& source) {
  use_model_name(entries);
  Config config;
  const auto given = [&](const char* key) { return entries.find(key) != entries.end(); };
  for (const KeyBinding& binding : key_bindings()) {
    const auto entry = entries.find(binding.key.name);
    if (entry != entries.end()) binding.read(config, entry->second);
  }
  apply_model(config, given);
  choose_backend(config);
  if (!given("ladder.kind") && !config.ladder.temperatures.empty()) config.ladder.kind = LadderKind::list;
  require_keys(config, entries, source);
  drop_unused(config, given);
  settle_course_rounds(config);
  return config;
}

/// A path is stored as `key = value` and must be the same when it is read again.
void refuse_unstorable(const char* key, const std::filesystem::path& path, std::string_view also) {
  const std::string text = path.string();
  const auto bad = std::find_if(text.begin(), text.end(), [&](unsigned char c) {
    return c < 0x20 || c == 0x7F || also.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (bad == text.end()) return;
  throw InputError(InputFault::malformed, key,
                   fmt::format("{} = {} cannot be used ({}). Choose another path.", key, in_quotes(text),
                               *bad == '#' ? "'#' begins a comment" : "it has a control character"));
}

/// The files of a graph are read before the others: they have the size.
void place_graph(Entries& entries, const std::filesystem::path& folder) {
  for (const char* const key : {"model.graph", "model.positions"}) {
    const auto entry = entries.find(key);
    if (entry == entries.end() || entry->second.value.empty()) continue;
    entry->second.value = (folder / entry->second.value).lexically_normal().string();
  }
}

/// Reads every sample once, so that a bad one is found before anything begins.
void pin_samples(Config& config) {
  config.model.couplings_digest.clear();
  open_coupling_samples(config);
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const Lattice lattice = config.lattice(config.model.L[i]);
    Config one = config;
    one.model.L = {config.model.L[i]};
    MissingBonds missing(lattice);
    for (const std::uint32_t r : realization_numbers(config, i)) {
      const Disorder disorder = make_disorder(config, lattice, r);
      validate_precision(one, &disorder);
      missing.look(disorder);
    }
    missing.note(config);
  }
}

/// Makes the path of a disorder file absolute, reads the file and keeps its digest.
void pin_files(Config& config, const std::filesystem::path& config_file) {
  const std::filesystem::path folder = absolute_path(config_file).parent_path();
  ModelConfig& model = config.model;
  if (!model.couplings_file.empty()) model.couplings_file = (folder / model.couplings_file).lexically_normal();
  if (!model.field_file.empty()) model.field_file = (folder / model.field_file).lexically_normal();
  if (!config.campaign.start_from.empty())
    config.campaign.start_from = (folder / config.campaign.start_from).lexically_normal();
  refuse_unstorable("campaign.directory", config.campaign.directory, "");
  refuse_unstorable("campaign.start_from", config.campaign.start_from, "#");
  refuse_unstorable("model.couplings_file", model.couplings_file, "#");
  refuse_unstorable("model.field_file", model.field_file, "#");
  refuse_unstorable("model.graph", model.graph.file, "#");
  refuse_unstorable("model.positions", model.graph.positions, "#");
  if (model.lattice == LatticeChoice::graph) open_graph(model);
  validate(config);
  validate_bonds(config);
  const Lattice lattice = config.lattice(model.L.front());
  const bool has_graph_file = model.lattice == LatticeChoice::graph;
  if (model.couplings == CouplingKind::file && !has_graph_file) {
    model.couplings_digest = read_couplings_file(model.couplings_file, lattice).digest;
  }
  if (model.field == FieldKind::file && !model.field_file.empty()) {
    model.field_digest = read_field_file(model.field_file, lattice, components_of(model.spins)).digest;
  }
  if (model.couplings == CouplingKind::files) return pin_samples(config);
  if (!model.reads_couplings() && model.field != FieldKind::file) return;
  const Disorder disorder = make_disorder(config, lattice, 0);
  validate_precision(config, &disorder);
  if (model.couplings != CouplingKind::file || has_graph_file) return;
  MissingBonds missing(lattice);
  missing.look(disorder);
  missing.note(config);
}

/// Keeps the digest of what histories begin with, where that is stored.
void pin_starts(Config& config) {
  config.campaign.start_digest.clear();
  open_stored_starts(config);
  check_stored_starts(config);
}

/// Multi-spin coding moves whole words, however few of their bits are in use.
void note_nearly_empty_words(Config& config) {
  constexpr int worthwhile = 10;  // realizations, on processors; GPUs have shorter words
  const Protocol& p = config.protocol;
  if (p.multispin == MultispinRule::off || p.lanes == MultispinLanes::copies) return;
  if (config.backend.options.kind == BackendKind::cuda) return;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    if (realizations_of(config, i) >= worthwhile) continue;
    config.notes.push_back(
        fmt::format("protocol.multispin = {} takes as long for one realization as for 512 (L = {} has {}). With fewer "
                    "than about {}, processors are faster with protocol.multispin = off.",
                    write_value(config.protocol.multispin), config.model.L[i], realizations_of(config, i), worthwhile));
    return;
  }
}

}  // namespace

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const std::string text = read_text_file(file, "configuration file", max_config_bytes);
  const std::vector<ConfigEntry> of_file = text_entries(text, file.string(), TextOrigin::person);
  Entries entries = united_entries(override_entries(overrides), of_file);
  place_graph(entries, absolute_path(file).parent_path());
  Config config = to_config(std::move(entries), file.string());
  if (config.campaign.directory.empty()) config.campaign.directory = std::filesystem::path("campaigns") / file.stem();
  pin_files(config, file);
  pin_starts(config);
  note_nearly_empty_words(config);
  return config;
}

Config load_stored_config(const std::string& text, const std::filesystem::path& directory,
                          const std::vector<std::string>& overrides) {
  const std::string source = "the stored configuration";
  std::vector<ConfigEntry> stored = text_entries(text, source, TextOrigin::database);
  std::erase_if(stored, [](const ConfigEntry& entry) { return entry.key == "campaign.directory"; });
  Entries entries = united_entries(override_entries(overrides), stored);
  const auto given = entries.find("campaign.directory");
  if (std::error_code error;
      given != entries.end() && !std::filesystem::equivalent(given->second.value, directory, error)) {
    throw InputError(InputFault::conflict, "campaign.directory",
                     fmt::format("campaign.directory = {} cannot be used with a campaign ({} is its directory). Leave "
                                 "it out.",
                                 given->second.value, directory.string()));
  }
  const auto is_overridden = [&](const auto& entry) { return entry->second.where == command_line; };
  const auto sizes = entries.find("model.L"), measurements = entries.find("round.measurements");
  if (sizes != entries.end() && measurements != entries.end() && is_overridden(sizes) && !is_overridden(measurements) &&
      measurements->second.value.find(',') != std::string::npos) {
    entries.erase(measurements);  // the campaign's own for its sizes, and auto for new ones
  }
  place_graph(entries, absolute_path(directory).parent_path());
  Config config = to_config(entries, source);
  config.campaign.directory = directory;
  pin_files(config, directory);
  pin_starts(config);
  config.notes.clear();
  return config;
}

Config parse_config(const std::string& text) {
  const std::string source = "the stored configuration";
  Config config = to_config(united_entries({}, text_entries(text, source, TextOrigin::database)), source);
  if (!config.round.samples_per_round) config.round.samples_per_round = 0;  // of a version that took none
  if (!config.convergence.rule_given) config.convergence.rule_given = 1;
  validate_values(config);
  return config;
}

}}  // namespace glassworks::engine
