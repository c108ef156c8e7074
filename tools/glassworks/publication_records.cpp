#include "tools/glassworks/publication_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "analysis/export/round_digests.hpp"
#include "analysis/export/staging.hpp"
#include "base/text_file.hpp"
#include "engine/config/config_value.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "tools/glassworks/arguments.hpp"
#include "tools/glassworks/publication.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t most_list_bytes = std::uintmax_t{1} << 30, most_configuration_bytes = std::uintmax_t{1} << 20;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_rounds = std::numeric_limits<std::uint32_t>::max() / 2;
constexpr std::string_view last_line_begins = "# XXH3-128 of the lines above: ";

/// What `glassworks publish` writes in every case, beside a configuration.
constexpr std::array<const char*, 9> always{"CITATION.cff",     "README.md",       "covariance.csv",
                                            "manifest.json",    "report.html",     "results.csv",
                                            "realizations.csv", temperatures_file, round_digests_file};

[[noreturn]] void fail(const std::string& clause) { throw std::runtime_error(clause); }

std::string key_text(RealizationKey key) { return fmt::format("realization {} at L = {}", key.realization, key.L); }

/// A name of the list must not lead out of the folder.
bool is_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() && name == name.lexically_normal() && *name.begin() != "..";
}

/// A name in a configuration, as the folder knows it; empty where it leads out of it.
std::string name_in_folder(const fs::path& named) {
  const fs::path name = (fs::path(configuration_folder) / named).lexically_normal();
  return named.is_relative() && *name.begin() != ".." ? name.generic_string() : std::string();
}

/// A configuration with its files in the folder, which must be there.
Config read_configuration(const PublishedFolder& folder, const std::string& name) {
  Config config = [&] {
    try {
      return parse_config(folder.text(name, most_configuration_bytes));
    } catch (const InputError& error) {
      fail(fmt::format("{} cannot be used: {}", name, error.what()));
    }
  }();
  const auto find = [&](fs::path& path) {
    const std::string file = path.empty() ? "." : name_in_folder(path);
    if (file.empty()) fail(fmt::format("{} names {}, which is not in the folder", name, in_quotes(path.string())));
    if (!path.empty()) path = folder.path() / file;
    return file;
  };
  ModelConfig& model = config.model;
  const std::string couplings = find(model.couplings_file), field = find(model.field_file);
  const std::string graph = find(model.graph.file), positions = find(model.graph.positions);
  const auto require = [&](const std::string& file) {
    if (!folder.files().contains(file)) fail(fmt::format("{} needs {}, which is not in the folder", name, file));
  };
  if (!model.graph.file.empty()) {
    require(graph);
    if (!model.graph.positions.empty()) require(positions);
    open_graph(model);
  }
  if (!model.couplings_file.empty() && model.couplings == CouplingKind::file) require(couplings);
  if (!model.field_file.empty()) require(field);
  for (std::size_t i = 0; model.couplings == CouplingKind::files && i < model.L.size(); ++i) {
    for (const std::uint32_t r : realization_numbers(config, i)) {
      require(coupling_sample(couplings, model.L[i], r).generic_string());
    }
  }
  if (config.campaign.start != Start::stored) return config;
  const std::string starts = find(config.campaign.start_from);
  for (std::size_t i = 0; i < model.L.size(); ++i) {
    for (const std::uint32_t r : realization_numbers(config, i)) {
      require(coupling_sample(starts, model.L[i], r).generic_string());
    }
  }
  return config;
}

void read_configurations(const PublishedFolder& folder, PublicationRecords& records) {
  const std::string beginning = std::string(configuration_folder) + '/';
  for (const auto& [name, size] : folder.files()) {
    if (!name.starts_with(beginning)) continue;
    records.configurations.push_back(read_configuration(folder, name));
    records.names.push_back(name);
  }
  if (records.configurations.empty()) fail(fmt::format("{} holds no file", configuration_folder));
}

