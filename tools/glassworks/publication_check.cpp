#include "tools/glassworks/publication_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "analysis/export/round_digests.hpp"
#include "analysis/export/staging.hpp"
#include "db/bins.hpp"
#include "engine/checkpoint.hpp"
#include "engine/config.hpp"
#include "engine/memory.hpp"
#include "engine/text_file.hpp"
#include "scheduler/batch_size.hpp"
#include "scheduler/cooling.hpp"
#include "scheduler/recomputation.hpp"
#include "tools/glassworks/arguments.hpp"
#include "tools/glassworks/publication.hpp"

namespace glassworks::inline tools {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t most_rounds = 4;
constexpr std::size_t digest_length = 32;

using Progress = std::function<void(const std::string&, std::size_t, std::size_t)>;

std::string file_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// A name of the list must not lead out of the folder.
bool is_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::ranges::none_of(name, [](const fs::path& part) { return part == ".."; });
}

/// Digests by name. A list that is not its own is a problem.
std::map<std::string, std::string> read_list(const fs::path& folder, PublicationCheck& found) {
  const std::string text = file_text(folder / digest_list_file);
  const std::size_t last = text.rfind("# XXH3-128 of the lines above: ");
  if (last == text.npos || !text.substr(last).ends_with(text_digest(text.substr(0, last)) + "\n")) {
    found.problems.push_back(
        fmt::format("{} has been changed: its last line is not the digest of the others", digest_list_file));
  }
  std::map<std::string, std::string> digests;
  for (const std::string& line : split(text.substr(0, last), '\n')) {
    if (line.size() < digest_length + 3) continue;
    const std::string name = line.substr(digest_length + 2);
    if (!is_inside(name)) {
      found.problems.push_back(fmt::format("{} names '{}', which is no file of the folder", digest_list_file, name));
      continue;
    }
    digests[name] = line.substr(0, digest_length);
  }
  return digests;
}

void check_files(const fs::path& folder, const std::map<std::string, std::string>& digests, const Progress& progress,
                 PublicationCheck& found) {
  for (const auto& [name, digest] : digests) {
    if (progress) progress("files", found.files, digests.size());
    ++found.files;
    std::error_code error;
    if (!fs::is_regular_file(folder / name, error)) {
      found.problems.push_back(fmt::format("{} is missing", name));
    } else if (const std::string now = file_digest(folder / name); now != digest) {
      found.problems.push_back(fmt::format("{} has been changed: its digest is {}, not {}", name, now, digest));
    }
  }
  if (progress) progress("files", digests.size(), digests.size());
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_regular_file() && name != digest_list_file && !digests.contains(name)) found.unlisted.push_back(name);
  }
}

/// Rows of a table without its heading.
std::vector<std::vector<std::string>> rows_of(const fs::path& file) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(file_text(file), '\n')) {
    if (!line.empty()) rows.push_back(split(line, ','));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

template <class T>
T number_in_row(const std::vector<std::string>& row, std::size_t column) {
  T value{};
  const std::string& text = row.at(column);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error(fmt::format("'{}' is no number", text));
  }
  return value;
}

/// What the folder says of the first rounds of a realization.
struct FirstRounds {
  std::uint32_t rounds = 0;  ///< with this digest, at most most_rounds
  std::string bins, state;   ///< of the state: empty unless these are all rounds
};

std::map<RealizationKey, FirstRounds> read_first_rounds(const fs::path& folder) {
  std::map<RealizationKey, FirstRounds> all;
  for (const std::vector<std::string>& row : rows_of(folder / round_digests_file)) {
    const auto rounds = number_in_row<std::uint32_t>(row, 2);
    if (rounds > most_rounds) continue;
    all[{number_in_row<int>(row, 0), number_in_row<std::uint32_t>(row, 1)}] = {rounds, row.at(3), row.at(4)};
  }
  return all;
}

std::map<int, std::vector<double>> read_temperatures(const fs::path& folder) {
  std::map<int, std::vector<double>> temperatures;
  for (const std::vector<std::string>& row : rows_of(folder / temperatures_file)) {
    temperatures[number_in_row<int>(row, 0)].push_back(number_in_row<double>(row, 2));
  }
  return temperatures;
}

/// A configuration of the folder with its files there.
Config read_configuration(const fs::path& file) {
  Config config = parse_config(file_text(file));
  ModelConfig& model = config.model;
  const fs::path folder = file.parent_path();
  if (!model.couplings_file.empty()) model.couplings_file = (folder / model.couplings_file).lexically_normal();
  if (!model.field_file.empty()) model.field_file = (folder / model.field_file).lexically_normal();
  return config;
}

