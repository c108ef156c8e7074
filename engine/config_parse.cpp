#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <map>
#include <sstream>

#include "engine/config_table.hpp"
#include "engine/config_validate.hpp"
#include "engine/disorder_file.hpp"
#include "engine/precision.hpp"
#include "engine/text_file.hpp"

namespace glassworks {
namespace {

namespace po = boost::program_options;

constexpr std::uintmax_t max_config_bytes = 1U << 20;

using Entries = std::map<std::string, ConfigEntry>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Line numbers of the `key = value` lines, in order: Boost does not tell them. Throws for a line that is neither an
/// entry nor a section.
std::vector<int> entry_lines(const std::string& text, const std::string& source) {
  std::vector<int> lines;
  std::istringstream stream(text);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty() || (content.front() == '[' && content.back() == ']')) continue;
    if (content.find('=') == std::string_view::npos) {
      throw InputError(fmt::format("{} is neither a section nor `key = value` (line {} of {}). Correct the line.",
                                   in_quotes(content), number, source));
    }
    lines.push_back(number);
  }
  return lines;
}

/// Every entry of a configuration text, unknown keys included, in order.
std::vector<ConfigEntry> read_entries(const std::string& text, const std::string& source) {
  const std::vector<int> lines = entry_lines(text, source);
  po::options_description options;
  for (const KeyBinding& binding : key_bindings()) {
    options.add_options()(binding.key.name.c_str(), po::value<std::string>());
  }
  std::istringstream stream(text);
  std::vector<ConfigEntry> entries;
  try {
    for (const po::option& option : po::parse_config_file(stream, options, true).options) {
      entries.push_back({option.string_key, option.value.empty() ? "" : option.value.front(),
                         fmt::format("line {} of {}", lines.at(entries.size()), source)});
    }
  } catch (const po::error& error) {
    throw InputError(fmt::format("{} is not a configuration ({}). Write `[section]` and `key = value` lines.", source,
                                 error.what()));
  }
  return entries;
}

const KeyBinding& known_binding(const ConfigEntry& entry, bool stored) {
  std::vector<std::string_view> names;
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.scope == KeyScope::file_content && !stored) continue;
    if (binding.key.name == entry.key) return binding;
    names.emplace_back(binding.key.name);
  }
  throw InputError(fmt::format("{} is not a known key ({}). Did you mean {}?", in_quotes(entry.key), entry.where,
                               nearest_name(entry.key, names)));
}

/// Entries by key; a key that stands twice is an error.
Entries unique_entries(const std::vector<ConfigEntry>& list, bool stored) {
  Entries entries;
  for (const ConfigEntry& entry : list) {
    static_cast<void>(known_binding(entry, stored));
    const auto [first, inserted] = entries.emplace(entry.key, entry);
    if (inserted) continue;
    throw InputError(fmt::format("{} is given twice ({} and {}). Remove one of the two.", entry.key,
                                 first->second.where, entry.where));
  }
  return entries;
}

Config to_config(const Entries& entries, const std::string& source) {
  Config config;
  const auto given = [&](const char* key) { return entries.find(key) != entries.end(); };
  for (const KeyBinding& binding : key_bindings()) {
    const auto entry = entries.find(binding.key.name);
    if (entry != entries.end()) binding.read(config, entry->second);
  }
  apply_model(config, given);
  if (!given("ladder.kind") && !config.ladder.temperatures.empty()) config.ladder.kind = LadderKind::list;
  std::vector<const char*> required = {"model.L", "disorder.realizations"};
  if (config.ladder.kind == LadderKind::list) {
    if (config.ladder.temperatures.empty()) required.push_back("ladder.temperatures");
  } else {
    required.insert(required.end(), {"ladder.T_min", "ladder.T_max"});
  }
  for (const char* key : required) {
    if (given(key)) continue;
    throw InputError(fmt::format("{} is missing (it has no default). Add it to {}.", key, source));
  }
  drop_unused(config, given);
  return config;
}

ConfigEntry read_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError(fmt::format("{} sets nothing (there is no '=' in it). Write section.key=value.", in_quotes(text)));
  }
  return {std::string(trimmed(std::string_view(text).substr(0, equals))),
          std::string(trimmed(std::string_view(text).substr(equals + 1))), "command line"};
}

/// Makes the path of a disorder file absolute, reads the file and keeps its digest.
void pin_files(Config& config, const std::filesystem::path& config_file) {
  const std::filesystem::path folder = std::filesystem::absolute(config_file).parent_path();
  ModelConfig& model = config.model;
  if (!model.couplings_file.empty()) model.couplings_file = (folder / model.couplings_file).lexically_normal();
  if (!model.field_file.empty()) model.field_file = (folder / model.field_file).lexically_normal();
  validate(config);
  const Lattice lattice{model.dim, model.L.front()};
  if (model.couplings == CouplingKind::file) {
    model.couplings_digest = read_couplings_file(model.couplings_file, lattice).digest;
  }
  if (model.field == FieldKind::file) model.field_digest = read_field_file(model.field_file, lattice).digest;
  if (model.couplings != CouplingKind::file && model.field != FieldKind::file) return;
  const Disorder disorder = make_disorder(config, lattice, 0);
  validate_precision(config, &disorder);
}

}  // namespace

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const std::string text = read_text_file(file, "configuration file", max_config_bytes);
  Entries entries = unique_entries(read_entries(text, file.string()), false);
  for (const std::string& item : overrides) {
    const ConfigEntry entry = read_override(item);
    static_cast<void>(known_binding(entry, false));
    entries.insert_or_assign(entry.key, entry);
  }
  Config config = to_config(entries, file.string());
  if (config.directory.empty()) config.directory = std::filesystem::path("campaigns") / file.stem();
  pin_files(config, file);
  return config;
}

Config parse_config(const std::string& text) {
  const std::string source = "the stored configuration";
  Config config = to_config(unique_entries(read_entries(text, source), true), source);
  if (!config.samples_per_round) config.samples_per_round = 0;  // of a version that took none
  validate_values(config);
  return config;
}

}  // namespace glassworks