void read_temperatures(const PublishedFolder& folder, PublicationRecords& records) {
  for (PublishedTable table(folder, temperatures_file, "L,slot,T"); table.next();) {
    std::vector<double>& ladder = records.temperatures[static_cast<int>(table.whole_number(0, 1, 1 << 30))];
    const auto slot = static_cast<std::size_t>(table.whole_number(1, 0, 1 << 20));
    if (slot != ladder.size()) table.fail(fmt::format("slot {} is missing, repeated or out of order", ladder.size()));
    const double T = table.number(2);
    if (!(T > (ladder.empty() ? 0.0 : ladder.back()))) table.fail("the temperatures of a size do not ascend from 0");
    ladder.push_back(T);
  }
  for (const Config& config : records.configurations) {
    for (const int L : config.model.L) {
      if (!records.temperatures.contains(L)) fail(fmt::format("{} has no size L = {}", temperatures_file, L));
    }
  }
}

/// What realizations.csv says of one.
struct Stated {
  std::uint32_t rounds = 0, listed = 0;  ///< listed: in digests.csv so far
  std::string bins, state;
};

std::map<RealizationKey, Stated> read_realizations(const PublishedFolder& folder, PublicationRecords& records) {
  std::map<RealizationKey, Stated> all;
  std::uint64_t expected = 0;
  for (const Config& config : records.configurations) {
    for (std::size_t i = 0; i < config.model.L.size(); ++i) {
      expected += static_cast<std::uint64_t>(realizations_of(config, i));
    }
  }
  PublishedTable table(folder, "realizations.csv",
                       "L,realization,status,rounds,round_trips,tau,equilibration_rounds,averaged_first,averaged_last,"
                       "bins_digest,state_digest,reason");
  while (table.next()) {
    const RealizationKey key{
        static_cast<int>(table.whole_number(0, 1, 1 << 30)),
        static_cast<std::uint32_t>(table.whole_number(1, 0, std::numeric_limits<std::uint32_t>::max()))};
    try {
      static_cast<void>(records.origin_of(key));
    } catch (const std::runtime_error& error) {
      table.fail(error.what());
    }
    Stated stated;
    stated.rounds = static_cast<std::uint32_t>(table.whole_number(3, 0, most_rounds));
    if (stated.rounds > 0) {
      stated.bins = table.digest(9);
      stated.state = table.digest(10);
    }
    records.rounds += stated.rounds;
    if (!all.emplace(key, std::move(stated)).second) table.fail(key_text(key) + " stands there twice");
  }
  records.realizations = all.size();
  if (all.size() != expected) {
    fail(fmt::format("realizations.csv has {} realizations, the configurations have {}", all.size(), expected));
  }
  return all;
}

void read_first_rounds(const PublishedFolder& folder, std::map<RealizationKey, Stated> all,
                       PublicationRecords& records) {
  PublishedTable table(folder, round_digests_file, "L,realization,rounds,bins_digest,state_digest");
  while (table.next()) {
    const RealizationKey key{
        static_cast<int>(table.whole_number(0, 1, most >> 33)),
        static_cast<std::uint32_t>(table.whole_number(1, 0, std::numeric_limits<std::uint32_t>::max()))};
    const auto found = all.find(key);
    if (found == all.end()) table.fail("realizations.csv has no " + key_text(key));
    Stated& stated = found->second;
    const auto rounds = static_cast<std::uint32_t>(table.whole_number(2, 1, most_rounds));
    const std::uint32_t expected = std::min(stated.listed == 0 ? 1 : 2 * stated.listed, stated.rounds);
    if (rounds != expected || stated.listed == stated.rounds) {
      table.fail(
          fmt::format("{} has {} rounds; their digests after 1, 2, 4, 8, ... and all of them are not what stands "
                      "there",
                      key_text(key), stated.rounds));
    }
    stated.listed = rounds;
    const bool last = rounds == stated.rounds;
    if (last && (table.digest(3) != stated.bins || table.digest(4) != stated.state)) {
      table.fail(fmt::format("the digests of {} are not those of realizations.csv", key_text(key)));
    }
    if (!last && !table.text(4).empty()) table.fail("a state is given before the last round");
    records.first_rounds[key].push_back({rounds, table.digest(3), table.text(4)});
  }
  for (const auto& [key, stated] : all) {
    if (stated.listed == stated.rounds) continue;
    fail(fmt::format("{} has no digest of the {} rounds of {}", round_digests_file, stated.rounds, key_text(key)));
  }
}