/// The configuration of a realization, and the place of its size there.
struct Origin {
  const Config* config = nullptr;
  std::size_t size = 0;
};

Origin origin_of(const std::vector<Config>& all, RealizationKey key) {
  for (const Config& config : all) {
    const auto place = std::ranges::find(config.model.L, key.L);
    if (place == config.model.L.end()) continue;
    const auto size = static_cast<std::size_t>(place - config.model.L.begin());
    const auto numbers = realization_numbers(config, size);
    if (key.realization >= numbers.front() && key.realization - numbers.front() < numbers.size())
      return {&config, size};
  }
  throw std::runtime_error("no configuration has it");
}

/// Throws std::runtime_error with the reason where it cannot be simulated.
void repeat(const Origin& origin, const std::vector<double>& temperatures, RealizationKey key, const FirstRounds& first,
            Backend& backend, RoundControl& control, PublicationCheck& found) {
  const Chain chain = make_chain(*origin.config, origin.size, temperatures);
  require_realization_fits(*origin.config, chain, backend, physical_memory_bytes());
  const Disorder disorder = make_disorder(*origin.config, chain.lattice, key.realization);
  ChainState state = initial_state(chain, key.realization);
  const CoolingTask hot{key.realization, &disorder, &state};
  if (!cool(chain, {&hot, 1}, backend, control)) return;
  Digest bins;
  RoundRecord record;
  const RoundTask task{key.realization, &disorder, &state, &record};
  for (std::uint32_t round = 0; round < first.rounds; ++round) {
    if (backend.run_round(chain, {&task, 1}, control) == RoundOutcome::abandoned) return;
    db::add_to_digest(bins, round, record);
    ++found.rounds;
  }
  ++found.realizations;
  if (bins.hex() != first.bins) {
    found.problems.push_back(
        fmt::format("the first {} rounds of realization {} at L = {}, simulated again, have other "
                    "bins (digest {}, not {})",
                    first.rounds, key.realization, key.L, bins.hex(), first.bins));
  } else if (!first.state.empty() && state_digest(state) != first.state) {
    found.problems.push_back(
        fmt::format("the state of realization {} at L = {} after {} rounds, simulated again, has "
                    "another digest",
                    key.realization, key.L, first.rounds));
  }
}

void repeat_rounds(const fs::path& folder, int recompute, RoundControl& control, Backend* backend,
                   const Progress& progress, PublicationCheck& found) {
  std::vector<Config> configurations;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / configuration_folder)) files.insert(entry.path());
  for (const fs::path& file : files) configurations.push_back(read_configuration(file));
  const auto temperatures = read_temperatures(folder);
  std::vector<std::pair<RealizationKey, FirstRounds>> all;
  for (const auto& [key, first] : read_first_rounds(folder)) all.emplace_back(key, first);
  std::unique_ptr<Backend> own;
  std::size_t done = 0;
  const auto chosen = spread_evenly(all.size(), static_cast<std::size_t>(recompute));
  for (const std::size_t i : chosen) {
    const auto& [key, first] = all[i];
    if (progress) progress("realizations simulated again", done++, chosen.size());
    try {
      const Origin origin = origin_of(configurations, key);
      if (backend == nullptr) {
        own = make_recomputing_backend(*origin.config);
        backend = own.get();
      }
      repeat(origin, temperatures.at(key.L), key, first, *backend, control, found);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      found.problems.push_back(
          fmt::format("realization {} at L = {} cannot be simulated again: {}", key.realization, key.L, error.what()));
    }
  }
  if (progress) progress("realizations simulated again", chosen.size(), chosen.size());
}

}  // namespace

PublicationCheck check_publication(const fs::path& folder, int recompute, RoundControl& control, Backend* backend,
                                   const Progress& progress) {
  if (!is_publication(folder)) {
    throw InputError(InputFault::missing, (folder / digest_list_file).string(),
                     fmt::format("{} is no published folder (it holds no {}). Give one that `glassworks publish` made.",
                                 folder.string(), digest_list_file));
  }
  PublicationCheck found;
  check_files(folder, read_list(folder, found), progress, found);
  if (recompute <= 0) return found;
  try {
    repeat_rounds(folder, recompute, control, backend, progress, found);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    found.problems.push_back(fmt::format("nothing can be simulated again: {}", error.what()));
  }
  return found;
}

}  // namespace glassworks::inline tools