/// Adds one line of the list.
void add_line(std::string_view line, std::size_t number, std::map<std::string, std::string>& digests,
              std::vector<std::string>& problems) {
  const std::size_t length = 32;
  const std::string digest(line.substr(0, length)), name(line.substr(std::min(length + 2, line.size())));
  if (!is_digest(digest) || line.substr(length, 2) != "  " || name.empty()) {
    problems.push_back(fmt::format("line {} of {} is no digest and name", number, digest_list_file));
  } else if (!is_inside(name) || name == digest_list_file) {
    problems.push_back(fmt::format("{} names {}, which is no file of the folder", digest_list_file, in_quotes(name)));
  } else if (!digests.emplace(name, digest).second) {
    problems.push_back(fmt::format("{} names {} twice", digest_list_file, name));
  }
}

}  // namespace

PublishedOrigin PublicationRecords::origin_of(RealizationKey key) const {
  std::optional<PublishedOrigin> origin;
  for (std::size_t c = 0; c < configurations.size(); ++c) {
    const std::vector<int>& L = configurations[c].model.L;
    const auto place = std::ranges::find(L, key.L);
    if (place == L.end()) continue;
    const auto size = static_cast<std::size_t>(place - L.begin());
    const auto numbers = realization_numbers(configurations[c], size);
    if (key.realization < numbers.front() || key.realization - numbers.front() >= numbers.size()) continue;
    if (origin) {
      fail(fmt::format("both {} and {} have {}", names[origin->configuration], names[c], key_text(key)));
    }
    origin = {c, size};
  }
  if (!origin) fail("no configuration has " + key_text(key));
  return *origin;
}

PublicationRecords read_records(const PublishedFolder& folder) {
  PublicationRecords records;
  read_configurations(folder, records);
  read_temperatures(folder, records);
  read_first_rounds(folder, read_realizations(folder, records), records);
  return records;
}

std::map<std::string, std::string> read_digest_list(const PublishedFolder& folder, std::vector<std::string>& problems) {
  const std::string text = folder.text(digest_list_file, most_list_bytes);
  std::size_t last = text.rfind(last_line_begins);
  if (last == text.npos || (last > 0 && text[last - 1] != '\n') ||
      text.substr(last + last_line_begins.size()) != text_digest(text.substr(0, last)) + "\n") {
    problems.push_back(
        fmt::format("{} has been changed: its last line is not the digest of the others", digest_list_file));
  }
  last = std::min(last, text.size());
  std::map<std::string, std::string> digests;
  std::size_t number = 0;
  constexpr std::size_t enough = 20;
  for (std::string_view left = std::string_view(text).substr(0, last); !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    add_line(left.substr(0, end), ++number, digests, problems);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (problems.size() < enough || left.empty()) continue;
    problems.push_back(fmt::format("{} has more lines, which were not read", digest_list_file));
    break;
  }
  for (const char* name : always) {
    if (!digests.contains(name)) {
      problems.push_back(fmt::format("{} does not name {}, which every publication has", digest_list_file, name));
    }
  }
  for (const auto& [name, size] : folder.files()) {
    if (name.starts_with(std::string(configuration_folder) + '/') && !digests.contains(name)) {
      problems.push_back(fmt::format("{} does not name {}", digest_list_file, name));
    }
  }
  return digests;
}

}}  // namespace glassworks::tools
